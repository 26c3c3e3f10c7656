import { untilOver } from '../lib/time/backoff.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Market } from '../venue/market.ts'
import type { Order } from '../venue/order.ts'
import type { OwnerDemand, OwnerReading, ReadNow } from '../venue/reading.ts'
import type { Turns } from '../venue/venue-load.ts'
import {
  type Asking,
  type Ending,
  incompleteness,
  type PositionsAnswer,
  type Venue,
  VenueError,
} from '../venue/venue.ts'
import type { Owner } from '../venue/wallet.ts'
import type { Budget, Priority } from './budget/budget.ts'
import { createTurns } from './budget/read-interval.ts'
import { createWaiting } from './budget/read-queue.ts'
import { type Ages, calmTurnMs, isHinted, type PolledOwner } from './budget/schedule.ts'
import { createAsked, pollAsking } from './budget/sent-at.ts'
import type { Poller } from './poller.ts'
import { createPasts } from './trade-history.ts'

const POLL_LIMIT_MS = 8_000
/** How soon who is due is asked again when that could not be told. */
const LOOK_AGAIN_MS = 1_000
/** Who looks so much later than that did not run: how long it took is no pace. */
const STILL_MS = 10_000
/** Reads under way at once for each reason: enough to use 20 a second at 400 ms each. */
const AT_ONCE = 8

/** Why an owner is read: it is due, a position is missing, a danger is to be confirmed. */
type Why = 'due' | 'missing' | 'danger'

interface OwnerPoller extends Poller {
  /** Looks who is due. */
  nudge(): void
  /** A read of every owner is due now. */
  readAll(): void
  /** The venue answers again: who could not be read waits no longer. */
  readFailed(): void
  readNow: ReadNow
  /** Somebody asked for it, and it was read: its next turn comes after that. */
  readForSomebody(owner: Owner, reading: Reading<PositionsAnswer>): void
  /** A list of markets has come: of some it says that they may have traded. */
  listed(markets: readonly Market[]): void
  /** What an owner holds has come in another way. */
  told(owner: Owner, reading: Reading<PositionsAnswer>): void
  /** How often wallets far from danger have their turn. */
  turns(): Turns
  /** Whether a second look at what is missing is under way. */
  isConfirming(owner: Owner): boolean
}

