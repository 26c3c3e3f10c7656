import type { Amount } from './amount.ts'
import { venueOf } from './venue-name.ts'

/**
 * One market of the venue, in our units: sizes in the base asset, prices in USD per unit, values in USD. The
 * fields that rules are judged by are always set. The rest is null if the venue left it out or wrote it
 * unreadably.
 */
export interface Market {
  id: string
  /** As the venue writes it (`Sol` beside `BTC`): compare without case. */
  symbol: string
  /** The price by which the venue liquidates. Every distance is measured from it. */
  price: Amount
  /** The name of that price in texts. */
  priceName: 'index' | 'mark'
  /** Fraction per day; positive means longs pay shorts. */
  fundingRatePerDay: Amount
  /** Change of that rate, per day per day. */
  fundingVelocityPerDay: Amount | null
  /** The price by which funding is paid, if it is another one. */
  fundingPrice?: Amount
  /** The other price, mark or index, if the venue has it. */
  otherPrice: Amount | null
  /** A settled market takes no orders, and no position in it can be liquidated any more. */
  delisted: boolean
  /** Positions in this market never share their margin. */
  isolatedOnly: boolean
  /** The market's dex, as people type it before a colon: `xyz`. Null if the venue has only one. */
  dex: string | null
  /** The only account of a wallet that can hold it; null if any account can. */
  accountId: string | null
  /** Funding is paid at every multiple of this (Unix time); null if it accrues all the time. */
  fundingEveryMs: number | null
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
  /** The maintenance margin of a small position, as a fraction of its notional. */
  maintenanceRatio: Amount | null
  trades24h: number | null
  volume24hUsd: Amount | null
}

/**
 * Returns the hours until the funding rate changes sign at today's velocity; null if it does not move towards
 * zero.
 */
export function hoursToFlip(market: Market): number | null {
  const rate = Number(market.fundingRatePerDay)
  const velocity = Number(market.fundingVelocityPerDay ?? 0n)
  if (velocity === 0 || rate === 0 || Math.sign(rate) === Math.sign(velocity)) return null
  return (-rate / velocity) * 24
}

/** Returns the time of the next funding payment; null if funding accrues all the time. */
export function nextFunding({ fundingEveryMs }: Market, now: number): number | null {
  return fundingEveryMs === null ? null : (Math.floor(now / fundingEveryMs) + 1) * fundingEveryMs
}

/** Returns the symbol without its dex: `NVDA` for `xyz:NVDA`. */
export function bareSymbol({ symbol, dex }: Pick<Market, 'symbol' | 'dex'>): string {
  return dex !== null && symbol.startsWith(`${dex}:`) ? symbol.slice(dex.length + 1) : symbol
}

/** The name of the venue's main dex, as people type it. */
export const MAIN_DEX = 'main'

/**
 * Returns the dexes of these markets, the main one first; empty if the venue has only one, without a name. The main
 * dexes of several venues are called like their venues, and stand first.
 */
export function dexesOf(
  markets: ReadonlyMap<string, { value: Market }>,
  venues: readonly string[],
): string[] {
  const built = new Set([...markets.values()].flatMap(({ value: { dex } }) => dex ?? []))
  if (built.size === 0 && venues.length === 0) return []
  const main = venues.length === 0 ? [MAIN_DEX] : venues
  return [...main, ...[...built].filter((dex) => !main.includes(dex)).toSorted()]
}

/**
 * Returns the markets with this name in any dex, without regard to case. Delisted markets do not count. With several
 * venues, it is the first venue that lists the name, and there its main dex before the others.
 */
export function marketsCalled(
  markets: Iterable<Market>,
  bare: string,
  [, ...others]: readonly string[],
): Market[] {
  const wanted = bare.toLowerCase()
  const called = [...markets].filter(
    (market) => !market.delisted && bareSymbol(market).toLowerCase() === wanted,
  )
  for (const venue of [null, ...others]) {
    const there = called.filter(({ id }) => (venueOf(id, others) ?? null) === venue)
    const main = there.find(({ dex }) => dex === venue)
    if (others.length > 0 && main) return [main]
    if (there.length > 0) return there
  }
  return []
}

/** Returns the markets of the same coin at the other venues, in their order. */
export function sameCoinElsewhere(
  market: Market,
  markets: Iterable<Market>,
  venues: readonly string[],
): Market[] {
  const [first, ...others] = venues
  if (first === undefined || others.length === 0) return []
  const own = venueOf(market.id, others)
  const listed = [...markets].filter(({ id }) => venueOf(id, others) !== own)
  return [undefined, ...others].flatMap((venue) => {
    const there = listed.filter(({ id }) => venueOf(id, others) === venue)
    return marketsCalled(there, bareSymbol(market), venues)
  })
}

/** Finds the market by its symbol, without regard to case. */
export function findMarket(markets: Iterable<Market>, symbol: string): Market | undefined {
  const wanted = symbol.toLowerCase()
  for (const market of markets) if (market.symbol.toLowerCase() === wanted) return market
  return undefined
}
