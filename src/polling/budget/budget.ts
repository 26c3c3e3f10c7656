import { fullBucket, nextAt, type Rate, take, tokensAt } from '../../lib/time/token-bucket.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import { MINUTE_MS, type RequestUsage } from '../../venue/venue-load.ts'
import { VenueError, type VenueLimits } from '../../venue/venue.ts'

/**
 * Who asks: markets serve everybody and come first; then second looks, for which an alert may wait; then people and owners,
 * of whom neither starves the other; then orders; last what is only added to an alert that was told already.
 */
export type Priority = 'markets' | 'confirm' | 'person' | 'wallet' | 'order' | 'quote'
const PEOPLE_FIRST: readonly Priority[] = ['markets', 'confirm', 'person', 'wallet', 'order', 'quote']
const OWNERS_FIRST: readonly Priority[] = ['markets', 'confirm', 'wallet', 'person', 'order', 'quote']
/** A request is kept ready for these. */
const RESERVED_FOR: ReadonlySet<Priority> = new Set(['markets', 'confirm'])

/** Requests are what a venue is short of: this decides who may spend one, and learns how many there are. */
export interface Budget {
  /** Runs the request when its weight may be spent. Rejects with the signal's reason when that aborts first. */
  spend<T>(priority: Priority, signal: AbortSignal, request: Request<T>, weight?: number): Promise<T>
  /** Whether a second look would be spent at once. */
  free(): boolean
  /** How many of these wait for their turn. */
  waits(priority: Priority): number
  /** How long a person's request would wait for its turn, as far as that can be told, and whether the venue wants it to. */
  wait(): { ms: number; asked: boolean }
  used(): RequestUsage
}

/** Additive increase, multiplicative decrease: measured to use 97 % of an unknown limit, with 0.03 % refused. */
const GAIN_PER_SECOND = 1
const BACK_OFF = 0.9
const BELOW_LAST_CEILING = 0.95
const REMEMBER_CEILING_MS = 10 * 60_000
/** How often what is remembered is lowered in vain before it is forgotten. */
const MOST_LOWERED = 16
const LEAST_PER_SECOND = 0.5
/** So much of a burst is left for what comes before them, where their weight is heavy: what protects must not wait for them. */
const KEPT_FROM_QUOTES = 0.5
/** A longer Retry-After would blind everybody for longer than asking again could cost. */
const LONGEST_PAUSE_MS = 60_000

type Request<T> = (more: (weight: number) => void) => Promise<T>

interface Waiting {
  priority: Priority
  weight: number
  start: () => void
}

