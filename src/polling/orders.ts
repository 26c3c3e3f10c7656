import { createHeap } from '../lib/data/heap.ts'
import { errorText } from '../lib/text/error-text.ts'
import { doubledMs, untilOver } from '../lib/time/backoff.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { OrderState } from '../venue/order.ts'
import { hasEnded, TWAPS_EVERY_MS, type TwapsAnswer } from '../venue/record/twap.ts'
import { type Asking, type OrdersAnswer, type Venue, VenueError } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { Budget, Priority } from './budget/budget.ts'
import { createAsked, pollAsking } from './asking.ts'
import type { Poller } from './poller.ts'
import { createOrderFills } from './records/order-fills.ts'

/**
 * Shortest time between two reads of one wallet's orders. An order alone liquidates nobody, so this need not be quick.
 */
const EVERY_MS = 15_000
const RUNNING_TWAPS_EVERY_MS = 60_000

/** How a list of each wallet is read in turn. */
export interface ListPace<T> {
  /** For the event stream. */
  where: string
  priority: Priority
  /** Shortest time between two reads of one wallet, after this answer; null before the first. */
  everyMs(last: T | null): number
  /** Weight that one wallet may use per interval, on average. A wallet may have hundreds of orders. */
  weightPerInterval: number
  /** All wallets together take at most this share of the allowance. The rest also looks into empty accounts. */
  share: number
  afterFailures: { firstMs: number; longestMs: number }
}

export const ORDERS_PACE: ListPace<OrdersAnswer> = {
  ...{
    where: 'orders poller',
    priority: 'order',
    everyMs: () => EVERY_MS,
    weightPerInterval: 40,
    share: 0.5,
  },
  afterFailures: { firstMs: EVERY_MS, longestMs: 60_000 },
}

/** TWAPs protect nobody, so they wait for everything that does. */
export const TWAPS_PACE: ListPace<TwapsAnswer> = {
  ...{ where: 'TWAPs poller', priority: 'record', weightPerInterval: 40, share: 0.1 },
  everyMs: (last) => (last?.twaps.some((twap) => !hasEnded(twap)) ? RUNNING_TWAPS_EVERY_MS : TWAPS_EVERY_MS),
  afterFailures: { firstMs: 30_000, longestMs: 120_000 },
}

/** Orders come last in the budget. Where requests are short, a shorter limit would often expire in the queue. */
const POLL_LIMIT_MS = 30_000
const MAX_READS_AT_ONCE = 2

const NONE: Pick<OrdersAnswer, 'orders' | 'unusable'> = { orders: [], unusable: [] }
const WAITING: readonly OrderState[] = ['pending', 'open']

interface ListPoller<T> extends Poller {
  /** The wallets whose lists the rules need may have changed. */
  nudge(): void
  /** A person's question has brought this list: it says how soon the next read is due. */
  heard(wallet: Wallet, value: T): void
}

