import type { Market } from '../venue/market.ts'
import type { Position } from '../venue/position.ts'
import type { Wallet } from '../venue/wallet.ts'

/** What lists of markets tell of wallets that were not read since: whose trade it may have been that moved a market. */
export interface TradeHints {
  /** Takes in what a wallet holds now; whether it holds something else than before. Null: this is the first that is known. */
  holds(wallet: Wallet, positions: readonly Position[]): boolean | null
  forget(wallet: Wallet): void
  /** Of whom this list says that they may have traded, the surest first. Costs what has moved, not who holds it. */
  listed(markets: readonly Market[]): Wallet[]
}

/** Who holds how much of one market: by signed size, so that who has closed is found by how much went. */
type Sizes = Map<bigint, Wallet | Set<Wallet>>

/** What a side of a market was, and how often it moves. */
interface Side {
  openInterest: bigint
  /** From 0, never, to 1, with every list. */
  restless: number
}

/** What order forms take by one button, beside everything: a half, a quarter, three quarters. As `taken × of / parts`. */
const TAKEN: readonly (readonly [of: bigint, parts: bigint])[] = [
  [1n, 1n],
  [2n, 1n],
  [4n, 1n],
  [4n, 3n],
]
/** Of wallets with the same size so many are asked for. */
const MOST_ALIKE = 8
/** Where no size fits: a trade by one of so few holders is worth asking all of them. */
const FEW = 16
/** A market that moves more often than with every tenth list says nothing of a few. */
const RESTLESS = 0.1
/** How much of that is the newest list. */
const NEWEST = 0.02
/** However much moves at once, asking must not take all turns. */
const MOST = 16

export function createTradeHints(): TradeHints {
  const known = new Map<Wallet, readonly Position[]>()
  const holders = new Map<string, Sizes>()
  const sides = new Map<string, Side>()

  function add(wallet: Wallet, { marketId, size }: Position): void {
    const sizes: Sizes = holders.get(marketId) ?? new Map()
    holders.set(marketId, sizes)
    const there = sizes.get(size)
    if (there === undefined) sizes.set(size, wallet)
    else if (typeof there === 'string') sizes.set(size, new Set([there, wallet]))
    else there.add(wallet)
  }

  function remove(wallet: Wallet, { marketId, size }: Position): void {
    const sizes = holders.get(marketId)
    const there = sizes?.get(size)
    if (typeof there === 'object') there.delete(wallet)
    if (there === wallet || (typeof there === 'object' && there.size === 0)) sizes?.delete(size)
    if (sizes?.size === 0) holders.delete(marketId)
  }

  /** How much the side has grown since the last list; null when that cannot be told. */
  function moved(key: string, openInterest: bigint): { by: bigint; restless: number } | null {
    const before = sides.get(key)
    if (!before) {
      sides.set(key, { openInterest, restless: 0 })
      return null
    }
    const by = openInterest - before.openInterest
    const { restless } = before
    before.openInterest = openInterest
    before.restless += ((by === 0n ? 0 : 1) - restless) * NEWEST
    return by === 0n ? null : { by, restless }
  }

  function who(marketId: string, sign: bigint, openInterest: bigint): Wallet[] {
    const move = moved(`${sign} ${marketId}`, openInterest)
    const sizes = holders.get(marketId)
    if (!move || !sizes) return []
    const sure = move.by < 0n ? takers(sizes, -move.by * sign) : []
    if (sure.length > 0 || sizes.size > FEW || move.restless > RESTLESS) return sure
    return [...sizes].flatMap(([size, wallets]) => (size > 0n === sign > 0n ? listOf(wallets) : []))
  }

  return {
    holds(wallet, positions) {
      const before = known.get(wallet)
      known.set(wallet, positions)
      if (before && isSame(before, positions)) return false
      for (const position of before ?? []) remove(wallet, position)
      for (const position of positions) add(wallet, position)
      return before ? true : null
    },
    forget(wallet) {
      for (const position of known.get(wallet) ?? []) remove(wallet, position)
      known.delete(wallet)
    },
    listed(markets) {
      const found = new Set<Wallet>()
      for (const market of markets) {
        const { longs, shorts } = bySide(market)
        if (longs === null || shorts === null) continue
        for (const wallet of who(market.id, 1n, longs)) found.add(wallet)
        for (const wallet of who(market.id, -1n, shorts)) found.add(wallet)
      }
      return [...found].slice(0, MOST)
    },
  }
}

/** Whose size is such that this is all of it, or a usual part. */
function takers(sizes: Sizes, taken: bigint): Wallet[] {
  return TAKEN.flatMap(([of, parts]) => {
    if ((taken * of) % parts !== 0n) return []
    return listOf(sizes.get((taken * of) / parts)).slice(0, MOST_ALIKE)
  })
}

function listOf(wallets: Wallet | Set<Wallet> | undefined): Wallet[] {
  return wallets === undefined ? [] : typeof wallets === 'string' ? [wallets] : [...wallets]
}

/** Both sides by themselves, or out of their sum and their difference. */
function bySide(market: Market): { longs: bigint | null; shorts: bigint | null } {
  const { longOpenInterest: longs, shortOpenInterest: shorts, openInterest, skew } = market
  if (longs !== null && shorts !== null) return { longs, shorts }
  if (openInterest === null || skew === null) return { longs: null, shorts: null }
  return { longs: (openInterest + skew) / 2n, shorts: (openInterest - skew) / 2n }
}

/** Answers list positions in the same order as long as nothing happens; another order costs a read more. */
function isSame(before: readonly Position[], now: readonly Position[]): boolean {
  return (
    before.length === now.length &&
    before.every((one, place) => {
      const { size, marketId, accountId } = now[place] ?? one
      return one.size === size && one.marketId === marketId && one.accountId === accountId
    })
  )
}
