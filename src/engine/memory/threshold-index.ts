import type { Bounds } from '../../alert/alert.ts'
import { ints } from '../../lib/data/paged.ts'
import { createSlotHeap, type SlotHeap } from '../../lib/data/slot-heap.ts'

/**
 * Which verdicts a market's next figures can change. Per market and measure it keeps the bounds of all armed
 * slots, numbers that somebody else gives out, in two heaps, so that a tick costs what it crosses, not what is armed.
 */
export interface ThresholdIndex {
  /** Replaces what the slot was armed with. Without bounds it is judged on every reading of the market. */
  arm(slot: number, marketId: string, until: Bounds | undefined): void
  disarm(slot: number): void
  /** The slots whose bounds the figures touch or pass. They stay armed as they are until armed anew. */
  crossed(marketId: string, figures: Record<Bounds['of'], number>): number[]
  armed(slot: number): boolean
  /** How many figures the slot is judged at; null where it is judged at each of them, or at none. */
  boundsOf(slot: number): number | null
  /** Whether anything is armed there. */
  watches(marketId: string): boolean
}

interface BoundHeaps {
  /** By −bound: the highest lower bound is first. */
  below: SlotHeap
  above: SlotHeap
}
interface Entry {
  /** Its number in `entries`. */
  number: number
  price: BoundHeaps
  fundingRate: BoundHeaps
  /** Slots without bounds. */
  always: Set<number>
  armed: number
}

/** What a slot is armed with: nothing, no bounds, or more than the place of its measure in the list. */
const [UNARMED, ALWAYS, BOUNDED] = [0, 1, 2]
const MEASURES = ['price', 'fundingRate'] as const
const NOBODY: ReadonlySet<number> = new Set()

export function createThresholdIndex(): ThresholdIndex {
  const markets = new Map<string, Entry>()
  const entries: Entry[] = []
  const entryOfSlot = ints()
  const armedWith = ints()
  const places = { below: ints(), above: ints() }

  const bounds = (): BoundHeaps => ({
    below: createSlotHeap(places.below),
    above: createSlotHeap(places.above),
  })
  const entryOf = (marketId: string): Entry => {
    const known = markets.get(marketId)
    if (known) return known
    const fresh: Entry = {
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
    if (!entry || armedWith.get(slot) === UNARMED) return
    entry.armed--
    const measure = MEASURES[armedWith.get(slot) - BOUNDED]
    if (measure === undefined) return void entry.always.delete(slot)
    entry[measure].below.delete(slot)
    entry[measure].above.delete(slot)
  }
  /** Where the slot is armed from now on; lifted from where it was, unless that is the same. */
  const place = (slot: number, entry: Entry, kind: number) => {
    if (armedWith.get(slot) === kind && entryOfSlot.get(slot) === entry.number) return
    lift(slot)
    entryOfSlot.set(slot, entry.number)
    armedWith.set(slot, kind)
    entry.armed++
  }
  return {
    arm(slot, marketId, until) {
      const entry = entryOf(marketId)
      place(slot, entry, until === undefined ? ALWAYS : MEASURES.indexOf(until.of) + BOUNDED)
      if (until === undefined) return void entry.always.add(slot)
      const { below, above } = entry[until.of]
      if (until.below === undefined) below.delete(slot)
      else below.set(slot, -until.below)
      if (until.above === undefined) above.delete(slot)
      else above.set(slot, until.above)
    },
    disarm(slot) {
      lift(slot)
      armedWith.set(slot, UNARMED)
    },
    crossed(marketId, figures) {
      const entry = markets.get(marketId)
      if (!entry) return []
      const found = [...entry.always]
      for (const measure of MEASURES) {
        const fallen = entry[measure].below.upTo(-figures[measure])
        const risen = entry[measure].above.upTo(figures[measure])
        for (const slot of fallen) found.push(slot)
        // A bound that is touched from both sides is in both.
        const both = fallen.length > 0 && risen.length > 0 ? new Set(fallen) : NOBODY
        for (const slot of risen) if (!both.has(slot)) found.push(slot)
      }
      return found
    },
    armed: (slot) => armedWith.get(slot) !== UNARMED,
    boundsOf(slot) {
      if (armedWith.get(slot) < BOUNDED) return null
      return (places.below.get(slot) > 0 ? 1 : 0) + (places.above.get(slot) > 0 ? 1 : 0)
    },
    watches: (marketId) => (markets.get(marketId)?.armed ?? 0) > 0,
  }
}
