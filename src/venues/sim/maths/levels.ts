import { growingInts } from '../../../lib/data/paged.ts'
import { createSlotHeap, type SlotHeap } from '../../../lib/data/slot-heap.ts'

/**
 * Price levels to wait for, separately for each market. Finding the reached levels costs as much as there are
 * reached ones, not waiting ones. Levels are doubles: to compare exactly, arm a little too early and look
 * again.
 */
export interface Levels<T> {
  /** Adds an item; returns its slot, which is not armed yet. */
  add(item: T): number
  /** Replaces the level of the slot. */
  arm(slot: number, marketId: string, when: When, level: number): void
  /** Frees the slot for another item. */
  drop(slot: number): void
  /** Returns the items whose levels the price has reached or passed. They stay armed. */
  reached(marketId: string, price: number): T[]
}

export type When = 'falls' | 'rises'

export function createLevels<T>(): Levels<T> {
  const items: (T | undefined)[] = []
  const free: number[] = []
  const places = growingInts()
  const heaps: SlotHeap[] = []
  /** By slot: the number of its heap plus one; 0 is not armed. */
  const heapOf = growingInts()
  const numbers = new Map<string, number>()

  /** The heap of the levels that a rise reaches. The next heap has the negated levels that a fall reaches. */
  const numberOf = (marketId: string): number => {
    const known = numbers.get(marketId)
    if (known !== undefined) return known
    numbers.set(marketId, heaps.length)
    return heaps.push(createSlotHeap(places), createSlotHeap(places)) - 2
  }
  const lift = (slot: number, except: number) => {
    const at = heapOf.get(slot) - 1
    if (at >= 0 && at !== except) heaps[at]?.delete(slot)
  }
  return {
    add(item) {
      const slot = free.pop() ?? items.length
      items[slot] = item
      return slot
    },
    arm(slot, marketId, when, level) {
      const at = numberOf(marketId) + (when === 'falls' ? 1 : 0)
      lift(slot, at)
      heapOf.set(slot, at + 1)
      heaps[at]?.set(slot, when === 'falls' ? -level : level)
    },
    drop(slot) {
      lift(slot, -1)
      heapOf.set(slot, 0)
      items[slot] = undefined
      free.push(slot)
    },
    reached(marketId, price) {
      const at = numbers.get(marketId)
      if (at === undefined) return []
      const rises = heaps[at]?.upTo(price) ?? []
      const falls = heaps[at + 1]?.upTo(-price) ?? []
      // Fast path: nearly every price reaches no level.
      if (rises.length + falls.length === 0) return []
      return [...rises, ...falls].flatMap((slot) => items[slot] ?? [])
    },
  }
}
