import { createChains } from '../../lib/data/chains.ts'
import { ints } from '../../lib/data/paged.ts'
import type { Words } from '../../lib/data/words.ts'
import type { Owner } from '../../venue/wallet.ts'

/** Who holds a position where. */
export interface Holders {
  /** In the order in which they came there; each once. */
  of(marketId: string): ReadonlySet<Owner>
  has(marketId: string): boolean
  groups(): IterableIterator<string>
  /** In how many markets somebody does. */
  readonly size: number
}

interface MarketHolders extends Holders {
  /** The slot of a position, whose it is, and from which market to which it goes: none is ''. */
  move(slot: number, word: number, from: string, to: string): void
}

/** By the slots of positions, which are there anyway: a map of owners for each market would be several times as large. */
export function createMarketHolders(words: Words): MarketHolders {
  const slots = createChains<string>()
  const ownerOf = ints()
  return {
    of: (marketId) => new Set(slots.of(marketId).map((slot) => words.at(ownerOf.get(slot)) as Owner)),
    has: slots.has,
    groups: slots.groups,
    get size() {
      return slots.size
    },
    move(slot, word, from, to) {
      if (from === to) return
      if (from !== '') slots.drop(from, slot)
      ownerOf.set(slot, word)
      if (to !== '') slots.add(to, slot)
    },
  }
}
