import { toNumber } from '../../amount.ts'
import type { Amount } from '../../amount.ts'
import { percent, usd } from '../../lib/format.ts'
import type { Market } from '../../market.ts'

/** Change over 24 hours as a fraction; null when the venue does not say. */
export function move24h({ price, price24hAgo }: Market): number | null {
  return price24hAgo === null || price24hAgo <= 0n ? null : toNumber(price) / toNumber(price24hAgo) - 1
}

/** `+1.2 %`. */
export function signed(fraction: number | null): string {
  return fraction === null ? '?' : `${fraction > 0 ? '+' : ''}${percent(fraction)}`
}

/** The yearly funding rate as a fraction; positive means longs pay. */
export function yearlyRate(market: Market): number {
  return toNumber(market.fundingRatePerDay) * 365
}

/** Open interest in USD; null when the venue does not say. */
export function openInterestUsd({ openInterest, price }: Market): number | null {
  return openInterest === null ? null : toNumber(openInterest) * toNumber(price)
}

export function usdOrUnknown(amount: Amount | null): string {
  return amount === null ? '?' : usd(toNumber(amount))
}

/** For narrow columns: `+1.2`, `-12`, without the sign of per cent. */
export function shortPercent(fraction: number | null): string {
  if (fraction === null) return '?'
  const value = fraction * 100
  const text = Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toFixed(1)
  return `${value > 0 ? '+' : ''}${text}`
}
