import { fullBucket, nextAt, type Rate, take, tokensAt } from '../../lib/time/token-bucket.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import { MINUTE_MS, type RequestUsage } from '../../venue/venue-load.ts'
import { VenueError } from '../../venue/venue.ts'
import { createCalm } from './calm.ts'
import { createLedger } from './ledger.ts'
import { leastPerSecond, type Pace } from './pace.ts'
import { createFloor, createShares, FLOOR_SHARE, ORDER_FLOOR_SHARE } from './shares.ts'

/**
 * The purpose of a request, in order of priority. Markets serve everybody and come first. Confirmations are next, as
 * alerts may wait for them. Then people and wallets take turns, so that neither starves the other. Orders come after
 * these. Balances beside an answer about positions are next, then wallets that are only followed. Quotes come after
 * them: they only add to an alert that was sent already. Records (of money, balances and TWAPs) that nobody waits for are
 * last, and leave more room than regular reads of wallets do.
 */
export type Priority =
  | ('markets' | 'confirm' | 'person' | 'wallet' | 'order')
  | ('beside' | 'followed' | 'quote' | 'record')
const AFTER = ['order', 'beside', 'followed', 'quote', 'record'] as const
const PEOPLE_FIRST: readonly Priority[] = ['markets', 'confirm', 'person', 'wallet', ...AFTER]
const WALLETS_FIRST: readonly Priority[] = ['markets', 'confirm', 'wallet', 'person', ...AFTER]
/**
 * Share of the calm rate for everything together, from which on records wait. The rest is for people: what they ask must not
 * come on top of a full minute.
 */
const RECORD_SHARE = 0.55
/** How often balances beside an answer look for room in the last minute. */
const ROOM_AGAIN_MS = 1_000
/** Only these protect nobody's position. */
const LEAST: ReadonlySet<Priority> = new Set(['followed', 'record', 'quote'])
/** One request is kept in reserve for these. */
const RESERVED_FOR: ReadonlySet<Priority> = new Set(['markets', 'confirm'])

/** Decides which purpose may spend a request next, and learns how many the venue allows. */
export interface Budget {
  /** Runs the request when its weight may be spent. If the signal aborts before that, rejects with its reason. */
  spend<T>(priority: Priority, signal: AbortSignal, request: Request<T>, weight?: number): Promise<T>
  /** Whether a confirmation could start at once. */
  free(): boolean
  /** Whether weight is left over: nobody waits, and half of a burst is there. */
  hasSpare(): boolean
  /** Whether everything together stays within the share of the limit that reads without haste keep to. */
  hasRoom(): boolean
  /** From when on a read that nobody waits for leaves room for others; monotonic, -Infinity where none need be left. */
  calmFrom(): number
  /** How many requests of this priority wait for their turn. */
  waits(priority: Priority): number
  /** Estimates how long a person's request would wait, and says whether that is because the venue asked for a pause. */
  wait(): { ms: number; asked: boolean }
  used(): RequestUsage
}

/** Additive increase, multiplicative decrease: measured to use 97% of an unknown limit, with 0.03% refused. */
const GAIN_PER_SECOND = 1
const BACK_OFF = 0.9
const BELOW_LAST_CEILING = 0.95
const REMEMBER_CEILING_MS = 10 * 60_000
/** How often the remembered ceiling is lowered without success before it is forgotten. */
const MAX_FAILED_LOWERINGS = 16
/** Share of a burst that these must leave: requests that protect positions must not wait for them. */
const KEPT_FROM_LEAST = 0.5
/**
 * Longest Retry-After that is obeyed. A longer pause would leave all people without warnings, which is worse than
 * another refusal.
 */
const LONGEST_PAUSE_MS = 60_000

type Request<T> = (more: (weight: number) => void) => Promise<T>

interface Waiting {
  priority: Priority
  weight: number
  start: () => void
}

