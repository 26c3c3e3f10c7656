import { type Amount, fromNumber, magnitude, multiply } from './amount.ts'
import { type Position, type Side, side } from './position.ts'
import type { CloseRecord } from './venue.ts'

/** A position that ended, and its price there as far as it is known. */
export interface Ended {
  /** The position as last seen. */
  position: Position
  symbol: string
  /** Renamed: it is open in a market of another name. */
  cause: 'closed' | 'liquidated' | 'deleveraged' | 'probably liquidated' | 'settled' | 'renamed' | 'unknown'
  /** The venue's own record; null if it has none. */
  ending: CloseRecord | null
  /** Null if we never had a price with it. */
  lastPrice: number | null
  /**
   * The market's price when the position was found missing, if we watched without a gap. A stop or a limit
   * order closes a position at such a price.
   */
  priceAfter?: number | null
  /** The market's taker fee, a fraction of the notional; null if the venue does not say. */
  takerFee: Amount | null
}

/** The result of a close, as history stores it. USD and exact. Null is unknown, never zero. */
export interface CloseOutcome {
  accountId: string
  marketId: string
  symbol: string
  side: Side
  /** Reduced: the rest of the position is still open. */
  how: Ended['cause'] | 'reduced'
  /** The part that was closed, unsigned base units. */
  size: Amount
  entryPrice: Amount | null
  exitPrice: Amount | null
  /** The result of the trade alone. */
  tradeUsd: Amount | null
  /** Fees of the closing trades; below zero is a rebate. */
  feesUsd: Amount | null
  /**
   * Funding since the position was opened, as last seen; above zero was received. No other figure includes
   * it.
   */
  fundingUsd: Amount | null
  /** The time in the venue's record, Unix milliseconds. */
  endedAt: number | null
  /** We computed it from the last reading: the venue has not confirmed it. */
  estimate: boolean
}

export function closingOf({ position, symbol, cause, ending, takerFee, ...prices }: Ended): CloseOutcome {
  const { accountId, marketId, entryPrice, fundingUsd } = position
  const endedAt = ending?.at ?? null
  const about = {
    accountId,
    marketId,
    symbol,
    side: side(position),
    how: cause,
    entryPrice,
    fundingUsd,
    endedAt,
  }
  if (ending) {
    const { size, price, realisedPnlUsd, feesUsd } = ending
    return { ...about, size, exitPrice: price, tradeUsd: realisedPnlUsd, feesUsd, estimate: false }
  }
  const size = magnitude(position.size)
  const exitPrice = guessedExit(cause, position, prices.priceAfter ?? prices.lastPrice)
  const priceUsd =
    exitPrice === null || entryPrice === null ? null : multiply(position.size, exitPrice - entryPrice)
  // A liquidation never brings a gain. If the price says so, the loss came from elsewhere.
  const tradeUsd = cause === 'probably liquidated' && priceUsd !== null && priceUsd > 0n ? null : priceUsd
  // The venue decides alone on the costs of a liquidation or a settlement.
  const isTaken = cause === 'closed' && exitPrice !== null && takerFee !== null
  const feesUsd = isTaken ? multiply(multiply(size, exitPrice), takerFee) : null
  return { ...about, size, exitPrice, tradeUsd, feesUsd, estimate: true }
}

/**
 * Returns the outcome of a partial close: the rise of the venue's realised result. Without that result,
 * estimates it at the current price. A position that was opened anew since starts at zero and says nothing
 * about the earlier one.
 */
export function reductionOf(
  position: Position,
  before: { size: Amount; realisedPnlUsd: Amount | null },
  market: { symbol: string; price: Amount | null; takerFee: Amount | null },
): CloseOutcome | null {
  const { accountId, marketId, size, entryPrice, realisedPnlUsd: realised } = position
  const closed = magnitude(before.size) - magnitude(size)
  const isAnew = realised === 0n && before.realisedPnlUsd !== null && before.realisedPnlUsd !== 0n
  if (closed <= 0n || isAnew) return null
  const about = {
    ...{ accountId, marketId, symbol: market.symbol, side: side(position), size: closed, entryPrice },
    how: 'reduced' as const,
    // Funding since the opening belongs to the final close.
    ...{ fundingUsd: null, endedAt: null },
  }
  if (realised !== null && before.realisedPnlUsd !== null) {
    const tradeUsd = realised - before.realisedPnlUsd
    return { ...about, exitPrice: null, tradeUsd, feesUsd: null, estimate: false }
  }
  const { price, takerFee } = market
  if (price === null || entryPrice === null) return null
  const gained = multiply(closed, price - entryPrice)
  const tradeUsd = size < 0n ? -gained : gained
  const feesUsd = takerFee === null ? null : multiply(multiply(closed, price), takerFee)
  return { ...about, exitPrice: price, tradeUsd, feesUsd, estimate: true }
}

/** Guesses the exit price from the cause, if no record has it. Null if the cause is unknown. */
function guessedExit(
  cause: Ended['cause'],
  { liquidationPrice }: Position,
  lastPrice: number | null,
): Amount | null {
  const last = lastPrice === null ? null : fromNumber(lastPrice)
  if (cause === 'unknown' || cause === 'renamed') return null
  return cause === 'closed' || cause === 'settled' ? last : (liquidationPrice ?? last)
}

/** Returns the trade's result after the known fees; null if the trade's result is unknown. */
export function realisedUsd({
  tradeUsd,
  feesUsd,
}: Pick<CloseOutcome, 'tradeUsd' | 'feesUsd'>): Amount | null {
  return tradeUsd === null ? null : tradeUsd - (feesUsd ?? 0n)
}
