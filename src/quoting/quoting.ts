import type { Change } from '../change.ts'
import { within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { Event } from '../event.ts'
import { untilOver } from '../lib/until-over.ts'
import type { OrderDraft, Preview } from '../order.ts'
import { positionKey } from '../position.ts'
import { closingLines } from '../costs.ts'
import { closingsOf } from '../rescue.ts'
import type { Closing, Endangered, Quote } from '../rescue.ts'
import { VenueError } from '../venue.ts'
import { createWaiting } from './waiting.ts'

/** All that is asked about one position takes no longer than that. */
const QUOTE_MS = 2_000
/** Positions that are asked about at once. */
const AT_ONCE = 2
/** A venue that turned a quote away for its number is left alone for so long. */
const TURNED_AWAY_MS = 60_000

/**
 * Asks the venue what closing parts of an endangered position would do, and has that added to the alert, which went out
 * without waiting for it. Nothing is asked twice: what does not come in time is not told, and a start forgets it.
 */
export function createQuoting(world: {
  clock: Clock
  signal: AbortSignal
  /** The alert as it stands now; null when nothing is to be asked about it. */
  endangered(alertId: number): Endangered | null
  ask(draft: OrderDraft, limitMs: number, signal: AbortSignal): Promise<Preview>
  /** Whether what was asked waits for its turn, which nothing but time brings. */
  waits(): boolean
  tell(change: Extract<Change, { is: 'quoted' }>): Promise<void>
}): { hear(event: Event): void; idle(): Promise<void> } {
  const { clock, signal, endangered, ask, waits, tell } = world
  const waiting = createWaiting()
  const running = new Map<
    string,
    { alertIds: readonly number[]; stop: AbortController; ended: Promise<void> }
  >()
  let news: number[] = []
  let quietUntil = -Infinity

  /** Worse than what is being asked about: that answer is not told any more. */
  function take(): void {
    const alerts = news.flatMap((alertId) => endangered(alertId) ?? [])
    news = []
    if (alerts.length === 0 || clock.tick() < quietUntil) return
    for (const alert of alerts) {
      const key = positionKey(alert.position)
      const before = running.get(key)
      before?.stop.abort(new Error('a newer quote takes its place'))
      waiting.put(key, [...(before?.alertIds ?? []), alert.alertId], alert, clock.tick())
    }
    begin()
  }

  function begin(): void {
    while (running.size < AT_ONCE && !signal.aborted) {
      const next = waiting.next(clock.tick(), (key) => running.has(key))
      if (next === null) return
      const stop = new AbortController()
      const ended = quote(next.alertIds, stop.signal)
        .catch(() => {
          // What could not be kept is not told: the next turn says that the store fails.
        })
        .finally(() => {
          running.delete(next.key)
          begin()
        })
      running.set(next.key, { alertIds: next.alertIds, stop, ended })
    }
  }

  async function quote(alertIds: readonly number[], replaced: AbortSignal): Promise<void> {
    const [asked] = standing(alertIds)
    if (!asked) return
    const { position } = asked
    const answered: Quote[] = []
    await within(clock, QUOTE_MS, AbortSignal.any([signal, replaced]), (limit) =>
      askAll(closingsOf(position), limit, answered),
    ).catch(noteRefusal)
    if (signal.aborted || replaced.aborted || answered.length === 0) return
    const alerts = standing(alertIds)
    const market = alerts[0]?.market
    if (!market) return
    await tell({
      is: 'quoted',
      alerts,
      position,
      lines: closingLines(position, market.value, [...answered], market.at),
    })
  }

  /** The first alone: where it fails the others would, too. */
  async function askAll(
    [first, ...others]: readonly Closing[],
    limit: AbortSignal,
    answered: Quote[],
  ): Promise<void> {
    // Where one fails, those that still wait for their turn give it up.
    const own = untilOver(limit)
    const one = async (closing: Closing) => {
      const preview = await ask(closing.draft, QUOTE_MS, own.signal)
      if (!own.signal.aborted) answered.push({ ...closing, preview })
    }
    try {
      if (first) await one(first)
      await Promise.all(others.map(one))
    } finally {
      own.over()
    }
  }

  function noteRefusal(error: unknown): void {
    if (!(error instanceof VenueError) || error.failure.is !== 'limited') return
    quietUntil = clock.tick() + Math.max(error.failure.retryAfterMs ?? 0, TURNED_AWAY_MS)
    waiting.clear()
  }

  function standing(alertIds: readonly number[]): Endangered[] {
    return alertIds.flatMap((alertId) => endangered(alertId) ?? [])
  }

  return {
    hear(event) {
      if (event.is === 'transition' && (event.reason === 'entered' || event.reason === 'worse'))
        news.push(Number(event.alert.slice(1)))
      if (event.is === 'turn' && news.length > 0) take()
    },
    async idle() {
      while (running.size > 0 && !waits()) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
