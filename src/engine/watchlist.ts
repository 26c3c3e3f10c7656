import type { Until } from '../alert.ts'
import { createHeap } from '../lib/heap.ts'
import type { Heap } from '../lib/heap.ts'

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
  below: Heap<string>
  above: Heap<string>
}
interface Entry {
  price: Bounds
  fundingRate: Bounds
  always: Set<string>
  armed: number
}

export function createWatchlist(): Watchlist {
  const markets = new Map<string, Entry>()
  const armed = new Map<string, { marketId: string; of: Until['of'] | null }>()

  const bounds = (): Bounds => ({ below: createHeap<string>(), above: createHeap<string>() })
  const entryOf = (marketId: string): Entry => {
    const known = markets.get(marketId)
    if (known) return known
    const fresh = { price: bounds(), fundingRate: bounds(), always: new Set<string>(), armed: 0 }
    markets.set(marketId, fresh)
    return fresh
  }
  const disarm = (key: string) => {
    const place = armed.get(key)
    if (!place) return
    const entry = entryOf(place.marketId)
    entry.armed--
    if (place.of === null) entry.always.delete(key)
    else {
      entry[place.of].below.delete(key)
      entry[place.of].above.delete(key)
    }
    armed.delete(key)
  }
  return {
    arm(key, marketId, until) {
      const place = armed.get(key)
      const of = until?.of ?? null
      // The common case, a bound that moves, must not rebuild anything.
      if (place && (place.marketId !== marketId || place.of !== of)) disarm(key)
      const entry = entryOf(marketId)
      if (!armed.has(key)) entry.armed++
      armed.set(key, { marketId, of })
      if (until === undefined) return void entry.always.add(key)
      const { below, above } = entry[until.of]
      if (until.below === undefined) below.delete(key)
      else below.set(key, -until.below)
      if (until.above === undefined) above.delete(key)
      else above.set(key, until.above)
    },
    disarm,
    crossed(marketId, figures) {
      const entry = markets.get(marketId)
      if (!entry) return []
      const keys = new Set(entry.always)
      for (const measure of ['price', 'fundingRate'] as const) {
        for (const key of entry[measure].below.upTo(-figures[measure])) keys.add(key)
        for (const key of entry[measure].above.upTo(figures[measure])) keys.add(key)
      }
      return [...keys]
    },
    armed: (key) => armed.has(key),
    watches: (marketId) => (markets.get(marketId)?.armed ?? 0) > 0,
  }
}
