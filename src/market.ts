import type { Amount } from './amount.ts'

/**
 * One market of the venue, in our units: sizes in the base asset, prices in USD per unit, values in USD.
 * What Perch judges by is always there; the rest is null when the venue left it out or wrote it unreadably.
 */
export interface Market {
  id: string
  /** As the venue writes it (`Sol` beside `BTC`): compare without case. */
  symbol: string
  /** The index price. */
  price: Amount
  /** Fraction per day; positive means longs pay shorts. */
  fundingRatePerDay: Amount
  /** Change of that rate, per day per day. */
  fundingVelocityPerDay: Amount | null
  /** Where the venue has one. No distance is measured from it. */
  markPrice: Amount | null
  price24hAgo: Amount | null
  skew: Amount | null
  openInterest: Amount | null
  longOpenInterest: Amount | null
  shortOpenInterest: Amount | null
  maxOpenInterest: Amount | null
  /** USD. */
  maxOpenInterestUsd: Amount | null
  liquidityLongUsd: Amount | null
  liquidityShortUsd: Amount | null
  /** Fractions of the notional. */
  makerFee: Amount | null
  takerFee: Amount | null
  trades24h: number | null
  volume24hUsd: Amount | null
}

/** Hours until the funding rate changes sign at today's velocity; null when it is not on its way to zero. */
export function hoursToFlip(market: Market): number | null {
  const rate = Number(market.fundingRatePerDay)
  const velocity = Number(market.fundingVelocityPerDay ?? 0n)
  if (velocity === 0 || rate === 0 || Math.sign(rate) === Math.sign(velocity)) return null
  return (-rate / velocity) * 24
}

/** The market whose symbol is meant, without regard to case; undefined when none is. */
export function findMarket(markets: Iterable<Market>, symbol: string): Market | undefined {
  const wanted = symbol.toLowerCase()
  for (const market of markets) if (market.symbol.toLowerCase() === wanted) return market
  return undefined
}