export function createBudget(world: {
  clock: Clock
  emit: Emit
  pace: Pace
  /** Whether reads that nobody waits for are to leave room. Left out: never. */
  leavesRoom?: () => boolean
}): Budget {
  const { clock, emit, pace, leavesRoom = () => false } = world
  const queues: Record<Priority, Waiting[]> = {
    ...{ markets: [], confirm: [], person: [], wallet: [], order: [], beside: [] },
    ...{ followed: [], record: [], quote: [] },
  }
  const calm = createCalm(pace.calm, leavesRoom, clock.monotonic())
  const forRecords = pace.calm && { ...pace.calm, perSecond: pace.calm.perSecond * RECORD_SHARE }
  const calmer = createCalm(forRecords, leavesRoom, clock.monotonic())
  const ledger = createLedger<Priority>(clock)
  let rate = pace.weightPerSecond
  let bucket = fullBucket(limit(), clock.monotonic())
  /**
   * The rate at the last refusal, its time, how often it was lowered although we kept to it, and the rate from which
   * that began.
   */
  let ceiling: { rate: number; at: number; lowered: number; from: number } | null = null
  let gainedAt = clock.monotonic()
  let reducedAt = -Infinity
  /** A request has succeeded since the rate was last lowered. */
  let succeededSince = true
  /** By purpose: how often the rate was lowered without a success of it, and the rate from which that began. */
  const inARow = new Map<Priority, { lowered: number; from: number }>()
  let pausedUntil = -Infinity
  let callOff: (() => void) | null = null
  /** Markets went first while a confirmation waited. */
  let passedConfirm = false
  const shares = createShares(() => rate)
  const floor = createFloor(FLOOR_SHARE, burst, () => rate)
  const orderFloor = createFloor(ORDER_FLOOR_SHARE, burst, () => rate)

  function burst(): number {
    return pace.burst ?? Math.max(1, rate / 4)
  }

  function limit(): Rate {
    return { perSecond: rate, burst: burst() }
  }

  function setRate(perSecond: number, mono: number): void {
    bucket = take(bucket, limit(), mono, 0)
    rate = perSecond
  }

  function spendAt(mono: number, weight: number): void {
    bucket = take(bucket, limit(), mono, weight)
    calm.spent(weight, mono)
    calmer.spent(weight, mono)
  }

  /**
   * Starts the requests that may start, and sets the alarm for the next. Both use one reading of the clock; otherwise a
   * wake-up could be lost.
   */
  function drain(): void {
    const mono = clock.monotonic()
    // A light request does not overtake a heavier one of higher priority, which might then never start.
    for (let next = first(); next && startsAt(next, mono) <= mono; next = first()) {
      const { priority, weight } = next
      spendAt(mono, weight)
      queues[priority].shift()
      share(priority, weight)
      next.start()
    }
    sleep(mono)
  }

  function first(): Waiting | null {
    const [person, wallet] = [queues.person[0], queues.wallet[0]]
    const passed = shares.peopleFirst() ? (person ?? wallet) : (wallet ?? person)
    if (passed && floor.isOwed(passed.weight)) return passed
    // Where the rate is low, markets could take everything: a confirmation goes first every other time.
    const [confirm] = queues.confirm
    if (confirm && passedConfirm) return confirm
    const [order] = queues.order
    if (order && orderFloor.isOwed(order.weight)) return order
    for (const priority of shares.peopleFirst() ? PEOPLE_FIRST : WALLETS_FIRST) {
      const [next] = queues[priority]
      if (next) return next
    }
    return null
  }

  function share(priority: Priority, weight: number): void {
    if (RESERVED_FOR.has(priority)) passedConfirm = priority === 'markets' && queues.confirm.length > 0
    if (priority === 'person' || priority === 'wallet') floor.had(weight)
    else if (RESERVED_FOR.has(priority) && queues.person.length + queues.wallet.length > 0)
      floor.passedBy(weight)
    if (priority === 'order') orderFloor.had(weight)
    else if (queues.order.length > 0) orderFloor.passedBy(weight)
    if (priority === 'person' && queues.wallet.length > 0) shares.people(weight)
    if (priority === 'wallet') shares.wallets(weight)
  }

  /**
   * The earliest start from `mono` on. A request that weighs more than a burst starts with a full one, and the rest is
   * paid off afterwards.
   */
  function startsAt({ weight, priority }: { weight: number; priority: Priority }, mono: number): number {
    const calmMono = calmFrom(priority, weight, mono)
    return nextAt(bucket, limit(), Math.max(mono, pausedUntil, calmMono), needed(weight, priority))
  }

  function calmFrom(priority: Priority, weight: number, mono: number): number {
    if (priority === 'beside') return besideFrom(weight, mono)
    return priority === 'record' ? calmer.from(mono) : -Infinity
  }

  /** Somebody sees these: they come at once in a quiet minute, and wait while the last one has no room for them. */
  function besideFrom(weight: number, mono: number): number {
    const most = calm.aMinute()
    if (most === null) return -Infinity
    const spent = PEOPLE_FIRST.reduce((sum, priority) => sum + ledger.lastMinute(priority), 0)
    return spent + weight <= most ? -Infinity : mono + ROOM_AGAIN_MS
  }

  function needed(weight: number, priority: Priority): number {
    const kept = RESERVED_FOR.has(priority) ? 0 : LEAST.has(priority) ? burst() * KEPT_FROM_LEAST : reserve()
    return Math.min(weight + kept, burst())
  }

  /** Lets a confirmation start at once even if others always wait. */
  function reserve(): number {
    return burst() >= 2 ? 1 : 0
  }

  /** Sets the alarm for the next start. With nobody waiting, there is none. */
  function sleep(mono: number): void {
    callOff?.()
    callOff = null
    const next = first()
    if (next) callOff = clock.wakeAt(startsAt(next, mono), drain)
  }

  function succeeded(priority: Priority): void {
    const mono = clock.monotonic()
    succeededSince = true
    inARow.delete(priority)
    if (rate >= pace.weightPerSecond) {
      gainedAt = mono
      return
    }
    const gain = Math.min((mono - gainedAt) / 1_000, 1) * GAIN_PER_SECOND
    setRate(Math.max(rate, Math.min(rate + gain, pace.weightPerSecond, remembered(mono) ?? Infinity)), mono)
    gainedAt = mono
  }

  /** The highest rate allowed by a recent refusal; null if there was none. */
  function remembered(mono: number): number | null {
    return ceiling && mono - ceiling.at < REMEMBER_CEILING_MS ? ceiling.rate * BELOW_LAST_CEILING : null
  }

  function limited(priority: Priority, retryAfterMs: number | null): void {
    const mono = clock.monotonic()
    if (retryAfterMs !== null) {
      pausedUntil = Math.max(pausedUntil, mono + Math.min(retryAfterMs, LONGEST_PAUSE_MS))
      // Tokens do not accumulate during a pause: a burst at its end would be refused again.
      bucket = { tokens: Math.min(tokensAt(bucket, limit(), mono), 1), mono: pausedUntil }
    }
    // Refusals within one second belong to one burst and count once.
    if (mono - reducedAt < 1_000) return
    reducedAt = mono
    const row = inARow.get(priority) ?? { lowered: 0, from: rate }
    // One purpose is refused however low the rate is, and others never: that is no matter of the rate.
    if (row.lowered >= MAX_FAILED_LOWERINGS && succeededSince) {
      succeededSince = false
      ceiling = null
      return setRate(Math.max(rate, row.from), mono)
    }
    inARow.set(priority, { ...row, lowered: row.lowered + 1 })
    // A falling limit refuses requests before the rate is back at the ceiling. If keeping to the ceiling fails again
    // and again, the refusals do not depend on our rate. The ceiling would only fall further, so it is forgotten.
    const cap = remembered(mono)
    const before = ceiling !== null && cap !== null && rate >= cap ? ceiling : null
    const lowered = before ? before.lowered + 1 : 0
    const from = before?.from ?? rate
    const inVain = lowered > MAX_FAILED_LOWERINGS
    // Where everything is refused, lower rates are no news of the ceiling: the first refusal has shown it.
    const refused = ceiling !== null && !succeededSince ? ceiling.rate : rate
    succeededSince = false
    ceiling = inVain ? null : { rate: refused, at: mono, lowered, from }
    setRate(Math.max((inVain ? from : rate) * BACK_OFF, leastPerSecond(pace)), mono)
    gainedAt = mono
    emit({ is: 'ceiling', weightPerSecond: Number(rate.toFixed(2)), why: 'the venue answered 429' })
  }

  function waitingIn(priority: Priority): number {
    return queues[priority].reduce((sum, { weight }) => sum + weight, 0)
  }

  async function run<T>(request: Request<T>, priority: Priority, weight: number): Promise<T> {
    ledger.note(priority, weight)
    try {
      const value = await request((more) => {
        spendAt(clock.monotonic(), more)
        share(priority, more)
        ledger.note(priority, more)
      })
      succeeded(priority)
      return value
    } catch (error) {
      // A refused quote must not slow down requests that protect positions. If the limit concerns these too, they will
      // be refused themselves.
      if (priority !== 'quote' && error instanceof VenueError && error.failure.is === 'limited')
        limited(priority, error.failure.retryAfterMs)
      throw error
    }
  }

  return {
    free() {
      const mono = clock.monotonic()
      const none = queues.markets.length === 0 && queues.confirm.length === 0
      return none && startsAt({ weight: 1, priority: 'confirm' }, mono) <= mono
    },
    hasSpare() {
      const mono = clock.monotonic()
      if (first() !== null || mono < pausedUntil) return false
      return calm.hasSpare(mono) && tokensAt(bucket, limit(), mono) >= burst() / 2
    },
    hasRoom: () => calm.isWithin(clock.monotonic()),
    calmFrom: () => calm.from(clock.monotonic()),
    waits: (priority) => queues[priority].length,
    wait() {
      const mono = clock.monotonic()
      const tokens = tokensAt(bucket, limit(), mono)
      const people = waitingIn('person') + 1
      const wallets = queues.wallet.length === 0 ? 0 : shares.meanwhile(people)
      const wanting = waitingIn('markets') + waitingIn('confirm') + people + wallets + reserve() - tokens
      const pauseMs = pausedUntil - mono
      return { ms: Math.max((wanting / rate) * 1_000, pauseMs, 0), asked: pauseMs > 0 }
    },
    used: () => ({
      markets: ledger.lastMinute('markets'),
      wallets: ledger.lastMinute('wallet') + ledger.lastMinute('order'),
      orders: ledger.lastMinute('order'),
      followed: ledger.lastMinute('followed'),
      records: ledger.lastMinute('record'),
      asked: (['person', 'beside', 'confirm', 'quote'] as const).reduce(
        (sum, priority) => sum + ledger.lastMinute(priority),
        0,
      ),
      atMost: rate * (MINUTE_MS / 1_000),
      calmAtMost: calm.aMinute(),
      coversMs: ledger.coversMs(),
      ...(clock.monotonic() - reducedAt < MINUTE_MS && { isLowered: true as const }),
    }),
    spend: (priority, signal, request, weight = 1) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason)
          return
        }
        const giveUp = () => {
          queues[priority] = queues[priority].filter((one) => one !== waiting)
          sleep(clock.monotonic())
          reject(signal.reason)
        }
        const waiting: Waiting = {
          priority,
          weight,
          start() {
            signal.removeEventListener('abort', giveUp)
            run(request, priority, weight).then(resolve, reject)
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        queues[priority].push(waiting)
        drain()
      }),
  }
}
