import { type Amount, fromNumber, magnitude, multiply } from './amount.ts'
import { type Position, type Side, side } from './position.ts'
import type { CloseRecord } from './venue.ts'

/** A position that ended, and what is known of its price there. */
export interface Ended {
  /** As last seen. */
  position: Position
  symbol: string
  cause: 'closed' | 'liquidated' | 'probably liquidated' | 'settled' | 'unknown'
  /** By the venue's own record; null where it has none. */
  ending: CloseRecord | null
  /** Null when we never had a price beside it. */
  lastPrice: number | null
  /** The market's when it was found gone, where we looked all along: what closes a position by itself does so at a price of then. */
  priceAfter?: number | null
  /** Of its market, a fraction of the notional; null where the venue does not say. */
  takerFee: Amount | null
}

/** What an end brought, as history keeps it. USD and exact; null is not known, never nothing. */
export interface CloseOutcome {
  accountId: string
  marketId: string
  symbol: string
  side: Side
  /** Reduced: the rest of it is still open. */
  how: Ended['cause'] | 'reduced'
  /** How much of it ended so, unsigned base units. */
  size: Amount
  entryPrice: Amount
  exitPrice: Amount | null
  /** Of the trade alone. */
  tradeUsd: Amount | null
  /** Of the trades that closed it; below zero was paid back. */
  feesUsd: Amount | null
  /** Since it was opened, as last seen; above zero was received. It is in no other figure. */
  fundingUsd: Amount | null
  /** By the venue's record, Unix milliseconds. */
  endedAt: number | null
  /** Worked out from what was last seen: the venue has not said so. */
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
  const priceUsd = exitPrice === null ? null : multiply(position.size, exitPrice - entryPrice)
  // Nobody who is liquidated has gained, whatever the price did: something else has cost it.
  const tradeUsd = cause === 'probably liquidated' && priceUsd !== null && priceUsd > 0n ? null : priceUsd
  // What a liquidation or a settlement costs beside the price is the venue's own affair.
  const isTaken = cause === 'closed' && exitPrice !== null && takerFee !== null
  const feesUsd = isTaken ? multiply(multiply(size, exitPrice), takerFee) : null
  return { ...about, size, exitPrice, tradeUsd, feesUsd, estimate: true }
}

/**
 * A part of it was closed: what that brought is what the venue says more than before. Where it says nothing, that is estimated at
 * the price of now. One that was opened anew since then begins at nothing, and tells nothing of the other.
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
    // What came since it was opened belongs to its end.
    ...{ fundingUsd: null, endedAt: null },
  }
  if (realised !== null && before.realisedPnlUsd !== null) {
    const tradeUsd = realised - before.realisedPnlUsd
    return { ...about, exitPrice: null, tradeUsd, feesUsd: null, estimate: false }
  }
  const { price, takerFee } = market
  if (price === null) return null
  const gained = multiply(closed, price - entryPrice)
  const tradeUsd = size < 0n ? -gained : gained
  const feesUsd = takerFee === null ? null : multiply(multiply(closed, price), takerFee)
  return { ...about, exitPrice: price, tradeUsd, feesUsd, estimate: true }
}

/** Where nobody has said it: how it ended decides, and where that is not known there is none. */
function guessedExit(
  cause: Ended['cause'],
  { liquidationPrice }: Position,
  lastPrice: number | null,
): Amount | null {
  const last = lastPrice === null ? null : fromNumber(lastPrice)
  if (cause === 'unknown') return null
  return cause === 'closed' || cause === 'settled' ? last : (liquidationPrice ?? last)
}

/** What is left of the trade when its fees are paid, those that are known; null when the trade itself is not. */
export function realisedUsd({
  tradeUsd,
  feesUsd,
}: Pick<CloseOutcome, 'tradeUsd' | 'feesUsd'>): Amount | null {
  return tradeUsd === null ? null : tradeUsd - (feesUsd ?? 0n)
}
