import { type Amount, divide, magnitude, multiply } from '../../venue/amount.ts'
import type { Position } from '../../venue/position.ts'
import type { LedgerFill } from '../../venue/record/ledger.ts'

/** A position at some time of the past, as its fills show it. */
interface PastPosition {
  marketId: string
  /** Signed base units, never zero. */
  size: Amount
  entryPrice: Amount
}

type Shown = Pick<Position, 'accountId' | 'marketId' | 'size' | 'entryPrice'>

/**
 * The positions at a time, from those of now and the fills since then, the oldest first. Null: a fill is missing, or an
 * entry price cannot be found.
 */
export function positionsThen(
  now: readonly Shown[],
  fillsSince: readonly LedgerFill[],
): readonly PastPosition[] | null {
  const keyOf = ({ accountId, marketId }: Pick<Shown, 'accountId' | 'marketId'>) =>
    JSON.stringify([accountId, marketId])
  const held = new Map(now.map((position) => [keyOf(position), position]))
  const fills = Map.groupBy(fillsSince, keyOf)
  const then: PastPosition[] = []
  for (const key of new Set([...held.keys(), ...fills.keys()])) {
    const position = held.get(key) ?? null
    const own = fills.get(key) ?? []
    const found = own[0] ?? position
    const size = own[0]?.before ?? position?.size ?? 0n
    if (!isChain(own, position?.size ?? 0n)) return null
    if (size === 0n || found === null) continue
    const entryPrice = entryThen(size, own, position?.entryPrice ?? null)
    if (entryPrice === null) return null
    then.push({ marketId: found.marketId, size, entryPrice })
  }
  return then
}

/** Whether each fill begins with the size that the one before has left, and the last one leaves the present size. */
function isChain(fills: readonly LedgerFill[], sizeNow: Amount): boolean {
  return fills.every(({ before, size }, place) => before + size === (fills[place + 1]?.before ?? sizeNow))
}

/**
 * The entry price before these fills. An entry moves with each fill that adds, by its price; it is known at the first
 * fill that closes, whose result it gives, or from the present position.
 */
function entryThen(size: Amount, fills: readonly LedgerFill[], entryNow: Amount | null): Amount | null {
  let [added, cost] = [0n, 0n]
  for (const fill of fills) {
    if (fill.size < 0n !== size < 0n) {
      const closed = smaller(magnitude(fill.size), magnitude(fill.before))
      const signed = size < 0n ? -closed : closed
      return withoutAdded(fill.price - divide(fill.realisedUsd, signed), size, { added, cost })
    }
    added += fill.size
    cost += multiply(fill.size, fill.price)
  }
  return entryNow === null ? null : withoutAdded(entryNow, size, { added, cost })
}

function withoutAdded(entry: Amount, size: Amount, { added, cost }: { added: Amount; cost: Amount }): Amount {
  return added === 0n ? entry : divide(multiply(entry, size + added) - cost, size)
}

function smaller(a: Amount, b: Amount): Amount {
  return a < b ? a : b
}

/** The open PnL of these positions at these prices; null if one of the prices is unknown. */
export function openPnl(
  positions: readonly PastPosition[],
  priceOf: (marketId: string) => Amount | null,
): Amount | null {
  let sum = 0n
  for (const { marketId, size, entryPrice } of positions) {
    const price = priceOf(marketId)
    if (price === null) return null
    sum += multiply(size, price - entryPrice)
  }
  return sum
}
