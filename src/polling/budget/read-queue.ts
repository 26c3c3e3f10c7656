import { createHeap } from '../../lib/data/heap.ts'
import type { Owner } from '../../venue/wallet.ts'
import { type Ages, calmIntervalMs, dueTick, isHinted, type PolledOwner } from './schedule.ts'
import { createLine } from './wait-line.ts'

/** Who waits to be read: nobody who only waits costs anything. */
interface Queue {
  /** Takes it in, or moves it. */
  put(polled: PolledOwner): void
  drop(owner: Owner): void
  /** Takes out who is to be read now; null when nobody is due. */
  take(why: 'missing' | 'due', tick: number): Owner | null
  /** When the first of them is due. */
  next(why: 'missing' | 'due'): number | null
}

/** Before everybody who was read, however long ago. */
const NEVER_READ = -1e12
const FAR_AWAY = 1e6
/** Their price is looked at with every list, and is confirmed by a read of its own: half of all turns would not make it newer. */
const URGENT_EVERY = 3

/**
 * Who was not read in this run goes first, by how near its end it was; then whoever is due, in turn: a short budget makes
 * all of them wait longer in the same proportion. Those near danger, and those of which a look has failed, have every third
 * turn while somebody else waits; those of whom a list of markets speaks every other one of the rest: however many they
 * are, the others are not forgotten.
 */
export function createQueue(ages: Ages): Queue {
  const missing = createHeap<Owner>()
  const urgent = createHeap<Owner>()
  const hinted = createHeap<Owner>()
  const unread = createHeap<Owner>()
  const others = createLine()
  /** Of those that were never read and of which nothing is remembered: the order in which they came. */
  const came = new Map<Owner, number>()
  let latest = 0
  let sinceUrgent = URGENT_EVERY
  let wasHinted = false

  const leave = (owner: Owner) => {
    for (const heap of [missing, urgent, hinted, unread]) heap.delete(owner)
    others.leave(owner)
  }
  /** The place of one that was never read. */
  const ahead = (owner: Owner, rememberedDistance: number) => {
    if (rememberedDistance < FAR_AWAY) return NEVER_READ + rememberedDistance
    came.set(owner, came.get(owner) ?? ++latest)
    return NEVER_READ + FAR_AWAY + (came.get(owner) ?? 0)
  }
  const isDue = (heap: typeof urgent, tick: number) => (heap.peek()?.priority ?? Infinity) <= tick
  const nextOther = () => unread.peek()?.priority ?? others.next()
  const takeOther = () => {
    const first = unread.pop()
    if (!first) return others.take()
    others.passBy(calmIntervalMs(ages) / (1 + unread.size + others.size))
    return first.key
  }

  return {
    drop(owner) {
      leave(owner)
      others.forget(owner)
      came.delete(owner)
    },
    put(polled) {
      const { owner, confirm, nearDanger, failures, rememberedDistance, againTick } = polled
      leave(owner)
      const due = dueTick(polled, ages)
      if (Number.isFinite(due)) came.delete(owner)
      const at = Number.isFinite(due) ? due : ahead(owner, rememberedDistance)
      if (confirm) missing.set(owner, at)
      else if (againTick !== null && againTick < due) missing.set(owner, againTick)
      else if (nearDanger || failures > 0) urgent.set(owner, at)
      else if (isHinted(polled)) hinted.set(owner, at)
      else if (!Number.isFinite(due)) unread.set(owner, at)
      else others.join(owner, polled.readTick ?? 0, due)
    },
    take(why, tick) {
      if (why === 'missing') return isDue(missing, tick) ? (missing.pop()?.key ?? null) : null
      others.move(tick)
      const hasUrgent = isDue(urgent, tick)
      const hasHinted = isDue(hinted, tick)
      const hasOthers = (nextOther() ?? Infinity) <= tick
      if (!hasUrgent && !hasHinted && !hasOthers) return null
      const isTheirs = hasUrgent && (sinceUrgent >= URGENT_EVERY - 1 || !(hasOthers || hasHinted))
      sinceUrgent = isTheirs ? 0 : sinceUrgent + 1
      if (isTheirs) return urgent.pop()?.key ?? null
      wasHinted = hasHinted && !(hasOthers && wasHinted)
      return wasHinted ? (hinted.pop()?.key ?? null) : takeOther()
    },
    next(why) {
      const heads = (why === 'missing' ? [missing] : [urgent, hinted]).flatMap(
        (heap) => heap.peek()?.priority ?? [],
      )
      const other = why === 'due' ? nextOther() : undefined
      const all = other === undefined ? heads : [...heads, other]
      return all.length === 0 ? null : Math.min(...all)
    },
  }
}

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
