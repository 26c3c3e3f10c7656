import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import { untilOver } from '../lib/until-over.ts'
import type { Order } from '../order.ts'
import type { Owner } from '../owner.ts'
import type { OwnerDemand, OwnerReading, ReadNow } from '../reading.ts'
import { incompleteness, VenueError } from '../venue.ts'
import type { Asking, Ending, Venue } from '../venue.ts'
import type { Budget, Priority } from './budget.ts'
import type { Turns } from '../supply.ts'
import type { Poller } from './poller.ts'
import { createTurns } from './turns.ts'
import { schedule } from './schedule.ts'
import type { Ages, PolledOwner } from './schedule.ts'

const POLL_LIMIT_MS = 8_000
/** How soon who is due is asked again when that could not be told. */
const LOOK_AGAIN_MS = 1_000
/** A look goes through all wallets, a thousand in about a millisecond: it may take a tenth of the time. */
const WALLETS_PER_MS = 100
/** Reads under way at once for each reason: enough to use 20 a second at 400 ms each. */
const AT_ONCE = 8

/** Why an owner is read: it is due, a position is missing, a danger is to be confirmed. */
type Why = 'due' | 'missing' | 'danger'

interface Evidence {
  orders: Order[] | null
  endings: Ending[] | null
}

const NO_EVIDENCE: Evidence = { orders: null, endings: null }

