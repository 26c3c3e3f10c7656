import type { Reading } from '../runtime/clock.ts'
import type { Market } from '../venue/market.ts'
import type { Position } from '../venue/position.ts'
import { incompleteness, type PositionsAnswer } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { PolledWallet } from './budget/schedule.ts'

type WalletHistory = Pick<
  PolledWallet,
  | ('readMono' | 'triedMono' | 'failures' | 'changedMono' | 'hintedMono' | 'opensAsOften')
  | ('confirmedMono' | 'tradedMono' | 'isUnknown')
>

/** When this run read each wallet, and when each wallet traded. */
interface TradeHistory {
  of(wallet: Wallet): WalletHistory
  read(wallet: Wallet, reading: Reading<PositionsAnswer>, triedMono: number): void
  /** The wallets that the venue does not know. */
  readonly unknown: ReadonlySet<Wallet>
  /** The venue has pushed what the wallet holds. */
  pushed(wallet: Wallet, reading: Reading<PositionsAnswer>): void
  /** A missing position of it was read again. */
  confirmed(wallet: Wallet, mono: number): void
  failed(wallet: Wallet, triedMono: number, failures: number): void
  /** Returns the wallets that may have traded according to a list of markets. */
  listed(markets: readonly Market[], mono: number): Wallet[]
  /** A trade names this wallet. */
  traded(wallet: Wallet, mono: number): void
  /** Treats this wallet, or all, as never read. Returns the wallets. */
  markUnread(wallet?: Wallet): Wallet[]
  /** The wallets that were read or named in this run. */
  known(): Iterable<Wallet>
  forget(wallet: Wallet): void
}

const NEVER: WalletHistory = {
  ...{ readMono: null, triedMono: null, failures: 0 },
  ...{ changedMono: null, hintedMono: null, opensAsOften: 1 },
}

export function createTradeHistory(): TradeHistory {
  const histories = new Map<Wallet, WalletHistory>()
  const unknown = new Set<Wallet>()
  const hints = createTradeHints()
  const tradeActivity = createTradeActivity()
  const of = (wallet: Wallet) => histories.get(wallet) ?? NEVER

  /** When the wallet last changed and how often it does, by this answer; null if the answer is incomplete. */
  function activity(
    wallet: Wallet,
    { value, at, mono }: Reading<PositionsAnswer>,
  ): Pick<WalletHistory, 'changedMono' | 'opensAsOften'> | null {
    if (incompleteness(value) !== null) return null
    const isOther = hints.holds(wallet, value.positions)
    const before = of(wallet).changedMono
    const opened = isOther === null ? openedMono(value.positions, { at, mono }) : null
    const changedMono = isOther === true ? mono : (opened ?? before)
    return { changedMono, opensAsOften: tradeActivity.asOftenAs(wallet, value.positions, at) }
  }

  function isUnknown(wallet: Wallet, value: PositionsAnswer): boolean {
    if (value.isUnknown) unknown.add(wallet)
    else unknown.delete(wallet)
    return unknown.has(wallet)
  }

  return {
    ...{ of, unknown },
    read(wallet, reading, triedMono) {
      const isUnknownNow = isUnknown(wallet, reading.value)
      const read = { readMono: reading.mono, triedMono, failures: 0, isUnknown: isUnknownNow }
      histories.set(wallet, { ...of(wallet), ...read, ...activity(wallet, reading) })
    },
    pushed(wallet, reading) {
      const isUnknownNow = isUnknown(wallet, reading.value)
      histories.set(wallet, { ...of(wallet), ...activity(wallet, reading), isUnknown: isUnknownNow })
    },
    confirmed: (wallet, confirmedMono) => void histories.set(wallet, { ...of(wallet), confirmedMono }),
    failed: (wallet, triedMono, failures) =>
      void histories.set(wallet, { ...of(wallet), triedMono, failures }),
    listed(markets, mono) {
      const wallets = hints.listed(markets)
      for (const wallet of wallets) histories.set(wallet, { ...of(wallet), hintedMono: mono })
      return wallets
    },
    traded(wallet, mono) {
      histories.set(wallet, { ...of(wallet), hintedMono: mono, tradedMono: mono })
    },
    known: () => histories.keys(),
    markUnread(one) {
      // Those that the venue does not know would take the turns of all others.
      const wallets =
        one === undefined ? [...histories.keys()].filter((wallet) => !unknown.has(wallet)) : [one]
      for (const wallet of wallets) {
        histories.delete(wallet)
        unknown.delete(wallet)
      }
      return wallets
    },
    forget(wallet) {
      histories.delete(wallet)
      unknown.delete(wallet)
      hints.forget(wallet)
      tradeActivity.forget(wallet)
    },
  }
}

/** Monotonic time of the latest opening; null if no position has an opening time. */
function openedMono(
  positions: readonly Position[],
  { at, mono }: { at: number; mono: number },
): number | null {
  const opened = positions.flatMap(({ openedAt }) => openedAt ?? [])
  return opened.length === 0 ? null : Math.min(mono - at + Math.max(...opened), mono)
}

/** How often each wallet opens or adds to positions, relative to the average of all watched wallets. */
interface TradeActivity {
  /** Estimated from the ages of its present positions. */
  asOftenAs(wallet: Wallet, positions: readonly Position[], at: number): number
  forget(wallet: Wallet): void
}

/** Number and sum of the ages of positions. */
interface Ages {
  count: number
  sumMs: number
}

export function createTradeActivity(): TradeActivity {
  const known = new Map<Wallet, Ages>()
  const all: Ages = { count: 0, sumMs: 0 }

  function replace(wallet: Wallet, ages: Ages): void {
    const before = known.get(wallet)
    known.set(wallet, ages)
    all.count += ages.count - (before?.count ?? 0)
    all.sumMs += ages.sumMs - (before?.sumMs ?? 0)
  }

  return {
    asOftenAs(wallet, positions, at) {
      const agesMs = positions.flatMap(({ openedAt }) =>
        openedAt === null ? [] : Math.max(at - openedAt, 0),
      )
      const { count, sumMs } = { count: agesMs.length, sumMs: agesMs.reduce((sum, one) => sum + one, 0) }
      replace(wallet, { count, sumMs })
      if (all.sumMs <= 0) return 1
      // Adds one opening at the average age, so that a wallet with few positions counts as average.
      return (count + 1) / ((sumMs * all.count) / all.sumMs + 1)
    },
    forget(wallet) {
      replace(wallet, { count: 0, sumMs: 0 })
      known.delete(wallet)
    },
  }
}

/** Finds wallets that may have traded since their last read, from the open interest in lists of markets. */
interface TradeHints {
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
