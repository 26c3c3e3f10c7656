import { createHeap } from '../lib/data/heap.ts'
import { doubledMs, untilOver } from '../lib/time/backoff.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { OrderState } from '../venue/order.ts'
import type { OrdersReading } from '../venue/reading.ts'
import { type Asking, type OrdersAnswer, type Venue, VenueError } from '../venue/venue.ts'
import type { Owner } from '../venue/wallet.ts'
import type { Budget } from './budget/budget.ts'
import { createAsked, pollAsking } from './budget/sent-at.ts'
import type { Poller } from './poller.ts'

/** No owner's orders are asked for more often: nobody is liquidated by an order. */
const EVERY_MS = 15_000
/** Nor do those of one take more than this in such a time, on average: somebody may have hundreds. */
const WEIGHT = 40
const AFTER_FAILURES = { firstMs: EVERY_MS, longestMs: 60_000 }
/** They wait for everything else: less than this is soon over where requests are short. */
const POLL_LIMIT_MS = 30_000
const AT_ONCE = 2

const WAITING: readonly OrderState[] = ['pending', 'open']

interface OrdersPoller extends Poller {
  /** Rules may speak of others now. */
  nudge(): void
}

/** Reads the orders of those of whom a rule needs them, in turn, behind everything that protects. */
export function createOrdersPoller(world: {
  venue: Venue
  budget: Budget
  clock: Clock
  emit: Emit
  readers(): readonly Owner[]
  awaited(owner: Owner): string[]
  read(reading: OrdersReading): void
  failed(owner: Owner, why: string): void
}): OrdersPoller {
  const { venue, budget, clock, emit } = world
  const stopping = new AbortController()
  const due = createHeap<Owner>()
  const reading = new Map<Owner, Promise<void>>()
  const failures = new Map<Owner, number>()
  /** When each was asked for last, also of those that a rule has only just left. */
  const asked = new Map<Owner, { tick: number; weight: number }>()
  let known: readonly Owner[] = []
  let wanted: ReadonlySet<Owner> = new Set()
  let callOff: (() => void) | null = null
  let started = false

  function look(): void {
    if (!started || stopping.signal.aborted) return
    follow(world.readers())
    const tick = clock.tick()
    for (
      let first = due.peek();
      first && first.priority <= tick && reading.size < AT_ONCE;
      first = due.peek()
    ) {
      due.delete(first.key)
      begin(first.key)
    }
    callOff?.()
    const next = reading.size < AT_ONCE ? due.peek() : undefined
    callOff = next ? clock.wakeAt(next.priority, look) : null
  }

  function follow(readers: readonly Owner[]): void {
    if (readers === known) return
    const [before, now] = [wanted, new Set(readers)]
    known = readers
    wanted = now
    for (const owner of before) if (!now.has(owner)) due.delete(owner)
    for (const owner of now) if (!before.has(owner) && !reading.has(owner)) due.set(owner, dueTick(owner))
    for (const [owner, { tick }] of asked)
      if (!now.has(owner) && clock.tick() - tick > AFTER_FAILURES.longestMs) {
        asked.delete(owner)
        failures.delete(owner)
      }
  }

  function dueTick(owner: Owner): number {
    const last = asked.get(owner)
    const failed = failures.get(owner) ?? 0
    if (last === undefined) return clock.tick()
    const everyMs = EVERY_MS * Math.max(1, last.weight / WEIGHT)
    return last.tick + Math.max(everyMs, failed === 0 ? 0 : doubledMs(failed, AFTER_FAILURES))
  }

  function begin(owner: Owner): void {
    const mine = { tick: clock.tick(), weight: 0 }
    asked.set(owner, mine)
    const flight = read(owner, (weight) => (mine.weight += weight))
      .catch((error: unknown) => emit({ is: 'trouble', where: 'orders poller', why: String(error), error }))
      .finally(() => {
        reading.delete(owner)
        if (wanted.has(owner)) due.set(owner, Math.max(dueTick(owner), clock.tick() + 1))
        look()
      })
    reading.set(owner, flight)
  }

  async function read(owner: Owner, note: (weight: number) => void): Promise<void> {
    const age = createAsked(clock)
    const { signal, over } = untilOver(stopping.signal)
    try {
      const asking = noted(pollAsking(budget, 'order', { limitMs: POLL_LIMIT_MS, signal, age }), note)
      const value = await ask(owner, asking)
      if (stopping.signal.aborted) return
      failures.delete(owner)
      world.read({ owner, value, ...age.asked() })
    } catch (error) {
      if (stopping.signal.aborted) return
      // Others went first: that says nothing of the venue.
      if (error instanceof VenueError && error.failure.is === 'queued') return
      failures.set(owner, (failures.get(owner) ?? 0) + 1)
      world.failed(owner, error instanceof Error ? error.message : String(error))
    } finally {
      over()
    }
  }

  /** Those that wait; and where a list of all of them weighs more, only what became of those that somebody waits for. */
  async function ask(owner: Owner, asking: Asking): Promise<OrdersAnswer> {
    if (venue.fates === null) return venue.orders(owner, [], asking)
    const answer = await venue.orders(owner, WAITING, asking)
    const listed = new Set(answer.orders.map(({ id }) => id))
    const missing = [...new Set(world.awaited(owner))].filter((id) => !listed.has(id))
    if (missing.length === 0) return answer
    const { orders, unusable } = await venue.fates(owner, missing, asking)
    return {
      ...answer,
      orders: [...answer.orders, ...orders],
      unusable: [...answer.unusable, ...unusable],
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

/** The same, and what it weighs. */
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
