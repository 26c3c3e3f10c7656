import type { Amount } from './amount.ts'

/**
 * One market of the venue, in our units: sizes in the base asset, prices in USD per unit, values in USD.
 * What Perch judges by is always there; the rest is null when the venue left it out or wrote it unreadably.
 */
export interface Market {
  id: string
  /** As the venue writes it (`Sol` beside `BTC`): compare without case. */
  symbol: string
  /** The price by which the venue liquidates; every distance is measured from it. */
  price: Amount
  /** Which of its prices that is, as texts name it. */
  priceName: 'index' | 'mark'
  /** Fraction per day; positive means longs pay shorts. */
  fundingRatePerDay: Amount
  /** Change of that rate, per day per day. */
  fundingVelocityPerDay: Amount | null
  /** The other of the two, where the venue has it. */
  otherPrice: Amount | null
  /** A market that is settled takes no orders, and no position in it can be liquidated any more. */
  delisted: boolean
  /** Positions here never share their margin. */
  isolatedOnly: boolean
  /** The book of the venue that it is in, as people type it before a colon: `xyz`; null where there is one only. */
  dex: string | null
  /** The one account of a wallet that can hold it; null where any of its accounts may. */
  accountId: string | null
  /** Funding is paid at every multiple of this (Unix time); null where it accrues all the time. */
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
  /** What must be kept for a small position, as a fraction of its notional. */
  maintenanceRatio: Amount | null
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

/** When funding is paid next; null where it accrues all the time. */
export function nextFunding({ fundingEveryMs }: Market, now: number): number | null {
  return fundingEveryMs === null ? null : (Math.floor(now / fundingEveryMs) + 1) * fundingEveryMs
}

/** What it is called in its book: `NVDA` of `xyz:NVDA`. */
export function bareSymbol({ symbol, dex }: Pick<Market, 'symbol' | 'dex'>): string {
  return dex !== null && symbol.startsWith(`${dex}:`) ? symbol.slice(dex.length + 1) : symbol
}

/** The book of the venue's own, as people type it. */
export const MAIN_DEX = 'main'

/** The books of these markets, the venue's own first; none where there is one only, without a name. */
export function dexesOf(markets: ReadonlyMap<string, { value: Market }>): string[] {
  const built = new Set([...markets.values()].flatMap(({ value: { dex } }) => dex ?? []))
  return built.size === 0 ? [] : [MAIN_DEX, ...[...built].toSorted()]
}

/** Those that are called so in some book, without regard to case; what is delisted is in nobody's way. */
export function marketsCalled(markets: Iterable<Market>, bare: string): Market[] {
  const wanted = bare.toLowerCase()
  return [...markets].filter((market) => !market.delisted && bareSymbol(market).toLowerCase() === wanted)
}

/** The market whose symbol is meant, without regard to case; undefined when none is. */
export function findMarket(markets: Iterable<Market>, symbol: string): Market | undefined {
  const wanted = symbol.toLowerCase()
  for (const market of markets) if (market.symbol.toLowerCase() === wanted) return market
  return undefined
}