export function createBudget(world: { clock: Clock; emit: Emit; pace: Pace }): Budget {
  const { clock, emit, pace } = world
  const queues: Record<Priority, Waiting[]> = {
    ...{ markets: [], confirm: [], person: [], wallet: [], order: [], quote: [] },
  }
  const ledger = createLedger<Priority>(clock)
  let rate = pace.weightPerSecond
  let bucket = fullBucket(limit(), clock.monotonic())
  /** What was refused last; how often it was lowered although we kept to it, and from where. */
  let ceiling: { rate: number; at: number; lowered: number; from: number } | null = null
  let gainedAt = clock.monotonic()
  let reducedAt = -Infinity
  let pausedUntil = -Infinity
  let callOff: (() => void) | null = null
  const shares = createShares(() => rate)

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

  /** Starts what may start, and sleeps until the next may: both go by one reading of the clock, or a wake-up could be lost. */
  function drain(): void {
    const mono = clock.monotonic()
    // What is light does not overtake what comes first: that would never start.
    for (let next = first(); next && startsAt(next, mono) <= mono; next = first()) {
      const { priority, weight } = next
      bucket = take(bucket, limit(), mono, weight)
      queues[priority].shift()
      share(priority, weight)
      next.start()
    }
    sleep(mono)
  }

  function first(): Waiting | null {
    for (const priority of shares.peopleFirst() ? PEOPLE_FIRST : OWNERS_FIRST) {
      const [next] = queues[priority]
      if (next) return next
    }
    return null
  }

  function share(priority: Priority, weight: number): void {
    if (priority === 'person' && queues.wallet.length > 0) shares.people(weight)
    if (priority === 'wallet') shares.wallets(weight)
  }

  /** The earliest time from `mono` on. What weighs more than a burst starts with all of it, and is paid off after. */
  function startsAt({ weight, priority }: { weight: number; priority: Priority }, mono: number): number {
    return nextAt(bucket, limit(), Math.max(mono, pausedUntil), needed(weight, priority))
  }

  function needed(weight: number, priority: Priority): number {
    const kept = RESERVED_FOR.has(priority)
      ? 0
      : priority === 'quote'
        ? burst() * KEPT_FROM_QUOTES
        : reserve()
    return Math.min(weight + kept, burst())
  }

  /** A second look starts at once also where others always wait. */
  function reserve(): number {
    return burst() >= 2 ? 1 : 0
  }

  /** Until somebody who waits may start; nobody waits, nothing wakes us. */
  function sleep(mono: number): void {
    callOff?.()
    callOff = null
    const next = first()
    if (next) callOff = clock.wakeAt(startsAt(next, mono), drain)
  }

  function succeeded(): void {
    const mono = clock.monotonic()
    if (rate >= pace.weightPerSecond) {
      gainedAt = mono
      return
    }
    const gain = Math.min((mono - gainedAt) / 1_000, 1) * GAIN_PER_SECOND
    setRate(Math.max(rate, Math.min(rate + gain, pace.weightPerSecond, remembered(mono) ?? Infinity)), mono)
    gainedAt = mono
  }

  /** The rate that we keep to because more was refused lately. */
  function remembered(mono: number): number | null {
    return ceiling && mono - ceiling.at < REMEMBER_CEILING_MS ? ceiling.rate * BELOW_LAST_CEILING : null
  }

  function limited(retryAfterMs: number | null): void {
    const mono = clock.monotonic()
    if (retryAfterMs !== null) {
      pausedUntil = Math.max(pausedUntil, mono + Math.min(retryAfterMs, LONGEST_PAUSE_MS))
      // Nothing is saved up in a pause: a burst at its end would be refused like the one that led to it.
      bucket = { tokens: Math.min(tokensAt(bucket, limit(), mono), 1), mono: pausedUntil }
    }
    // Answers to one burst come together and mean one thing.
    if (mono - reducedAt < 1_000) return
    reducedAt = mono
    // A limit that falls refuses us before we are back at what we keep to. When keeping to it does not help, again and
    // again, the refusals do not depend on our pace: what is remembered would only ever fall, and is forgotten.
    const cap = remembered(mono)
    const before = ceiling !== null && cap !== null && rate >= cap ? ceiling : null
    const lowered = before ? before.lowered + 1 : 0
    const from = before?.from ?? rate
    const inVain = lowered > MOST_LOWERED
    ceiling = inVain ? null : { rate, at: mono, lowered, from }
    setRate(Math.max((inVain ? from : rate) * BACK_OFF, LEAST_PER_SECOND), mono)
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
        bucket = take(bucket, limit(), clock.monotonic(), more)
        share(priority, more)
        ledger.note(priority, more)
      })
      succeeded()
      return value
    } catch (error) {
      // A venue that turns quotes away must not keep what protects waiting: polls find out for themselves.
      if (priority !== 'quote' && error instanceof VenueError && error.failure.is === 'limited')
        limited(error.failure.retryAfterMs)
      throw error
    }
  }

  return {
    free() {
      const mono = clock.monotonic()
      const none = queues.markets.length === 0 && queues.confirm.length === 0
      return none && startsAt({ weight: 1, priority: 'confirm' }, mono) <= mono
    },
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
      asked: ledger.lastMinute('person') + ledger.lastMinute('confirm') + ledger.lastMinute('quote'),
      atMost: rate * (MINUTE_MS / 1_000),
      coversMs: ledger.coversMs(),
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

/** What was spent in the last minute, by purpose: told to people, and nothing is decided by it. */
interface Ledger<P extends string> {
  note(purpose: P, weight: number): void
  lastMinute(purpose: P): number
  coversMs(): number
}

const SECOND_MS = 1_000
const SECONDS = MINUTE_MS / SECOND_MS

/** By seconds, so that a busy minute takes no more room than a quiet one. */
function createLedger<P extends string>(clock: Clock): Ledger<P> {
  const began = clock.monotonic()
  const spent = new Map<P, { second: number; weight: number }[]>()
  const now = () => Math.floor(clock.monotonic() / SECOND_MS)
  const recent = (purpose: P) => {
    const seconds = spent.get(purpose) ?? []
    spent.set(purpose, seconds)
    const since = now() - SECONDS
    for (let first = seconds[0]; first && first.second <= since; first = seconds[0]) seconds.shift()
    return seconds
  }
  return {
    note(purpose, weight) {
      const seconds = recent(purpose)
      const last = seconds.at(-1)
      if (last?.second === now()) last.weight += weight
      else seconds.push({ second: now(), weight })
    },
    lastMinute: (purpose) => recent(purpose).reduce((sum, { weight }) => sum + weight, 0),
    coversMs: () => Math.min(clock.monotonic() - began, MINUTE_MS),
  }
}

/** Of what people and owners get while both wait. */
const PEOPLES = 0.4
/** So much of the rate people may have at once before that counts: one of them may ask for twenty wallets. */
const CREDIT_MS = 1_000

/** Whose turn it is where both wait: neither people nor owners starve the other, and what one leaves is the other's. */
interface Shares {
  peopleFirst(): boolean
  /** People had so much while owners waited. */
  people(weight: number): void
  wallets(weight: number): void
  /** How much owners get until people have had so much. */
  meanwhile(weight: number): number
}

function createShares(weightPerSecond: () => number): Shares {
  const credit = () => (weightPerSecond() * CREDIT_MS) / 1_000
  /** Weight that people have had beyond their share. */
  let ahead = -credit()
  return {
    peopleFirst: () => ahead < 0,
    people: (weight) => void (ahead += weight),
    wallets(weight) {
      ahead = Math.max(ahead - weight * (PEOPLES / (1 - PEOPLES)), -credit())
    },
    meanwhile: (weight) => Math.max(weight + ahead, 0) * ((1 - PEOPLES) / PEOPLES),
  }
}

/** How fast weight may be spent. */
interface Pace {
  weightPerSecond: number
  /** At once, after a rest; null: a quarter of what the present rate gives in a second. */
  burst: number | null
}

/** Of what the venue allows in any of its periods: another program may ask from the same address. */
const SHARE = 0.9
/** Of the same, at once. */
const BURST_SHARE = 0.05

/** What we allow ourselves, below what the venue does: no period of its sees more than its share. */
export function paceOf({ allowed }: VenueLimits, ownPerSecond: number): Pace {
  if (allowed === null) return { weightPerSecond: ownPerSecond, burst: null }
  const burst = Math.max(1, allowed.weight * BURST_SHARE)
  const steady = Math.max(allowed.weight * SHARE - burst, 1) / (allowed.perMs / 1_000)
  return { weightPerSecond: Math.min(ownPerSecond, steady), burst }
}
