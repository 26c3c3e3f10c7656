import type { Market } from '../venue/market.ts'
import type { Position } from '../venue/position.ts'
import type { Wallet } from '../venue/wallet.ts'

/** Finds wallets that may have traded since their last read, from the open interest in lists of markets. */
export interface TradeHints {
  /** Takes the positions of a wallet. Returns whether they changed; null if they are the first ones known. */
  holds(wallet: Wallet, positions: readonly Position[]): boolean | null
  forget(wallet: Wallet): void
  /**
   * The wallets that may have traded according to this list, likeliest first. The cost depends on the markets that
   * moved, not on the holders.
   */
  listed(markets: readonly Market[]): Wallet[]
}

/** The holders of one market by signed size: a full close is found by the size that left. */
type Sizes = Map<bigint, Wallet | Set<Wallet>>

/** The last open interest of one side of a market, and how often it moves. */
interface Side {
  openInterest: bigint
  /** From 0 (moves with no list) to 1 (moves with every list). */
  restless: number
}

/**
 * The parts that order forms offer at one click: all, a half, a quarter, three quarters. The position had `taken × of /
 * parts`.
 */
const TAKEN: readonly (readonly [of: bigint, parts: bigint])[] = [
  [1n, 1n],
  [2n, 1n],
  [4n, 1n],
  [4n, 3n],
]
/** Wallets of the same size that are named. */
const MAX_WALLETS_PER_SIZE = 8
/** If no size fits and a market has at most this many holders, all of them are named. */
const MAX_NAMED_HOLDERS = 16
/** A market that moves with more than every tenth list hints at no holder. */
const RESTLESS = 0.1
/** Weight of the newest list in that average. */
const NEWEST_WEIGHT = 0.02
/** Hints of one list. More would take all requests from other wallets. */
const MAX_HINTED_WALLETS = 16

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

  /** How much the side has changed since the last list; null if unknown or not at all. */
  function moved(key: string, openInterest: bigint): { by: bigint; restless: number } | null {
    const before = sides.get(key)
    if (!before) {
      sides.set(key, { openInterest, restless: 0 })
      return null
    }
    const by = openInterest - before.openInterest
    const { restless } = before
    before.openInterest = openInterest
    before.restless += ((by === 0n ? 0 : 1) - restless) * NEWEST_WEIGHT
    return by === 0n ? null : { by, restless }
  }

  function who(marketId: string, sign: bigint, openInterest: bigint): Wallet[] {
    const move = moved(`${sign} ${marketId}`, openInterest)
    const sizes = holders.get(marketId)
    if (!move || !sizes) return []
    const sure = move.by < 0n ? takers(sizes, -move.by * sign) : []
    if (sure.length > 0 || sizes.size > MAX_NAMED_HOLDERS || move.restless > RESTLESS) return sure
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
      return [...found].slice(0, MAX_HINTED_WALLETS)
    },
  }
}

/** The wallets whose whole size, or a usual part of it, equals `taken`. */
function takers(sizes: Sizes, taken: bigint): Wallet[] {
  return TAKEN.flatMap(([of, parts]) => {
    if ((taken * of) % parts !== 0n) return []
    return listOf(sizes.get((taken * of) / parts)).slice(0, MAX_WALLETS_PER_SIZE)
  })
}

function listOf(wallets: Wallet | Set<Wallet> | undefined): Wallet[] {
  return wallets === undefined ? [] : typeof wallets === 'string' ? [wallets] : [...wallets]
}

/** Open interest of both sides, as given or from their sum and difference. */
function bySide(market: Market): { longs: bigint | null; shorts: bigint | null } {
  const { longOpenInterest: longs, shortOpenInterest: shorts, openInterest, skew } = market
  if (longs !== null && shorts !== null) return { longs, shorts }
  if (openInterest === null || skew === null) return { longs: null, shorts: null }
  return { longs: (openInterest + skew) / 2n, shorts: (openInterest - skew) / 2n }
}

/** Assumes that answers keep the order of positions while nothing happens. Another order costs one more read. */
function isSame(before: readonly Position[], now: readonly Position[]): boolean {
  return (
    before.length === now.length &&
    before.every((one, place) => {
      const { size, marketId, accountId } = now[place] ?? one
      return one.size === size && one.marketId === marketId && one.accountId === accountId
    })
  )
}
