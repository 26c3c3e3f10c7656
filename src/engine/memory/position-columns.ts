import { bigints, type Column, createChains, doubles, ints } from '../../lib/data/paged.ts'
import { createWords, type Words } from '../../lib/data/words.ts'
import type { Reading } from '../../runtime/clock.ts'
import { type Amount, toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { distance, type Position, positionKey, side } from '../../venue/position.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { PositionWords } from './monitor-index.ts'
import type { SeenPosition } from './wallet-view.ts'

/**
 * Positions as numbers, by slot: some hundred and fifty bytes each, where objects take a thousand. Garbage
 * collection does not walk over numbers.
 */
interface PositionColumns {
  /** Fills a cleared slot, or replaces the position in it. */
  write(slot: number, seen: SeenPosition): void
  read(slot: number, wallet: Wallet): SeenPosition
  marketAt(slot: number): string
  /** The name of the position, by the numbers of its words. */
  wordsAt(slot: number, wallet: number): PositionWords
  /**
   * Whether the slot has this position without any doubt: every figure that is judged is equal, but for the
   * liquidation price. Both must have one, or neither.
   */
  shows(slot: number, position: Position): boolean
  liquidatesAt(slot: number, price: Amount | null): boolean
  keptAt(slot: number): SeenPosition['kept']
  /** It was seen again, and is what it was. */
  renew(slot: number, position: Position, seen: Pick<SeenPosition, 'seenAt' | 'seenMono' | 'price'>): void
  /** From liquidation, by this price of its market or else by the one beside which it was seen; Infinity where that is not known. */
  distanceAt(slot: number, priceOf: PriceOf): number
  clear(slot: number): void
}

export type PriceOf = (marketId: string) => number | null

/** One bit for each field that has a value and for each flag; the two lowest bits are the margin mode. */
const MARGINS = [null, 'cross', 'isolated'] as const
const [LIQUIDATES, FUNDED, LEVERED, DATED, PRICED, MISSING] = [4, 8, 16, 32, 64, 128]
const [END_SOUGHT, DOUBTED_NONE, KEPT, KEPT_LIQUIDATES] = [256, 512, 1024, 2048]
const [BREAKS_EVEN, REALISED, ENTERED] = [4096, 8192, 16384]
const IN_DOUBT = MISSING | END_SOUGHT | DOUBTED_NONE

function createPositionColumns(words: Words): PositionColumns {
  const flags = ints()
  const account = ints()
  // Among very many accounts, each look-up of a market would wait for memory that no cache holds.
  const names = createWords()
  const word = { market: ints(), symbol: ints() }
  const [size, entry, liquidation, breakEven] = [bigints(), bigints(), bigints(), bigints()]
  const [funding, realised, kept] = [bigints(), bigints(), bigints()]
  const [leverage, openedAt, price] = [doubles(), doubles(), doubles()]
  const [seenAt, seenMono, missingSince] = [doubles(), doubles(), doubles()]

  function name(column: Column<number>, slot: number, next: string | null): void {
    const before = column.get(slot)
    if (before > 0 && names.at(before) === next) return
    if (before > 0) names.drop(before)
    column.set(slot, next === null ? 0 : names.take(next))
  }
  /** The account of one position is mostly that of the next one, too. */
  let last = 0
  function nameAccount(slot: number, next: string): void {
    const before = account.get(slot)
    if (before > 0 && words.at(before) === next) return
    last = words.again(last, next)
    if (before > 0) words.drop(before)
    account.set(slot, last)
  }
  /** The flag, when there is a value. */
  function put<N>(column: Column<N>, slot: number, value: N | null, flag: number): number {
    if (value === null) return 0
    column.set(slot, value)
    return flag
  }

  /** The same, or null as well. */
  const isStill = <N>(column: Column<N>, slot: number, value: N | null, flag: number) =>
    value === null
      ? (flags.get(slot) & flag) === 0
      : (flags.get(slot) & flag) > 0 && column.get(slot) === value

  function keptAt(slot: number): SeenPosition['kept'] {
    const has = flags.get(slot)
    if ((has & KEPT) === 0) return null
    const symbol = word.symbol.get(slot)
    return {
      liquidationPrice: has & KEPT_LIQUIDATES ? kept.get(slot) : null,
      symbol: symbol > 0 ? names.at(symbol) : null,
    }
  }

  return {
    write(slot, seen) {
      const { position } = seen
      nameAccount(slot, position.accountId)
      name(word.market, slot, position.marketId)
      name(word.symbol, slot, seen.kept?.symbol ?? null)
      size.set(slot, position.size)
      seenAt.set(slot, seen.seenAt)
      seenMono.set(slot, seen.seenMono)
      flags.set(
        slot,
        MARGINS.indexOf(position.margin) |
          put(entry, slot, position.entryPrice, ENTERED) |
          put(liquidation, slot, position.liquidationPrice, LIQUIDATES) |
          put(funding, slot, position.fundingUsd, FUNDED) |
          put(breakEven, slot, position.breakEvenPrice, BREAKS_EVEN) |
          put(realised, slot, position.realisedPnlUsd, REALISED) |
          put(leverage, slot, position.leverage, LEVERED) |
          put(openedAt, slot, position.openedAt, DATED) |
          put(price, slot, seen.price, PRICED) |
          put(missingSince, slot, seen.missingSince, MISSING) |
          (seen.endSought ? END_SOUGHT : 0) |
          (seen.doubtedNone ? DOUBTED_NONE : 0) |
          (seen.kept ? KEPT : 0) |
          put(kept, slot, seen.kept?.liquidationPrice ?? null, KEPT_LIQUIDATES),
      )
    },
    read(slot, wallet) {
      const has = flags.get(slot)
      const number = (column: Column<number>, flag: number) => (has & flag ? column.get(slot) : null)
      const amount = (column: Column<Amount>, flag: number) => (has & flag ? column.get(slot) : null)
      const position: Position = {
        wallet,
        accountId: words.at(account.get(slot)),
        marketId: names.at(word.market.get(slot)),
        size: size.get(slot),
        entryPrice: amount(entry, ENTERED),
        liquidationPrice: amount(liquidation, LIQUIDATES),
        margin: MARGINS[has & 3] ?? null,
        leverage: number(leverage, LEVERED),
        fundingUsd: amount(funding, FUNDED),
        breakEvenPrice: amount(breakEven, BREAKS_EVEN),
        realisedPnlUsd: amount(realised, REALISED),
        openedAt: number(openedAt, DATED),
      }
      return {
        position,
        seenAt: seenAt.get(slot),
        seenMono: seenMono.get(slot),
        price: number(price, PRICED),
        missingSince: number(missingSince, MISSING),
        endSought: (has & END_SOUGHT) > 0,
        doubtedNone: (has & DOUBTED_NONE) > 0,
        kept: keptAt(slot),
      }
    },
    marketAt: (slot) => names.at(word.market.get(slot)),
    wordsAt: (slot, wallet) => ({
      wallet,
      account: account.get(slot),
      // Above zero or −1, which no monitor has: zero is a subject without a market.
      market: words.numberOf(names.at(word.market.get(slot))) || -1,
      side: side({ size: size.get(slot) }),
    }),
    shows: (slot, position) =>
      (flags.get(slot) & IN_DOUBT) === 0 &&
      size.get(slot) === position.size &&
      (flags.get(slot) & LIQUIDATES) > 0 === (position.liquidationPrice !== null) &&
      isStill(entry, slot, position.entryPrice, ENTERED) &&
      isStill(breakEven, slot, position.breakEvenPrice, BREAKS_EVEN) &&
      isStill(realised, slot, position.realisedPnlUsd, REALISED) &&
      names.at(word.market.get(slot)) === position.marketId &&
      words.at(account.get(slot)) === position.accountId &&
      MARGINS[flags.get(slot) & 3] === position.margin &&
      isStill(leverage, slot, position.leverage, LEVERED) &&
      isStill(openedAt, slot, position.openedAt, DATED),
    liquidatesAt: (slot, at) => isStill(liquidation, slot, at, LIQUIDATES),
    keptAt,
    renew(slot, { liquidationPrice, fundingUsd }, seen) {
      seenAt.set(slot, seen.seenAt)
      seenMono.set(slot, seen.seenMono)
      flags.set(
        slot,
        (flags.get(slot) & ~(LIQUIDATES | FUNDED | PRICED)) |
          put(liquidation, slot, liquidationPrice, LIQUIDATES) |
          put(funding, slot, fundingUsd, FUNDED) |
          put(price, slot, seen.price, PRICED),
      )
    },
    distanceAt(slot, priceOf) {
      const has = flags.get(slot)
      const now = priceOf(names.at(word.market.get(slot))) ?? (has & PRICED ? price.get(slot) : null)
      if (now === null || (has & LIQUIDATES) === 0) return Infinity
      return distance(side({ size: size.get(slot) }), now, toNumber(liquidation.get(slot)))
    },
    clear(slot) {
      for (const column of Object.values(word)) name(column, slot, null)
      const number = account.get(slot)
      if (number > 0) words.drop(number)
      account.set(slot, 0)
      flags.set(slot, 0)
    },
  }
}

/** Returns the market to judge a position by; undefined where the stored figures of the position no longer hold. */
export type MarketOf = (position: Position, kept: SeenPosition['kept']) => Reading<Market> | undefined

/** A position of an answer that shows what the last one did. */
export interface ComparedPosition {
  position: Position
  words: PositionWords
  market: Reading<Market>
  /** Its liquidation price has moved. */
  isDrifted: boolean
}

/** The positions of one wallet at one venue, as a list of slots. */
export interface SlotList {
  wallet: Wallet
  /** Its number among the words. */
  word: number
  /** The slot of its first position; negative where there is none. */
  first: number
}

/** The positions of all wallets, each a list of slots in the same columns. */
interface PositionSlots {
  positions: PositionColumns
  /** The slot behind this one; negative behind the last. */
  next(slot: number): number
  read(list: SlotList): ReadonlyMap<string, SeenPosition>
  /** Compares these with what the list holds. Null where any other figure moved, or the order is another one. */
  compare(list: SlotList, shown: readonly Position[], marketOf: MarketOf): ComparedPosition[] | null
  /** Writes them into the slots that the list has, and into as many more as it needs. */
  write(list: SlotList, held: Iterable<SeenPosition>): void
  holders: WalletsByMarket
}

export function createPositionSlots(words: Words): PositionSlots {
  const positions = createPositionColumns(words)
  const holders = createWalletsByMarket(words)
  /** One more than the next slot; 0 for the last. */
  const nexts = ints()
  const free: number[] = []
  let slots = 0
  const next = (slot: number) => nexts.get(slot) - 1
  return {
    positions,
    next,
    holders,
    read({ wallet, first }) {
      const held = new Map<string, SeenPosition>()
      for (let slot = first; slot >= 0; slot = next(slot)) {
        const seen = positions.read(slot, wallet)
        held.set(positionKey(seen.position), seen)
      }
      return held
    },
    compare({ first, word }, shown, marketOf) {
      const compared: ComparedPosition[] = []
      let slot = first
      for (const position of shown) {
        if (slot < 0 || !positions.shows(slot, position)) return null
        const market = marketOf(position, positions.keptAt(slot))
        if (market === undefined) return null
        const isDrifted = !positions.liquidatesAt(slot, position.liquidationPrice)
        compared.push({ position, words: positions.wordsAt(slot, word), market, isDrifted })
        slot = next(slot)
      }
      return slot < 0 ? compared : null
    },
    write(list, held) {
      let [before, slot] = [-1, list.first]
      for (const seen of held) {
        if (slot < 0) {
          slot = free.pop() ?? slots++
          if (before < 0) list.first = slot
          else nexts.set(before, slot + 1)
          nexts.set(slot, 0)
        }
        holders.move(slot, list.word, positions.marketAt(slot), seen.position.marketId)
        positions.write(slot, seen)
        before = slot
        slot = next(slot)
      }
      if (before < 0) list.first = -1
      else nexts.set(before, 0)
      for (let left = slot; left >= 0; left = next(left)) {
        holders.move(left, list.word, positions.marketAt(left), '')
        positions.clear(left)
        free.push(left)
      }
    },
  }
}

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

/**
 * By the slots of positions, which exist anyway: a map of wallets for each market would be several times as
 * large.
 */
function createWalletsByMarket(words: Words): MarketHolders {
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
