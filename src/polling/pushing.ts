import type { Clock, Reading } from '../clock.ts'
import type { Emit } from '../event.ts'
import type { Owner } from '../owner.ts'
import type { OwnerReading, Readings } from '../reading.ts'
import { incompleteness } from '../venue.ts'
import type { MarketsAnswer, Push } from '../venue.ts'
import { placed } from './places.ts'

/** Told prices that are older than this are taken for silence. A venue that tells them does so about every second. */
const MARKETS_FRESH_MS = 4_000
/** How often it is looked who should be told about. */
const PLACES_EVERY_MS = 5_000

/** What the venue tells by itself, handed on as readings, and how far it can be relied on. */
export interface Pushing {
  start(): void
  /** Until when no market is to be asked for; in the past when one is. */
  marketsUntil(): number
  /** When this owner was last told about in full; null when it was not. */
  toldTick(owner: Owner): number | null
  stop(): Promise<void>
}

export function createPushing(world: {
  push: Push | null
  readings: Pick<Readings, 'distances' | 'needed'>
  clock: Clock
  emit: Emit
  /** Whether what is missing is being asked for: then nothing else is to come between. */
  isConfirming(owner: Owner): boolean
  tookMarkets(reading: Reading<MarketsAnswer>): void
  tookOwner(reading: OwnerReading): void
  /** A market is to be asked for after all. */
  marketsMissed(): void
}): Pushing {
  const { push, readings, clock, emit } = world
  let until = -Infinity
  let told = new Map<Owner, number>()
  let followed: Owner[] = []
  let stopped = false
  let callOff: (() => void) | null = null

  function choose(): void {
    if (stopped || !push) return
    callOff = clock.wakeAt(clock.tick() + PLACES_EVERY_MS, choose)
    try {
      followed = placed(readings.distances(), followed, push.status().owners.allowed)
      told = new Map(followed.flatMap((owner) => pairOf(owner, told.get(owner))))
      push.follow(followed)
    } catch (error) {
      emit({ is: 'trouble', where: 'push', why: String(error), error })
    }
  }

  return {
    start() {
      if (!push) return
      push.start({
        needed: () => readings.needed(),
        markets(value, whole) {
          if (stopped) return
          const [at, tick] = [clock.now(), clock.tick()]
          until = whole ? tick + MARKETS_FRESH_MS : -Infinity
          if (value.markets.length > 0) {
            emit({ is: 'markets-read', markets: value.markets.length, tick })
            world.tookMarkets({ value, at, tick })
          }
          if (!whole) world.marketsMissed()
        },
        owner(owner, value, whole) {
          if (stopped || world.isConfirming(owner)) return
          const [at, tick] = [clock.now(), clock.tick()]
          const complete = incompleteness(value) === null
          if (whole && complete) told.set(owner, tick)
          emit({ is: 'owner-read', owner, positions: value.positions.length, complete, tick })
          world.tookOwner({ value, at, tick, owner, orders: null, endings: null, inPassing: true })
        },
      })
      choose()
    },
    marketsUntil: () => until,
    toldTick: (owner) => told.get(owner) ?? null,
    async stop() {
      stopped = true
      callOff?.()
      await push?.stop()
    },
  }
}

function pairOf(owner: Owner, tick: number | undefined): [Owner, number][] {
  return tick === undefined ? [] : [[owner, tick]]
}
