import type { Severity } from '../alert/alert.ts'
import { accountClosingLines, closingLines } from '../alert/deleverage-text.ts'
import { type Closing, closingsOf, type Endangered, type Quote } from '../alert/deleverage.ts'
import { untilOver } from '../lib/time/backoff.ts'
import { type Clock, within } from '../runtime/clock.ts'
import type { AlertTransition } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { OrderDraft, Preview } from '../venue/order.ts'
import { positionKey } from '../venue/position.ts'
import { VenueError } from '../venue/venue.ts'

/** All that is asked about one position takes no longer than that: by then its price is another one. */
const QUOTE_MS = 10_000
/** Positions that are asked about at once. */
const AT_ONCE = 2
/** Of what is told at once, the worst of which comes first, no more are looked at. */
const MOST_NEWS = 200
/** A venue that turned a quote away for its number is left alone for so long. */
const TURNED_AWAY_MS = 60_000

/**
 * Asks the venue what closing parts of an endangered position would do, and has that added to the alert, which went out
 * without waiting for it. Nothing is asked twice: what does not come in time is not told, and a start forgets it.
 */
export function createCloseQuotes(world: {
  clock: Clock
  signal: AbortSignal
  /** The alert as it stands now; null when nothing is to be asked about it. */
  endangered(alertId: number): Endangered | null
  ask(draft: OrderDraft, limitMs: number, signal: AbortSignal): Promise<Preview>
  /** How much of what was asked waits for its turn, which nothing but time brings. */
  waits(): number
  tell(change: Extract<Change, { is: 'quoted' }>): Promise<void>
}): {
  /** An alert changed its state, and that is committed. */
  transitioned(transition: AlertTransition): void
  /** The input that raised alerts was taken in whole: asks about them. */
  inputTaken(): void
  idle(): Promise<void>
} {
  const { clock, signal, endangered, ask, waits, tell } = world
  const waiting = createWaiting()
  const running = new Map<
    string,
    { alertIds: readonly number[]; stop: AbortController; ended: Promise<void> }
  >()
  let news: number[] = []
  let quietUntil = -Infinity
  /** Questions that have no answer yet. */
  let asking = 0

  /** Worse than what is being asked about: that answer is not told any more. */
  function take(): void {
    const alerts = saidOnce(standing(news))
    news = []
    if (alerts.length === 0 || clock.monotonic() < quietUntil) return
    for (const alert of alerts) {
      const key = positionKey(alert.position)
      const before = running.get(key)
      before?.stop.abort(new Error('a newer quote takes its place'))
      waiting.put(key, [...(before?.alertIds ?? []), alert.alertId], alert, clock.monotonic())
    }
    begin()
  }

  function begin(): void {
    while (running.size < AT_ONCE && !signal.aborted) {
      const next = waiting.next(clock.monotonic(), (key) => running.has(key))
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
    const alerts = standing(alertIds).map((alert) => {
      // Another one may be the largest of its account by now: these figures are of the one that was asked about.
      const isSame = positionKey(alert.position) === positionKey(position)
      return { ...alert, position, market: isSame ? alert.market : asked.market }
    })
    if (alerts.length > 0)
      await tell({ is: 'quoted', position, alerts: alerts.map((alert) => withLines(alert, [...answered])) })
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
      asking += 1
      const preview = await ask(closing.draft, QUOTE_MS, own.signal).finally(() => (asking -= 1))
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
    quietUntil = clock.monotonic() + Math.max(error.failure.retryAfterMs ?? 0, TURNED_AWAY_MS)
    waiting.clear()
  }

  function standing(alertIds: readonly number[]): Endangered[] {
    return alertIds.flatMap((alertId) => endangered(alertId) ?? [])
  }

  return {
    transitioned({ reason, alert }) {
      const isNews = reason === 'fired' || reason === 'worse'
      if (isNews && news.length < MOST_NEWS) news.push(Number(alert.slice(1)))
    },
    inputTaken() {
      if (news.length > 0) take()
    },
    async idle() {
      while (running.size > 0 && (asking === 0 || waits() < asking))
        await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** Where a position is warned of in the same breath as its account, what closing it does is said there alone. */
function saidOnce(alerts: readonly Endangered[]): Endangered[] {
  const key = ({ chatId, pool }: Endangered) => `${chatId} ${pool}`
  const told = new Set(alerts.filter(({ isOfAccount }) => !isOfAccount).map(key))
  return alerts.filter((alert) => !alert.isOfAccount || !told.has(key(alert)))
}

function withLines({ alertId, tier, isOfAccount, position, market }: Endangered, quotes: readonly Quote[]) {
  const closed = { position, market: market.value, at: market.at }
  const lines = isOfAccount ? accountClosingLines(closed, quotes) : closingLines(closed, quotes)
  return { alertId, tier, lines }
}

/** Positions that wait for a quote: the worst few, each once. */
interface Waiting {
  put(key: string, alertIds: readonly number[], danger: Danger, mono: number): void
  /** The worst whose time has not passed; those that are named wait on. */
  next(mono: number, isBusy: (key: string) => boolean): { key: string; alertIds: readonly number[] } | null
  clear(): void
}

interface Danger {
  severity: Severity
  room: number
}

/** In a crash nobody reads more, and requests are for what protects. */
const MOST = 10
/** What has waited longer is not asked any more: by then people have looked for themselves. */
const WAITS_MS = 20_000

/** Pure but for its own memory: which positions wait for a quote, and which of them is next. */
function createWaiting(): Waiting {
  const all = new Map<string, Danger & { alertIds: readonly number[]; mono: number }>()
  const sorted = () => [...all].sort(([, a], [, b]) => loudness(a) - loudness(b) || a.room - b.room)
  return {
    put(key, alertIds, { severity, room }, mono) {
      const known = all.get(key)?.alertIds ?? []
      all.set(key, { alertIds: [...new Set([...known, ...alertIds])], severity, room, mono })
      if (all.size <= MOST) return
      const [mildest] = sorted().at(-1) ?? []
      if (mildest !== undefined) all.delete(mildest)
    },
    next(mono, isBusy) {
      for (const [key, { mono: since }] of all) if (mono - since > WAITS_MS) all.delete(key)
      const found = sorted().find(([key]) => !isBusy(key))
      if (!found) return null
      const [key, { alertIds }] = found
      all.delete(key)
      return { key, alertIds }
    },
    clear: () => all.clear(),
  }
}

function loudness({ severity }: Danger): number {
  return severity === 'critical' ? 0 : 1
}
