import { type Amount, divide, magnitude, multiply, ONE, toNumber } from '../../../venue/amount.ts'
import type { Market } from '../../../venue/market.ts'
import type { Preview } from '../../../venue/order.ts'
import type { Held } from '../wire/positions.ts'
import {
  crossLiquidation,
  gainOf,
  isolatedLiquidation,
  maintenanceOfAll,
  type Margined,
  ratioOf,
} from './margin.ts'

/** An account and a market, as they were just read. USD and fractions of the notional. */
export interface Stand {
  crossEquity: Amount
  /** The open positions of the account. Each has the mark price of that moment. */
  held: readonly Held[]
  market: Pick<Market, 'id' | 'price' | 'takerFee' | 'delisted'>
  /** The margins of a market; null if it is not listed. */
  termsOf: (marketId: string) => { maintenance: Amount; initial: Amount } | null
}

/** The account after the order. */
interface After {
  size: Amount
  crossEquity: Amount
  /** The cross positions, the ordered one among them unless it is isolated. */
  cross: (Margined & { initial: Amount })[]
  /** The equity that covers the ordered position, if that is isolated. */
  bucket: Amount | null
}

/**
 * Estimates the effect of an order that fills at the mark price. The venue offers no preview. Null if the margins
 * of a market are missing.
 */
export function previewOf(stand: Stand, sizeDelta: Amount): Preview | null {
  const { market } = stand
  const terms = stand.termsOf(market.id)
  const before = stand.held.find(({ marketId }) => marketId === market.id) ?? null
  const fees = multiply(multiply(magnitude(sizeDelta), market.price), market.takerFee ?? 0n)
  const after = terms && afterOrder(stand, before, terms, sizeDelta, fees)
  if (terms === null || after === null) return null
  const { crossEquity, cross, bucket, size } = after
  const own: Margined = { size, mark: market.price, maintenance: terms.maintenance }
  const used = cross.reduce((sum, each) => sum + initialOf(each), 0n)
  const refusal = market.delisted
    ? 'this market is delisted and takes no orders'
    : !reduces(before?.size ?? 0n, sizeDelta) && used > crossEquity
      ? 'not enough margin for it'
      : null
  const liquidation =
    size === 0n
      ? null
      : bucket === null
        ? crossLiquidation(own, { equity: crossEquity, held: cross })
        : isolatedLiquidation(own, bucket)
  return {
    estimate: true,
    fillPrice: market.price,
    liquidationPrice: liquidation ?? 'none',
    totalFeesUsd: market.takerFee === null ? null : fees,
    marginUsagePercent: crossEquity > 0n ? 100 * toNumber(divide(used, crossEquity)) : null,
    // An isolated position is covered by itself; the account's ratio says nothing of it.
    marginRatio: bucket === null ? ratioOf(maintenanceOfAll(cross), crossEquity) : null,
    feasible: refusal === null,
    refusal,
  }
}

function afterOrder(
  { crossEquity, held, market, termsOf }: Stand,
  before: Held | null,
  terms: { maintenance: Amount; initial: Amount },
  sizeDelta: Amount,
  fees: Amount,
): After | null {
  const size = (before?.size ?? 0n) + sizeDelta
  const cross: After['cross'] = []
  for (const each of held) {
    if (each === before || each.margin === 'isolated') continue
    const others = termsOf(each.marketId)
    if (others === null) return null
    const { mark, initialFraction } = each
    cross.push({ size: each.size, mark, ...others, initial: initialFraction ?? others.initial })
  }
  const initial = before?.initialFraction ?? terms.initial
  const own = { size, mark: market.price, maintenance: terms.maintenance, initial }
  if (before?.margin !== 'isolated') {
    if (size !== 0n) cross.push(own)
    return { size, crossEquity: crossEquity - fees, cross, bucket: null }
  }
  // The mark may have moved since the position was sent.
  const worth = before.allocated + (before.unrealised ?? 0n) + gainOf(before.size, before.mark, market.price)
  const bucket = bucketAfter(before.size, worth, size, initialOf(own))
  return { size, crossEquity: crossEquity + worth - bucket - fees, cross, bucket }
}

/** An order that opens brings its initial margin along; one that closes takes its share away. */
function bucketAfter(before: Amount, worth: Amount, size: Amount, needed: Amount): Amount {
  if (size === 0n) return 0n
  if (before > 0n !== size > 0n) return needed
  const [was, is] = [magnitude(before), magnitude(size)]
  return is <= was ? (worth * is) / was : worth + (needed * (is - was)) / is
}

function initialOf({ size, mark, initial }: Margined & { initial: Amount }): Amount {
  return multiply(multiply(magnitude(size), mark), initial < ONE ? initial : ONE)
}

function reduces(size: Amount, sizeDelta: Amount): boolean {
  return size !== 0n && size > 0n !== sizeDelta > 0n && magnitude(sizeDelta) <= magnitude(size)
}
