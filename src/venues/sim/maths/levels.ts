import { growingInts } from '../../../lib/data/paged.ts'
import { createSlotHeap, type SlotHeap } from '../../../lib/data/slot-heap.ts'

/**
 * Prices that somebody waits for, each market by itself: a price that is set costs what it reaches, not what waits. Levels are
 * doubles: who needs the last digit arms a hair too early, and looks again.
 */
export interface Levels<T> {
  /** A slot for it, which is armed nowhere yet. */
  add(item: T): number
  /** In the place of what it was armed with. */
  arm(slot: number, marketId: string, when: When, level: number): void
  /** The slot may be another's from now on. */
  drop(slot: number): void
  /** Whose level the price is at, or beyond. They stay armed. */
  reached(marketId: string, price: number): T[]
}

export type When = 'falls' | 'rises'

export function createLevels<T>(): Levels<T> {
  const items: (T | undefined)[] = []
  const free: number[] = []
  const places = growingInts()
  const heaps: SlotHeap[] = []
  /** By slot, one more than the heap in which it is. */
  const heapOf = growingInts()
  const numbers = new Map<string, number>()

  /** Of those that wait for a rise; the next heap has those that wait for a fall, by the level's negative. */
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
      // Nearly always nobody's.
      if (rises.length + falls.length === 0) return []
      return [...rises, ...falls].flatMap((slot) => items[slot] ?? [])
    },
  }
}
