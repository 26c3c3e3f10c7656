import type { Until } from '../alert.ts'
import { growingInts } from '../lib/growing.ts'
import { createSlotHeap } from '../lib/slot-heap.ts'
import type { SlotHeap } from '../lib/slot-heap.ts'

/**
 * Which verdicts a market's next figures can change. Per market and measure it keeps the bounds of all armed
 * keys in two heaps, so that a tick costs what it crosses, not what is armed.
 */
export interface Watchlist {
  /** Replaces what the key was armed with. Without bounds it is judged on every reading of the market. */
  arm(key: string, marketId: string, until: Until | undefined): void
  disarm(key: string): void
  /** The keys whose bounds the figures touch or pass. They stay armed as they are until armed anew. */
  crossed(marketId: string, figures: Record<Until['of'], number>): string[]
  armed(key: string): boolean
  /** Whether anything is armed there. */
  watches(marketId: string): boolean
}

interface Bounds {
  /** By −bound: the highest lower bound is first. */
  below: SlotHeap
  above: SlotHeap
}
interface Entry {
  /** Its number in `entries`. */
  number: number
  price: Bounds
  fundingRate: Bounds
  /** Slots without bounds. */
  always: Set<number>
  armed: number
}

/** A slot without bounds has this measure, any other one more than the place of its own in the list. */
const ALWAYS = 0
const MEASURES = ['price', 'fundingRate'] as const

export function createWatchlist(): Watchlist {
  // There are very many keys: each has a number, its slot, by which the rest is found in lists of plain numbers.
  const slotOf = new Map<string, number>()
  const keys: (string | undefined)[] = []
  const free: number[] = []
  const markets = new Map<string, Entry>()
  const entries: Entry[] = []
  const entryOfSlot = growingInts()
  const measures = growingInts()
  const places = { below: growingInts(), above: growingInts() }

  const bounds = (): Bounds => ({ below: createSlotHeap(places.below), above: createSlotHeap(places.above) })
  const entryOf = (marketId: string): Entry => {
    const known = markets.get(marketId)
    if (known) return known
    const fresh = {
      number: entries.length,
      price: bounds(),
      fundingRate: bounds(),
      always: new Set<number>(),
      armed: 0,
    }
    markets.set(marketId, fresh)
    entries.push(fresh)
    return fresh
  }
  const lift = (slot: number) => {
    const entry = entries[entryOfSlot.get(slot)]
    if (!entry) return
    entry.armed--
    const measure = MEASURES[measures.get(slot) - 1]
    if (measure === undefined) return void entry.always.delete(slot)
    entry[measure].below.delete(slot)
    entry[measure].above.delete(slot)
  }
  /** Where the key is armed from now on; lifted from where it was, unless that is the same. */
  const place = (key: string, entry: Entry, measure: number): number => {
    const known = slotOf.get(key)
    const slot = known ?? free.pop() ?? keys.length
    if (known !== undefined && entries[entryOfSlot.get(slot)] === entry && measures.get(slot) === measure)
      return slot
    if (known !== undefined) lift(slot)
    slotOf.set(key, slot)
    keys[slot] = key
    entryOfSlot.set(slot, entry.number)
    measures.set(slot, measure)
    entry.armed++
    return slot
  }
  return {
    arm(key, marketId, until) {
      const entry = entryOf(marketId)
      if (until === undefined) return void entry.always.add(place(key, entry, ALWAYS))
      const slot = place(key, entry, MEASURES.indexOf(until.of) + 1)
      const { below, above } = entry[until.of]
      if (until.below === undefined) below.delete(slot)
      else below.set(slot, -until.below)
      if (until.above === undefined) above.delete(slot)
      else above.set(slot, until.above)
    },
    disarm(key) {
      const slot = slotOf.get(key)
      if (slot === undefined) return
      lift(slot)
      slotOf.delete(key)
      keys[slot] = undefined
      free.push(slot)
    },
    crossed(marketId, figures) {
      const entry = markets.get(marketId)
      if (!entry) return []
      const slots = new Set(entry.always)
      for (const measure of MEASURES) {
        for (const slot of entry[measure].below.upTo(-figures[measure])) slots.add(slot)
        for (const slot of entry[measure].above.upTo(figures[measure])) slots.add(slot)
      }
      return [...slots].flatMap((slot) => keys[slot] ?? [])
    },
    armed: (key) => slotOf.has(key),
    watches: (marketId) => (markets.get(marketId)?.armed ?? 0) > 0,
  }
}
