import type { Owner } from '../owner.ts'
import { createQueue } from './queue.ts'
import { dueTick } from './schedule.ts'
import type { Ages, PolledOwner } from './schedule.ts'

/** After a start, and when the venue is back, very many need a place: others have their turn between so many of them. */
const PLACED_AT_ONCE = 500

/** Wallets that wait for their turn, each in the place that it should have now. */
interface Waiting {
  /** Something of it has changed. */
  moved(owner: Owner): void
  /** Gives some of those that have changed their place; whether all have theirs. */
  place(): boolean
  /** Takes out who is to be read now; null when nobody is due. */
  take(why: 'missing' | 'due', tick: number): PolledOwner | null
  /** When the first of them is due. */
  next(why: 'missing' | 'due'): number | null
  drop(owner: Owner): void
}

export function createWaiting(world: {
  ages: Ages
  /** Null: nobody watches it. */
  polledOf(owner: Owner): PolledOwner | null
  isRead(owner: Owner): boolean
  forget(owner: Owner): void
}): Waiting {
  const { ages, polledOf } = world
  const queue = createQueue(ages)
  /** Of whom it is not known yet what has changed. */
  const unplaced = new Set<Owner>()

  function put(owner: Owner): void {
    // It moves when it has been read.
    if (world.isRead(owner)) return
    const polled = polledOf(owner)
    if (polled) return queue.put(polled)
    queue.drop(owner)
    world.forget(owner)
  }

  return {
    moved: (owner) => void unplaced.add(owner),
    place() {
      let left = PLACED_AT_ONCE
      for (const owner of unplaced) {
        if (left-- === 0) return false
        put(owner)
        unplaced.delete(owner)
      }
      return true
    },
    take(why, tick) {
      for (let owner = queue.take(why, tick); owner !== null; owner = queue.take(why, tick)) {
        // What it waited for may have changed with time alone, or by what the venue has told.
        const polled = polledOf(owner)
        if (polled && dueTick(polled, ages) <= tick && polled.confirm === (why === 'missing')) return polled
        put(owner)
      }
      return null
    },
    next: (why) => queue.next(why),
    drop: (owner) => queue.drop(owner),
  }
}
