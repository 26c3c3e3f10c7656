import { createHeap } from '../lib/heap.ts'
import type { Owner } from '../owner.ts'
import { dueTick, isHinted, isLively } from './schedule.ts'
import type { Ages, PolledOwner } from './schedule.ts'

/** Who waits to be read: nobody who only waits costs anything. */
export interface Queue {
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
 * In the order in which they are due, so that a short budget makes all of them older alike; who was not read in this run
 * goes first, by how near its end it was. Those near danger, and those of which a look has failed, have every third turn
 * while somebody else waits; those of whom a list of markets speaks, or who have just changed something, every other one of
 * the rest: however many they are, the others are not forgotten.
 */
export function createQueue(ages: Ages): Queue {
  const missing = createHeap<Owner>()
  const urgent = createHeap<Owner>()
  const hinted = createHeap<Owner>()
  const unread = createHeap<Owner>()
  const others = createHeap<Owner>()
  /** Of those that were never read and of which nothing is remembered: the order in which they came. */
  const came = new Map<Owner, number>()
  let latest = 0
  let sinceUrgent = URGENT_EVERY
  let wasHinted = false

  const leave = (owner: Owner) => {
    for (const heap of [missing, urgent, hinted, unread, others]) heap.delete(owner)
  }
  /** The place of one that was never read. */
  const ahead = (owner: Owner, rememberedDistance: number) => {
    if (rememberedDistance < FAR_AWAY) return NEVER_READ + rememberedDistance
    came.set(owner, came.get(owner) ?? ++latest)
    return NEVER_READ + FAR_AWAY + (came.get(owner) ?? 0)
  }
  const isDue = (heap: typeof urgent, tick: number) => (heap.peek()?.priority ?? Infinity) <= tick
  const nextOther = () => (unread.peek() ?? others.peek())?.priority
  const takeOther = () => (unread.pop() ?? others.pop())?.key ?? null

  return {
    drop(owner) {
      leave(owner)
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
      else if (isHinted(polled) || isLively(polled)) hinted.set(owner, at)
      else if (!Number.isFinite(due)) unread.set(owner, at)
      else others.set(owner, due)
    },
    take(why, tick) {
      if (why === 'missing') return isDue(missing, tick) ? (missing.pop()?.key ?? null) : null
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