/** Reads a list of the wallets whose rules need it, in turn, after all requests that protect positions. */
export function createListPoller<T>(world: {
  pace: ListPace<T>
  venue: Venue
  budget: Budget
  clock: Clock
  emit: Emit
  readers(): readonly Wallet[]
  ask(wallet: Wallet, asking: Asking): Promise<T>
  read(reading: Reading<T> & { wallet: Wallet }): void
  failed(wallet: Wallet, why: string): void
  /** The wallet is read no more. */
  forgotten?(wallet: Wallet): void
}): ListPoller<T> {
  const { venue, budget, clock, emit, pace } = world
  const stopping = new AbortController()
  const due = createHeap<Wallet>()
  const reading = new Map<Wallet, Promise<void>>()
  const failures = new Map<Wallet, number>()
  /**
   * The last read of each wallet, including wallets whose rules have just been removed: adding them again must not
   * cause an early read.
   */
  const asked = new Map<Wallet, { mono: number; weight: number; everyMs: number }>()
  /** The weight of the last reads of all these wallets together. */
  let total = 0
  let known: readonly Wallet[] = []
  let wanted: ReadonlySet<Wallet> = new Set()
  let callOff: (() => void) | null = null
  let started = false

  function look(): void {
    if (!started || stopping.signal.aborted) return
    follow(world.readers())
    const mono = clock.monotonic()
    for (
      let first = due.peek();
      first && first.priority <= mono && reading.size < MAX_READS_AT_ONCE;
      first = due.peek()
    ) {
      due.delete(first.key)
      begin(first.key)
    }
    callOff?.()
    const next = reading.size < MAX_READS_AT_ONCE ? due.peek() : undefined
    callOff = next ? clock.wakeAt(next.priority, look) : null
  }

  function follow(readers: readonly Wallet[]): void {
    if (readers === known) return
    const [before, now] = [wanted, new Set(readers)]
    known = readers
    wanted = now
    for (const wallet of before) if (!now.has(wallet)) due.delete(wallet)
    for (const wallet of now)
      if (!before.has(wallet) && !reading.has(wallet)) due.set(wallet, dueMono(wallet))
    for (const [wallet, { mono }] of asked)
      if (
        !now.has(wallet) &&
        clock.monotonic() - mono > Math.max(pace.afterFailures.longestMs, pace.everyMs(null))
      ) {
        forget(wallet)
        world.forgotten?.(wallet)
        failures.delete(wallet)
      }
  }

  function forget(wallet: Wallet): void {
    total -= asked.get(wallet)?.weight ?? 0
    asked.delete(wallet)
  }

  function dueMono(wallet: Wallet): number {
    const last = asked.get(wallet)
    const failed = failures.get(wallet) ?? 0
    if (last === undefined) return clock.monotonic()
    const { allowed } = venue.limits
    const inTurnMs = allowed === null ? 0 : (total * allowed.perMs) / (allowed.weight * pace.share)
    const { afterFailures } = pace
    // Nothing is known after a failure, so the next try does not wait as long as the next read.
    const leastMs = failed === 0 ? last.everyMs : Math.min(last.everyMs, afterFailures.firstMs)
    const everyMs = Math.max(leastMs * Math.max(1, last.weight / pace.weightPerInterval), inTurnMs)
    return last.mono + Math.max(everyMs, failed === 0 ? 0 : doubledMs(failed, afterFailures))
  }

  function begin(wallet: Wallet): void {
    const everyMs = asked.get(wallet)?.everyMs ?? pace.everyMs(null)
    const mine = { mono: clock.monotonic(), weight: 0, everyMs }
    forget(wallet)
    asked.set(wallet, mine)
    const flight = read(wallet, (weight) => {
      mine.weight += weight
      if (asked.get(wallet) === mine) total += weight
    })
      .then((value) => {
        // Without a turn nothing is known, so the next try does not wait as long as the next read.
        mine.everyMs =
          value === null ? Math.min(mine.everyMs, pace.afterFailures.firstMs) : pace.everyMs(value)
      })
      .catch((error: unknown) => emit({ is: 'trouble', where: pace.where, why: String(error), error }))
      .finally(() => {
        reading.delete(wallet)
        if (wanted.has(wallet)) due.set(wallet, Math.max(dueMono(wallet), clock.monotonic() + 1))
        look()
      })
    reading.set(wallet, flight)
  }

  async function read(wallet: Wallet, note: (weight: number) => void): Promise<T | null> {
    const age = createAsked(clock)
    const { signal, over } = untilOver(stopping.signal)
    try {
      const asking = noted(pollAsking(budget, pace.priority, { limitMs: POLL_LIMIT_MS, signal, age }), note)
      const value = await world.ask(wallet, asking)
      if (stopping.signal.aborted) return null
      failures.delete(wallet)
      world.read({ wallet, value, ...age.asked() })
      return value
    } catch (error) {
      if (stopping.signal.aborted) return null
      // Other requests went first. This is no failure of the venue.
      if (error instanceof VenueError && error.failure.is === 'queued') return null
      failures.set(wallet, (failures.get(wallet) ?? 0) + 1)
      world.failed(wallet, errorText(error))
      return null
    } finally {
      over()
    }
  }

  return {
    start() {
      started = true
      look()
    },
    nudge() {
      if (world.readers() !== known) look()
    },
    heard(wallet, value) {
      const last = asked.get(wallet)
      if (last === undefined || !wanted.has(wallet) || reading.has(wallet)) return
      last.everyMs = Math.min(last.everyMs, pace.everyMs(value))
      due.set(wallet, dueMono(wallet))
      look()
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      callOff?.()
      await Promise.allSettled(reading.values())
    },
    async idle() {
      while (reading.size > 0) await Promise.allSettled(reading.values())
    },
  }
}

/** How the orders of a wallet are asked for, with the fills of those that a rule awaits. */
export function createOrdersAsking(world: {
  venue: Venue
  clock: Clock
  awaited(wallet: Wallet): string[]
}): { ask(wallet: Wallet, asking: Asking): Promise<OrdersAnswer>; forgotten(wallet: Wallet): void } {
  const { venue, awaited: awaitedOf } = world
  const fills = createOrderFills(world)
  return {
    /**
     * Reads the waiting orders. If the venue can look up single outcomes, reads only the outcomes that a rule awaits;
     * else reads the full list, where outcomes are included.
     */
    async ask(wallet, asking) {
      if (venue.orderOutcomes === null) return venue.orders(wallet, [], asking)
      const answer = await venue.orders(wallet, WAITING, asking)
      const listed = new Set(answer.orders.map(({ id }) => id))
      const awaited = new Set(awaitedOf(wallet))
      const missing = [...awaited].filter((id) => !listed.has(id))
      const { orders: ended, unusable } =
        missing.length === 0 ? NONE : await venue.orderOutcomes(wallet, missing, asking)
      return {
        ...answer,
        orders: await fills.added(wallet, [...answer.orders, ...ended], awaited, asking),
        unusable: [...answer.unusable, ...unusable],
      }
    },
    forgotten: (wallet) => fills.forget(wallet),
  }
}

/** Wraps `asking` so that `note` learns the weight spent. */
function noted(asking: Asking, note: (weight: number) => void): Asking {
  return {
    ...asking,
    spend(request, weight = 1) {
      note(weight)
      const counted = (more: (weight: number) => void) =>
        request((beyond) => {
          note(beyond)
          more(beyond)
        })
      return asking.spend(counted, weight)
    },
  }
}
