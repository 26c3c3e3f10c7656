import type { Severity } from '../alert/alert.ts'
import {
  type ReduceOption,
  closingLines,
  reduceOptionsOf,
  type AtRisk,
  type Quote,
} from '../alert/deleverage.ts'
import { untilOver } from '../lib/time/backoff.ts'
import { type Clock, within } from '../runtime/clock.ts'
import { type AlertTransition, newsOf } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { OrderDraft, Preview } from '../venue/order.ts'
import { type Position, positionKey } from '../venue/position.ts'
import { VenueError } from '../venue/venue.ts'

/** Time limit for all quotes of one position. After that its price has moved on. */
const QUOTE_MS = 10_000
/** Positions being quoted at once. */
const MAX_QUOTED_POSITIONS = 2
/** Alerts of one input that are considered. The worst come first. */
const MAX_ALERTS_PER_INPUT = 200
/** After a venue refused a quote for its rate limit, it is asked for no quotes this long. */
const TURNED_AWAY_MS = 60_000

/**
 * Asks the venue what closing parts of an endangered position would do, and adds that to the alert. The alert itself
 * does not wait for it. Quotes are never retried: a late answer is dropped, and a restart forgets them.
 */
export function createCloseQuotes(world: {
  clock: Clock
  signal: AbortSignal
  /** The alert as it stands now; null if it needs no quote. */
  endangered(alertId: number): AtRisk | null
  ask(draft: OrderDraft, limitMs: number, signal: AbortSignal): Promise<Preview>
  /** The venue that answers for an account, by its id; undefined for the first. */
  venueOf(accountId: string): string | undefined
  /** How many quotes wait for their turn. Only time brings it. */
  waits(): number
  tell(change: Extract<Change, { is: 'quoted' }>): Promise<void>
}): {
  /** A committed transition of an alert. */
  transitioned(transition: AlertTransition): void
  /** The input that raised the alerts was processed completely: asks for their quotes. */
  inputTaken(): void
  idle(): Promise<void>
} {
  const { clock, signal, endangered, ask, venueOf, waits, tell } = world
  const waiting = createWaiting()
  const running = new Map<
    string,
    { alertIds: readonly number[]; stop: AbortController; ended: Promise<void> }
  >()
  let news: number[] = []
  /** By venue: until when (monotonic) it is asked for no quotes. */
  const quietUntil = new Map<string | undefined, number>()
  /** Quotes without an answer yet. */
  let asking = 0

  /** A worse alert on the same position aborts the quote under way; its answer is dropped. */
  function take(): void {
    const alerts = quotedOnce(standing(news)).filter(({ position }) => !isQuiet(position))
    news = []
    if (alerts.length === 0) return
    for (const alert of alerts) {
      const key = positionKey(alert.position)
      const before = running.get(key)
      before?.stop.abort(new Error('a newer quote takes its place'))
      const danger = { ...alert, venue: venueOf(alert.position.accountId) }
      waiting.put(key, [...(before?.alertIds ?? []), alert.alertId], danger, clock.monotonic())
    }
    begin()
  }

  function begin(): void {
    while (running.size < MAX_QUOTED_POSITIONS && !signal.aborted) {
      const next = waiting.next(clock.monotonic(), (key) => running.has(key))
      if (next === null) return
      const stop = new AbortController()
      const ended = quote(next.alertIds, stop.signal)
        .catch(() => {
          // If the answer could not be committed, it is dropped. The next input reports that the store fails.
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
      askAll(reduceOptionsOf(position), limit, answered),
    ).catch((error: unknown) => noteRefusal(venueOf(position.accountId), error))
    if (signal.aborted || replaced.aborted || answered.length === 0) return
    const alerts = standing(alertIds).map((alert) => {
      // An account's largest position may have changed meanwhile. The figures are about the one that was asked about.
      const isSame = positionKey(alert.position) === positionKey(position)
      return { ...alert, position, market: isSame ? alert.market : asked.market }
    })
    if (alerts.length > 0)
      await tell({ is: 'quoted', position, alerts: alerts.map((alert) => withLines(alert, [...answered])) })
  }

  /** Asks for the first quote alone: if it fails, the others would fail too. */
  async function askAll(
    [first, ...others]: readonly ReduceOption[],
    limit: AbortSignal,
    answered: Quote[],
  ): Promise<void> {
    // When one fails, this takes the others out of the queue.
    const own = untilOver(limit)
    const one = async (closing: ReduceOption) => {
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

  function noteRefusal(venue: string | undefined, error: unknown): void {
    if (!(error instanceof VenueError) || error.failure.is !== 'limited') return
    const quietMs = Math.max(error.failure.retryAfterMs ?? 0, TURNED_AWAY_MS)
    quietUntil.set(venue, clock.monotonic() + quietMs)
    waiting.drop(venue)
  }

  function isQuiet({ accountId }: Position): boolean {
    return clock.monotonic() < (quietUntil.get(venueOf(accountId)) ?? -Infinity)
  }

  function standing(alertIds: readonly number[]): AtRisk[] {
    return alertIds.flatMap((alertId) => endangered(alertId) ?? [])
  }

  return {
    transitioned(transition) {
      const alertId = newsOf(transition)
      if (alertId !== null && news.length < MAX_ALERTS_PER_INPUT) news.push(alertId)
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

/** If a position and its account raise an alert in one chat at once, only the position's alert gets the quote. */
function quotedOnce(alerts: readonly AtRisk[]): AtRisk[] {
  const key = ({ chatId, pool }: AtRisk) => `${chatId} ${pool}`
  const quoted = new Set(alerts.filter(({ isOfAccount }) => !isOfAccount).map(key))
  return alerts.filter((alert) => !alert.isOfAccount || !quoted.has(key(alert)))
}

function withLines({ alertId, tier, isOfAccount, position, market }: AtRisk, quotes: readonly Quote[]) {
  const closed = { position, market: market.value, at: market.at, isOfAccount }
  const { short, basis } = closingLines(closed, quotes)
  return { alertId, tier, lines: short, details: [basis] }
}

/** Positions that wait for a quote: the worst few, each once. */
interface Waiting {
  put(key: string, alertIds: readonly number[], danger: Danger, mono: number): void
  /** Removes and returns the worst position that has not waited too long. Busy ones wait on. */
  next(mono: number, isBusy: (key: string) => boolean): { key: string; alertIds: readonly number[] } | null
  /** All of this venue. */
  drop(venue: string | undefined): void
}

interface Danger {
  severity: Severity
  room: number
  venue: string | undefined
}

/** In a crash nobody reads more, and requests must go to what protects positions. */
const MAX_WAITING_POSITIONS = 10
/** A position that has waited longer is not quoted. By then people have looked for themselves. */
const WAITS_MS = 20_000

/** Decides which positions wait for a quote, and which is next. Pure but for its own memory. */
function createWaiting(): Waiting {
  const all = new Map<string, Danger & { alertIds: readonly number[]; mono: number }>()
  const sorted = () => [...all].sort(([, a], [, b]) => loudness(a) - loudness(b) || a.room - b.room)
  return {
    put(key, alertIds, { severity, room, venue }, mono) {
      const known = all.get(key)?.alertIds ?? []
      all.set(key, { alertIds: [...new Set([...known, ...alertIds])], severity, room, venue, mono })
      if (all.size <= MAX_WAITING_POSITIONS) return
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
    drop(venue) {
      for (const [key, one] of all) if (one.venue === venue) all.delete(key)
    },
  }
}

function loudness({ severity }: Pick<Danger, 'severity'>): number {
  return severity === 'critical' ? 0 : 1
}
