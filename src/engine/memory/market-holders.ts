import { createChains } from '../../lib/data/chains.ts'
import { ints } from '../../lib/data/paged.ts'
import type { Words } from '../../lib/data/words.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** Who holds a position where. */
export interface WalletsByMarket {
  /** In the order in which they came there; each once. */
  of(marketId: string): ReadonlySet<Wallet>
  has(marketId: string): boolean
  groups(): IterableIterator<string>
  /** In how many markets somebody does. */
  readonly size: number
}

interface MarketHolders extends WalletsByMarket {
  /** The slot of a position, whose it is, and from which market to which it goes: none is ''. */
  move(slot: number, word: number, from: string, to: string): void
}

/** By the slots of positions, which are there anyway: a map of owners for each market would be several times as large. */
export function createWalletsByMarket(words: Words): MarketHolders {
  const slots = createChains<string>()
  const walletOf = ints()
  return {
    of: (marketId) => new Set(slots.of(marketId).map((slot) => words.at(walletOf.get(slot)) as Wallet)),
    has: slots.has,
    groups: slots.groups,
    get size() {
      return slots.size
    },
    move(slot, word, from, to) {
      if (from === to) return
      if (from !== '') slots.drop(from, slot)
      walletOf.set(slot, word)
      if (to !== '') slots.add(to, slot)
    },
  }
}