/** Reads the watched owners in turn; one read serves everybody who watches that owner. */
export function createOwnerPoller(world: {
  venue: Venue
  budget: Budget
  clock: Clock
  emit: Emit
  ages: Ages
  demandOf(owner: Owner): OwnerDemand | null
  /** Whose demand has changed since this was last asked. */
  changed(): Owner[]
  /** When the venue last told of an owner by itself. */
  toldTick(owner: Owner): number | null
  read(reading: OwnerReading): void
  failed(owner: Owner, why: string): void
}): OwnerPoller {
  const { venue, budget, clock, emit, ages } = world
  const stopping = new AbortController()
  const turns = createTurns(ages.maxMs, emit)
  const past = createPasts()
  const reading = new Map<Owner, { why: Why; confirm: boolean; flight: Promise<void> }>()
  let callOff: (() => void) | null = null
  let started = false
  /** When it was to look next, and when it last began to after it had not run. */
  let [nextTick, ranTick] = [Infinity, -Infinity]
  const waiting = createWaiting({
    ...{ ages, polledOf },
    isRead: (owner) => reading.has(owner),
    forget(owner) {
      past.forget(owner)
      failing.delete(owner)
    },
  })
  /** Whose last look failed. */
  const failing = new Set<Owner>()

  const under = { due: 0, missing: 0, danger: 0 }
  const flights = () => [...reading.values()].map(({ flight }) => flight)

  function look(): void {
    if (!started || stopping.signal.aborted) return
    // Whatever breaks below, somebody looks again.
    wakeAt(clock.tick() + LOOK_AGAIN_MS)
    try {
      begin()
    } catch (error) {
      emit({ is: 'trouble', where: 'owner poller', why: String(error), error })
    }
  }

  function begin(): void {
    for (const owner of world.changed()) waiting.moved(owner)
    // Who goes first is known when all have their place.
    if (!waiting.place()) return wakeAt(clock.tick() + 1)
    for (const why of ['missing', 'due'] as const) readThose(why)
    const heads = (['missing', 'due'] as const).map((why) => (roomFor(why) > 0 ? waiting.next(why) : null))
    wakeAt(Math.max(Math.min(...heads.map((tick) => tick ?? Infinity)), clock.tick() + 1))
  }

  function wakeAt(tick: number): void {
    callOff?.()
    if (clock.tick() - nextTick >= STILL_MS) ranTick = clock.tick()
    nextTick = tick
    callOff = tick === Infinity ? null : clock.wakeAt(tick, look)
  }

  function polledOf(owner: Owner): PolledOwner | null {
    const demand = world.demandOf(owner)
    return demand && { ...past.of(owner), ...demand, toldTick: world.toldTick(owner) }
  }

  function readThose(why: 'missing' | 'due'): void {
    while (roomFor(why) > 0) {
      const polled = waiting.take(why, clock.tick())
      if (!polled) return
      read(polled, why)
    }
  }

  function roomFor(why: Why): number {
    return AT_ONCE - under[why]
  }

  function read(polled: PolledOwner, why: Why): void {
    const flight = readOne(polled, why)
      .catch((error: unknown) => emit({ is: 'trouble', where: 'owner poller', why: String(error), error }))
      .finally(() => {
        reading.delete(polled.owner)
        under[why]--
        waiting.moved(polled.owner)
        look()
      })
    under[why]++
    reading.set(polled.owner, { why, confirm: polled.confirm, flight })
  }

  async function readOne(polled: PolledOwner, because: Why): Promise<void> {
    const { owner, confirm, endedSince, failures, readTick, nearDanger } = polled
    const age = createAsked(clock)
    const { signal, over } = untilOver(stopping.signal)
    const evidence = confirm
      ? readEvidence(venue, owner, endedSince, () => ask('confirm', signal))
      : Promise.resolve(NO_EVIDENCE)
    try {
      const value = await venue.positions(owner, ask(because === 'due' ? 'owner' : 'confirm', signal, age))
      const complete = incompleteness(value) === null
      const asked = age.asked()
      const isInTurn = because === 'due' && !nearDanger && failures === 0 && !isHinted(polled)
      if (isInTurn && readTick !== null && readTick >= ranTick)
        turns.note(calmTurnMs(polled, asked.tick - readTick, ages))
      past.read(owner, { value, ...asked }, clock.tick())
      failing.delete(owner)
      const read = { value, ...asked, owner, ...(await evidence), inPassing: !confirm }
      if (stopping.signal.aborted) return
      emit({ is: 'owner-read', owner, positions: value.positions.length, complete, tick: asked.tick })
      world.read(read)
    } catch (error) {
      if (stopping.signal.aborted) return
      // Others went first: it keeps its place.
      if (error instanceof VenueError && error.failure.is === 'queued') return
      const why = error instanceof Error ? error.message : String(error)
      past.failed(owner, clock.tick(), failures + 1)
      failing.add(owner)
      emit({ is: 'owner-failed', owner, why })
      world.failed(owner, why)
    } finally {
      over()
      await evidence
    }
  }

  function ask(priority: Priority, signal: AbortSignal, age = createAsked(clock)): Asking {
    return pollAsking(budget, priority, { limitMs: POLL_LIMIT_MS, signal, age })
  }

  return {
    start() {
      started = true
      look()
    },
    nudge: look,
    readNow(owner, endedSince) {
      const known = reading.get(owner)
      if (known?.why === 'danger') return true
      if (!started || stopping.signal.aborted || !budget.free()) return false
      if (known) return true
      if (roomFor('danger') <= 0) return false
      waiting.drop(owner)
      const asked = { owner, nearDanger: true, confirm: endedSince !== null, endedSince, againTick: null }
      read({ ...past.of(owner), toldTick: null, rememberedDistance: 0, ...asked }, 'danger')
      return true
    },
    readForSomebody(owner, reading) {
      const demand = world.demandOf(owner)
      // A second look is not put off, however often somebody asks meanwhile.
      if (!demand || demand.confirm || (past.of(owner).readTick ?? -Infinity) >= reading.tick) return
      past.read(owner, reading, clock.tick())
      failing.delete(owner)
      waiting.moved(owner)
    },
    listed(markets) {
      const owners = past.listed(markets, clock.tick())
      for (const owner of owners) waiting.moved(owner)
      if (owners.length > 0) look()
    },
    told: (owner, reading) => void (world.demandOf(owner) && past.told(owner, reading)),
    turns: () => turns.now(),
    isConfirming: (owner) => reading.get(owner)?.confirm === true,
    readAll() {
      for (const owner of past.unread()) waiting.moved(owner)
      failing.clear()
      look()
    },
    readFailed() {
      for (const owner of failing) {
        past.unread(owner)
        waiting.moved(owner)
      }
      failing.clear()
      look()
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      callOff?.()
      await Promise.allSettled(flights())
    },
    async idle() {
      while (reading.size > 0) await Promise.allSettled(flights())
    },
  }
}

/** What is read along with positions when one of them is missing. */
interface Evidence {
  orders: Order[] | null
  endings: Ending[] | null
}

const NO_EVIDENCE: Evidence = { orders: null, endings: null }

/** A missing position is told without it when it cannot be had. */
async function readEvidence(
  venue: Venue,
  owner: Owner,
  since: number | null,
  asking: () => Asking,
): Promise<Evidence> {
  const [orders, endings] = await Promise.allSettled([
    venue.orders(owner, [], asking()),
    since === null ? null : (venue.endings?.(owner, since, asking()) ?? null),
  ])
  return {
    orders: orders.status === 'fulfilled' ? orders.value.orders : null,
    endings: endings.status === 'fulfilled' ? endings.value : null,
  }
}