export interface OwnerPoller extends Poller {
  /** Looks who is due. */
  nudge(): void
  /** A read of every owner is due now. */
  readAll(): void
  /** The venue answers again: who could not be read waits no longer. */
  readFailed(): void
  readNow: ReadNow
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
  demand(): OwnerDemand[]
  /** When the venue last told of an owner by itself. */
  toldTick(owner: Owner): number | null
  read(reading: OwnerReading): void
  failed(owner: Owner, why: string): void
}): OwnerPoller {
  const { venue, budget, clock, emit, ages } = world
  const stopping = new AbortController()
  const turns = createTurns(ages.maxMs, emit)
  const past = new Map<Owner, Pick<PolledOwner, 'readTick' | 'triedTick' | 'failures'>>()
  const reading = new Map<Owner, { why: Why; confirm: boolean; flight: Promise<void> }>()
  let callOff: (() => void) | null = null
  let started = false
  let due: PolledOwner[] = []
  let restsUntil = -Infinity

  const flights = () => [...reading.values()].map(({ flight }) => flight)

  function look(): void {
    if (!started || stopping.signal.aborted) return
    callOff?.()
    // Whatever breaks below, somebody looks again.
    callOff = clock.wakeAt(clock.tick() + LOOK_AGAIN_MS, look)
    try {
      begin()
    } catch (error) {
      emit({ is: 'trouble', where: 'owner poller', why: String(error), error })
    }
  }

  function begin(): void {
    // While it rests, those who were due by the last look go on in turn.
    const nextTick = clock.tick() < restsUntil ? restsUntil : lookOverAll()
    for (const why of ['missing', 'due'] as const) {
      const next = due.filter(({ confirm, owner }) => confirm === (why === 'missing') && !reading.has(owner))
      for (const polled of next.slice(0, roomFor(why))) read(polled, why)
    }
    due = due.filter(({ owner }) => !reading.has(owner))
    callOff?.()
    callOff = nextTick === null ? null : clock.wakeAt(Math.max(nextTick, clock.tick() + 1), look)
  }

  /** Who is due, and when somebody else will be. */
  function lookOverAll(): number | null {
    const demand = world.demand()
    const polled = demand.map((one): PolledOwner => ({
      ...pastOf(one.owner),
      ...one,
      toldTick: world.toldTick(one.owner),
      reading: reading.has(one.owner),
    }))
    if (past.size > demand.length) forgetOthers(demand)
    const planned = schedule(polled, clock.tick(), ages)
    due = planned.due
    restsUntil = clock.tick() + Math.floor(demand.length / WALLETS_PER_MS)
    return planned.nextTick
  }

  function pastOf(owner: Owner): Pick<PolledOwner, 'readTick' | 'triedTick' | 'failures'> {
    return past.get(owner) ?? { readTick: null, triedTick: null, failures: 0 }
  }

  function forgetOthers(demand: OwnerDemand[]): void {
    const wanted = new Set(demand.map(({ owner }) => owner))
    for (const owner of past.keys()) if (!wanted.has(owner)) past.delete(owner)
  }

  function roomFor(why: Why): number {
    return AT_ONCE - [...reading.values()].filter((one) => one.why === why).length
  }

  function read(polled: PolledOwner, why: Why): void {
    const flight = readOne(polled, why)
      .catch((error: unknown) => emit({ is: 'trouble', where: 'owner poller', why: String(error), error }))
      .finally(() => {
        reading.delete(polled.owner)
        look()
      })
    reading.set(polled.owner, { why, confirm: polled.confirm, flight })
  }

  async function readOne(
    { owner, confirm, endedSince, failures, readTick, nearDanger }: PolledOwner,
    because: Why,
  ): Promise<void> {
    let asked = { at: clock.now(), tick: clock.tick() }
    const { signal, over } = untilOver(stopping.signal)
    const evidence = confirm ? readEvidence(owner, endedSince, signal) : Promise.resolve(NO_EVIDENCE)
    try {
      const value = await venue.positions(
        owner,
        asking(because === 'due' ? 'owner' : 'person', signal, () => {
          asked = { at: clock.now(), tick: clock.tick() }
        }),
      )
      const complete = incompleteness(value) === null
      const isInTurn = because === 'due' && !nearDanger && failures === 0
      if (isInTurn && readTick !== null) turns.note(asked.tick - readTick)
      past.set(owner, { readTick: asked.tick, triedTick: clock.tick(), failures: 0 })
      const read = { value, ...asked, owner, ...(await evidence), inPassing: !confirm }
      if (stopping.signal.aborted) return
      emit({ is: 'owner-read', owner, positions: value.positions.length, complete, tick: asked.tick })
      world.read(read)
    } catch (error) {
      if (stopping.signal.aborted) return
      // Others went first: it keeps its place.
      if (error instanceof VenueError && error.failure.is === 'queued') return
      const why = error instanceof Error ? error.message : String(error)
      past.set(owner, { readTick, triedTick: clock.tick(), failures: failures + 1 })
      emit({ is: 'owner-failed', owner, why })
      world.failed(owner, why)
    } finally {
      over()
      await evidence
    }
  }

  /** A missing position is told without it when it cannot be had. */
  async function readEvidence(owner: Owner, since: number | null, signal: AbortSignal): Promise<Evidence> {
    const asks = () => asking('person', signal, () => {})
    const [orders, endings] = await Promise.allSettled([
      venue.orders(owner, [], asks()),
      since === null ? null : (venue.endings?.(owner, since, asks()) ?? null),
    ])
    return {
      orders: orders.status === 'fulfilled' ? orders.value.orders : null,
      endings: endings.status === 'fulfilled' ? endings.value : null,
    }
  }

  function asking(priority: Priority, signal: AbortSignal, onStart: () => void): Asking {
    return {
      patience: 'poll',
      limitMs: POLL_LIMIT_MS,
      signal,
      spend: (request, weight) =>
        budget.spend(
          priority,
          signal,
          (more) => {
            onStart()
            return request(more)
          },
          weight,
        ),
    }
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
      const asked = { owner, nearDanger: true, confirm: endedSince !== null, endedSince, reading: false }
      read({ ...pastOf(owner), toldTick: null, ...asked }, 'danger')
      return true
    },
    turns: () => turns.now(),
    isConfirming: (owner) => reading.get(owner)?.confirm === true,
    readAll() {
      past.clear()
      look()
    },
    readFailed() {
      for (const [owner, { failures }] of past) if (failures > 0) past.delete(owner)
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
