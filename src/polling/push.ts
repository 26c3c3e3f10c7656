import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import { inPassing, type OwnerDistance, type OwnerReading, type Readings } from '../venue/reading.ts'
import { incompleteness, type MarketsAnswer, type PositionsAnswer, type Push } from '../venue/venue.ts'
import type { Owner } from '../venue/wallet.ts'

/** Told prices that are older than this are taken for silence. A venue that tells them does so about every second. */
const MARKETS_FRESH_MS = 4_000
/** How soon what is held back is looked at again. */
const HELD_MS = 500
/** How often it is looked who should be told about. */
const PLACES_EVERY_MS = 5_000

/** What the venue tells by itself, handed on as readings, and how far it can be relied on. */
interface Pushing {
  start(): void
  /** Until when no market is to be asked for; in the past when one is. */
  marketsUntil(): number
  /** When this owner was last told about in full; null when it was not. */
  toldTick(owner: Owner): number | null
  stop(): Promise<void>
}

interface Heard extends Reading<PositionsAnswer> {
  whole: boolean
}

export function createPushing(world: {
  push: Push | null
  readings: Pick<Readings, 'nearest' | 'needed'>
  clock: Clock
  emit: Emit
  /** Whether what is missing is being asked for: then nothing else is to come between, and waits. */
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
  /** The last that came of each owner while something was being asked for. */
  const held = new Map<Owner, Heard>()
  let callOffHeld: (() => void) | null = null

  function take(owner: Owner, { value, whole, at, tick }: Heard): void {
    const complete = incompleteness(value) === null
    if (whole && complete) told.set(owner, tick)
    emit({ is: 'owner-read', owner, positions: value.positions.length, complete, tick })
    world.tookOwner(inPassing(owner, { value, at, tick }))
  }

  /** However long the answer takes, or if none comes, it is what is known. */
  function release(): void {
    callOffHeld = null
    for (const [owner, heard] of held) {
      if (world.isConfirming(owner)) continue
      held.delete(owner)
      take(owner, heard)
    }
    if (held.size > 0) holdOn()
  }

  function holdOn(): void {
    callOffHeld ??= clock.wakeAt(clock.tick() + HELD_MS, release)
  }

  function choose(): void {
    if (stopped || !push) return
    callOff = clock.wakeAt(clock.tick() + PLACES_EVERY_MS, choose)
    try {
      const { allowed } = push.status().owners
      // Each of those that have a place may lose it to one that has none.
      followed = placed(readings.nearest(allowed + followed.length, followed), followed, allowed)
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
          if (stopped) return
          const heard = { value, whole, at: clock.now(), tick: clock.tick() }
          held.delete(owner)
          if (!world.isConfirming(owner)) return take(owner, heard)
          held.set(owner, heard)
          holdOn()
        },
      })
      choose()
    },
    marketsUntil: () => until,
    toldTick: (owner) => told.get(owner) ?? null,
    async stop() {
      stopped = true
      callOff?.()
      callOffHeld?.()
      held.clear()
      await push?.stop()
    },
  }
}

function pairOf(owner: Owner, tick: number | undefined): [Owner, number][] {
  return tick === undefined ? [] : [[owner, tick]]
}

/** A wallet that waits takes the place of one that is this much farther away, so that places do not change all the time. */
const CLEARLY_NEARER = 0.8

/**
 * Whom the venue is to tell about, the nearest to its end first. Whoever has a place keeps it, unless somebody who waits
 * has less than four fifths of its distance; then the farthest goes.
 */
export function placed(
  distances: readonly OwnerDistance[],
  before: readonly Owner[],
  places: number,
): Owner[] {
  const had = new Set(before)
  const ordered = distances.toSorted((a, b) => compare(a.distance, b.distance))
  const inside = ordered.filter(({ owner }) => had.has(owner)).slice(0, places)
  const waiting = ordered.filter(({ owner }) => !had.has(owner))
  inside.push(...waiting.splice(0, places - inside.length))
  for (const near of waiting) {
    const farthest = inside.toSorted((a, b) => compare(b.distance, a.distance))[0]
    if (!farthest || !isClearlyNearer(near.distance, farthest.distance)) break
    inside.splice(inside.indexOf(farthest), 1, near)
  }
  return inside.toSorted((a, b) => compare(a.distance, b.distance)).map(({ owner }) => owner)
}

/** What is past its end is no nearer than what is at it. */
function isClearlyNearer(near: number, far: number): boolean {
  return Math.max(near, 0) < Math.max(far, 0) * CLEARLY_NEARER
}

/** Infinities are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
