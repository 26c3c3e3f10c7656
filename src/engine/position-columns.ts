import type { Amount } from '../amount.ts'
import { bigints, doubles, ints } from '../lib/paged.ts'
import type { Column } from '../lib/paged.ts'
import type { Words } from '../lib/words.ts'
import type { Owner } from '../owner.ts'
import type { Position } from '../position.ts'
import type { SeenPosition } from './owner-view.ts'

/**
 * Positions as numbers, by slot: some hundred and fifty bytes each, where objects take a thousand, and none that have to be
 * looked through when others are cleared away.
 */
export interface PositionColumns {
  /** In a slot that has been empty since it was cleared, or in place of what it had. */
  write(slot: number, seen: SeenPosition): void
  read(slot: number, owner: Owner): SeenPosition
  marketAt(slot: number): string
  clear(slot: number): void
}

/** What is not null, and what is so, a bit each; the two lowest say how its margin is. */
const MARGINS = [null, 'cross', 'isolated'] as const
const [LIQUIDATES, FUNDED, LEVERED, DATED, PRICED, MISSING] = [4, 8, 16, 32, 64, 128]
const [END_SOUGHT, DOUBTED_NONE, KEPT, KEPT_LIQUIDATES] = [256, 512, 1024, 2048]

export function createPositionColumns(words: Words): PositionColumns {
  const flags = ints()
  const word = { account: ints(), market: ints(), symbol: ints() }
  const [size, entry, liquidation, funding, kept] = [bigints(), bigints(), bigints(), bigints(), bigints()]
  const [leverage, openedAt, price] = [doubles(), doubles(), doubles()]
  const [seenAt, seenTick, missingSince] = [doubles(), doubles(), doubles()]

  function name(column: Column<number>, slot: number, next: string | null): void {
    const before = column.get(slot)
    if (before > 0 && words.at(before) === next) return
    if (before > 0) words.drop(before)
    column.set(slot, next === null ? 0 : words.take(next))
  }
  /** The flag, when there is a value. */
  function put<N>(column: Column<N>, slot: number, value: N | null, flag: number): number {
    if (value === null) return 0
    column.set(slot, value)
    return flag
  }

  return {
    write(slot, { position, ...seen }) {
      name(word.account, slot, position.accountId)
      name(word.market, slot, position.marketId)
      name(word.symbol, slot, seen.kept?.symbol ?? null)
      size.set(slot, position.size)
      entry.set(slot, position.entryPrice)
      seenAt.set(slot, seen.seenAt)
      seenTick.set(slot, seen.seenTick)
      flags.set(
        slot,
        MARGINS.indexOf(position.margin) |
          put(liquidation, slot, position.liquidationPrice, LIQUIDATES) |
          put(funding, slot, position.fundingUsd, FUNDED) |
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
    read(slot, owner) {
      const has = flags.get(slot)
      const number = (column: Column<number>, flag: number) => (has & flag ? column.get(slot) : null)
      const amount = (column: Column<Amount>, flag: number) => (has & flag ? column.get(slot) : null)
      const symbol = word.symbol.get(slot)
      const position: Position = {
        owner,
        accountId: words.at(word.account.get(slot)),
        marketId: words.at(word.market.get(slot)),
        size: size.get(slot),
        entryPrice: entry.get(slot),
        liquidationPrice: amount(liquidation, LIQUIDATES),
        margin: MARGINS[has & 3] ?? null,
        leverage: number(leverage, LEVERED),
        fundingUsd: amount(funding, FUNDED),
        openedAt: number(openedAt, DATED),
      }
      const isKept = (has & KEPT) > 0
      return {
        position,
        seenAt: seenAt.get(slot),
        seenTick: seenTick.get(slot),
        price: number(price, PRICED),
        missingSince: number(missingSince, MISSING),
        endSought: (has & END_SOUGHT) > 0,
        doubtedNone: (has & DOUBTED_NONE) > 0,
        kept: isKept
          ? { liquidationPrice: amount(kept, KEPT_LIQUIDATES), symbol: symbol > 0 ? words.at(symbol) : null }
          : null,
      }
    },
    marketAt: (slot) => words.at(word.market.get(slot)),
    clear(slot) {
      for (const column of Object.values(word)) name(column, slot, null)
      flags.set(slot, 0)
    },
  }
}
