import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import { VenueError } from '../venue.ts'
import { MINUTE_MS } from '../supply.ts'
import type { Spent } from '../supply.ts'
import { createLedger } from './ledger.ts'
import type { Pace } from './pace.ts'

/** Who asks: markets serve everybody and come first; then people and confirmations; then owners; then orders. */
export type Priority = 'markets' | 'person' | 'owner' | 'order'
const ORDER: readonly Priority[] = ['markets', 'person', 'owner', 'order']

/** Requests are what a venue is short of: this decides who may spend one, and learns how many there are. */
export interface Budget {
  /** Runs the request when its weight may be spent. Rejects with the signal's reason when that aborts first. */
  spend<T>(priority: Priority, signal: AbortSignal, request: Request<T>, weight?: number): Promise<T>
  /** Whether a person's request would be spent at once. */
  free(): boolean
  used(): Spent
}

/** Additive increase, multiplicative decrease: measured to use 97 % of an unknown limit, with 0.03 % refused. */
const GAIN_PER_SECOND = 1
const BACK_OFF = 0.9
const BELOW_LAST_CEILING = 0.95
const REMEMBER_CEILING_MS = 10 * 60_000
/** How often what is remembered is lowered in vain before it is forgotten. */
const MOST_LOWERED = 16
const LEAST_PER_SECOND = 0.5
/** A longer Retry-After would blind everybody for longer than asking again could cost. */
const LONGEST_PAUSE_MS = 60_000

type Request<T> = (more: (weight: number) => void) => Promise<T>

interface Waiting {
  weight: number
  start: () => void
}

export function createBudget(world: { clock: Clock; emit: Emit; pace: Pace }): Budget {
  const { clock, emit, pace } = world
  const queues: Record<Priority, Waiting[]> = { markets: [], person: [], owner: [], order: [] }
  const ledger = createLedger<Priority>(clock)
  let rate = pace.weightPerSecond
  let tokens = burst()
  let filledAt = clock.tick()
  /** What was refused last; how often it was lowered although we kept to it, and from where. */
  let ceiling: { rate: number; at: number; lowered: number; from: number } | null = null
  let gainedAt = clock.tick()
  let reducedAt = -Infinity
  let pausedUntil = -Infinity
  let callOff: (() => void) | null = null

  function burst(): number {
    return pace.burst ?? Math.max(1, rate / 4)
  }

  function refill(): void {
    const tick = clock.tick()
    // Nothing is saved up in a pause: a burst at its end would be refused like the one that led to it.
    const from = Math.max(filledAt, pausedUntil)
    tokens = Math.min(burst(), tokens + (Math.max(tick - from, 0) / 1_000) * rate)
    filledAt = tick
  }

  function drain(): void {
    refill()
    for (const priority of ORDER) {
      const queue = queues[priority]
      for (let first = queue[0]; first && mayStart(first.weight); first = queue[0]) {
        tokens -= first.weight
        queue.shift()
        first.start()
      }
      // What is light does not overtake what comes first: that would never start.
      if (queue.length > 0) break
    }
    sleep()
  }

  /** What weighs more than a burst starts with all of it, and is paid off after. */
  function mayStart(weight: number): boolean {
    return clock.tick() >= pausedUntil && tokens >= Math.min(weight, burst())
  }

  /** Until somebody who waits may start; nobody waits, nothing wakes us. */
  function sleep(): void {
    callOff?.()
    callOff = null
    const first = ORDER.find((priority) => queues[priority].length > 0)
    const next = first && queues[first][0]
    if (!next) return
    const tick = clock.tick()
    const wanting = Math.min(next.weight, burst()) - tokens
    callOff = clock.wakeAt(Math.max(tick + (wanting / rate) * 1_000, pausedUntil, tick + 1), drain)
  }

  function succeeded(): void {
    const tick = clock.tick()
    if (rate >= pace.weightPerSecond) {
      gainedAt = tick
      return
    }
    const gain = Math.min((tick - gainedAt) / 1_000, 1) * GAIN_PER_SECOND
    rate = Math.max(rate, Math.min(rate + gain, pace.weightPerSecond, remembered(tick) ?? Infinity))
    gainedAt = tick
  }

  /** The rate that we keep to because more was refused lately. */
  function remembered(tick: number): number | null {
    return ceiling && tick - ceiling.at < REMEMBER_CEILING_MS ? ceiling.rate * BELOW_LAST_CEILING : null
  }

  function limited(retryAfterMs: number | null): void {
    const tick = clock.tick()
    if (retryAfterMs !== null) {
      refill()
      tokens = Math.min(tokens, 1)
      pausedUntil = Math.max(pausedUntil, tick + Math.min(retryAfterMs, LONGEST_PAUSE_MS))
    }
    // Answers to one burst come together and mean one thing.
    if (tick - reducedAt < 1_000) return
    reducedAt = tick
    // A limit that falls refuses us before we are back at what we keep to. When keeping to it does not help, again and
    // again, the refusals do not depend on our pace: what is remembered would only ever fall, and is forgotten.
    const cap = remembered(tick)
    const before = ceiling !== null && cap !== null && rate >= cap ? ceiling : null
    const lowered = before ? before.lowered + 1 : 0
    const from = before?.from ?? rate
    const inVain = lowered > MOST_LOWERED
    ceiling = inVain ? null : { rate, at: tick, lowered, from }
    rate = Math.max((inVain ? from : rate) * BACK_OFF, LEAST_PER_SECOND)
    gainedAt = tick
    emit({ is: 'ceiling', weightPerSecond: Number(rate.toFixed(2)), why: 'the venue answered 429' })
  }

  async function run<T>(request: Request<T>, priority: Priority, weight: number): Promise<T> {
    ledger.note(priority, weight)
    try {
      const value = await request((more) => {
        tokens -= more
        ledger.note(priority, more)
      })
      succeeded()
      return value
    } catch (error) {
      if (error instanceof VenueError && error.failure.is === 'limited') limited(error.failure.retryAfterMs)
      throw error
    }
  }

  return {
    free() {
      refill()
      return queues.markets.length === 0 && queues.person.length === 0 && mayStart(1)
    },
    used: () => ({
      markets: ledger.lastMinute('markets'),
      wallets: ledger.lastMinute('owner') + ledger.lastMinute('order'),
      asked: ledger.lastMinute('person'),
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
          sleep()
          reject(signal.reason)
        }
        const waiting: Waiting = {
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
