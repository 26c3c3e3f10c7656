import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import { VenueError } from '../venue.ts'

/** Who asks: markets serve everybody and wait for nothing but a pause that the venue asked for; then people and confirmations; then owners; then orders. */
export type Priority = 'markets' | 'person' | 'owner' | 'order'
const ORDER: readonly Priority[] = ['markets', 'person', 'owner', 'order']

/** Requests are what a venue is short of: this decides who may spend one, and learns how many there are. */
export interface Budget {
  /** Runs the request when it may be spent. Rejects with the signal's reason when that aborts first. */
  spend<T>(priority: Priority, signal: AbortSignal, request: () => Promise<T>): Promise<T>
  /** Whether a person's request would be spent at once. */
  free(): boolean
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

interface Waiting {
  start: () => void
}

export function createBudget(world: { clock: Clock; emit: Emit; requestsPerSecond: number }): Budget {
  const { clock, emit, requestsPerSecond } = world
  const queues: Record<Priority, Waiting[]> = { markets: [], person: [], owner: [], order: [] }
  let rate = requestsPerSecond
  let tokens = burst()
  let filledAt = clock.tick()
  /** What was refused last; how often it was lowered although we kept to it, and from where. */
  let ceiling: { rate: number; at: number; lowered: number; from: number } | null = null
  let gainedAt = clock.tick()
  let reducedAt = -Infinity
  let pausedUntil = -Infinity
  let callOff: (() => void) | null = null

  function burst(): number {
    return Math.max(1, rate / 4)
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
      while (queue.length > 0 && mayStart(priority)) {
        tokens -= 1
        queue.shift()?.start()
      }
    }
    sleep()
  }

  function mayStart(priority: Priority): boolean {
    return clock.tick() >= pausedUntil && (priority === 'markets' || tokens >= 1)
  }

  /** Until somebody who waits may start; nobody waits, nothing wakes us. */
  function sleep(): void {
    callOff?.()
    callOff = null
    if (ORDER.every((priority) => queues[priority].length === 0)) return
    const tick = clock.tick()
    const tokenAt = tick + Math.max(((1 - tokens) / rate) * 1_000, 0)
    const first = queues.markets.length > 0 ? tick : tokenAt
    callOff = clock.wakeAt(Math.max(first, pausedUntil, tick + 1), drain)
  }

  function succeeded(): void {
    const tick = clock.tick()
    if (rate >= requestsPerSecond) {
      gainedAt = tick
      return
    }
    const gain = Math.min((tick - gainedAt) / 1_000, 1) * GAIN_PER_SECOND
    rate = Math.max(rate, Math.min(rate + gain, requestsPerSecond, remembered(tick) ?? Infinity))
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
    emit({ is: 'ceiling', requestsPerSecond: Number(rate.toFixed(2)), why: 'the venue answered 429' })
  }

  async function run<T>(request: () => Promise<T>): Promise<T> {
    try {
      const value = await request()
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
      return queues.person.length === 0 && mayStart('person')
    },
    spend: (priority, signal, request) =>
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
          start() {
            signal.removeEventListener('abort', giveUp)
            run(request).then(resolve, reject)
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        queues[priority].push(waiting)
        drain()
      }),
  }
}
