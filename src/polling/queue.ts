import { createHeap } from '../lib/heap.ts'
import type { Owner } from '../owner.ts'
import { dueTick } from './schedule.ts'
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

/**
 * In the order in which they are due, so that a short budget makes all of them older alike; who was not read in this run
 * goes first, by how near its end it was. Those near danger, and those of which a look has failed, have every other turn
 * while somebody else waits: however many they are, the others are not forgotten.
 */
export function createQueue(ages: Ages): Queue {
  const missing = createHeap<Owner>()
  const urgent = createHeap<Owner>()
  const others = createHeap<Owner>()
  /** Of those that were never read and of which nothing is remembered: the order in which they came. */
  const came = new Map<Owner, number>()
  let latest = 0
  let wasUrgent = false

  const leave = (owner: Owner) => {
    for (const heap of [missing, urgent, others]) heap.delete(owner)
  }
  const place = (owner: Owner, due: number, rememberedDistance: number) => {
    if (Number.isFinite(due)) {
      came.delete(owner)
      return due
    }
    if (rememberedDistance < FAR_AWAY) return NEVER_READ + rememberedDistance
    came.set(owner, came.get(owner) ?? ++latest)
    return NEVER_READ + FAR_AWAY + (came.get(owner) ?? 0)
  }
  const isDue = (heap: typeof urgent, tick: number) => (heap.peek()?.priority ?? Infinity) <= tick

  return {
    drop(owner) {
      leave(owner)
      came.delete(owner)
    },
    put(polled) {
      const { owner, confirm, nearDanger, failures, rememberedDistance } = polled
      leave(owner)
      const due = Math.min(dueTick(polled, ages), polled.againTick ?? Infinity)
      const heap = confirm ? missing : nearDanger || failures > 0 ? urgent : others
      heap.set(owner, place(owner, due, rememberedDistance))
    },
    take(why, tick) {
      if (why === 'missing') return isDue(missing, tick) ? (missing.pop()?.key ?? null) : null
      const hasUrgent = isDue(urgent, tick)
      const hasOthers = isDue(others, tick)
      if (!hasUrgent && !hasOthers) return null
      wasUrgent = hasUrgent && !(hasOthers && wasUrgent)
      return (wasUrgent ? urgent : others).pop()?.key ?? null
    },
    next(why) {
      const heads = (why === 'missing' ? [missing] : [urgent, others]).flatMap((heap) => heap.peek() ?? [])
      return heads.length === 0 ? null : Math.min(...heads.map(({ priority }) => priority))
    },
  }
}
