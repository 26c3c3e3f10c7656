import type { Market } from '../../src/venue/market.ts'

/** What one side receives in percent per period, as the venue's `netLong…` and `netShort…` say it; negative is paid. */
export function fundingPercent(market: Market, hours: number, side: 'long' | 'short'): number {
  const perDay = Number(market.fundingRatePerDay) / 1e16
  return (side === 'long' ? -perDay : perDay) * (hours / 24)
}
