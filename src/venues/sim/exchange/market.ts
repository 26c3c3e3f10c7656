import { type Amount, divide, magnitude } from '../../../venue/amount.ts'
import { fundingPerUnit, fundingRate, fundingVelocity } from '../maths/amm.ts'
import { liquidatableNow, maxLiquidationAmountInWindow } from '../maths/liquidation.ts'
import type { MarketTerms } from '../maths/terms.ts'
import { createDay, type Day, type DayBefore } from './day.ts'

/** A market's state. The size of each side is the exact sum of its positions. */
export interface Market {
  readonly terms: MarketTerms
  /** Base units that one window may liquidate; 0 is no limit. */
  readonly windowCapacity: Amount
  /** USD per unit. */
  indexPrice: Amount
  /** Base units, never negative. */
  longs: Amount
  shorts: Amount
  /** Per day, at `fundingAtSeconds`. */
  fundingRate: Amount
  /** USD that a long of one unit has received from the market's start until `fundingAtSeconds`. */
  fundingValue: Amount
  fundingAtSeconds: number
  /** The last result of `fundingAt`: all positions of a market ask for the same one at once. */
  accrued: Accrued | null
  /** The liquidations that may still count against the window. */
  liquidated: { atSeconds: bigint; size: Amount }[]
  day: Day
}

/** A result of `fundingAt` with its inputs. */
interface Accrued {
  readonly rate: Amount
  readonly value: Amount
  readonly nowSeconds: number
  readonly of: Pick<
    Market,
    'indexPrice' | 'longs' | 'shorts' | 'fundingRate' | 'fundingValue' | 'fundingAtSeconds'
  >
}

const DAY_SECONDS = 86_400n

/** A new market without positions. */
export interface MarketStart {
  terms: MarketTerms
  indexPrice: Amount
  fundingRate: Amount
  before: DayBefore
}

export function createMarket(start: MarketStart, nowSeconds: number): Market {
  const { terms, indexPrice, fundingRate, before } = start
  const { liquidationWindowSeconds, liquidationWindowMultiplier } = terms
  return {
    terms,
    windowCapacity: maxLiquidationAmountInWindow({
      ...terms,
      multiplier: liquidationWindowMultiplier,
      windowSeconds: BigInt(liquidationWindowSeconds),
    }),
    ...{ indexPrice, longs: 0n, shorts: 0n, fundingRate, fundingValue: 0n, fundingAtSeconds: nowSeconds },
    ...{
      accrued: null,
      liquidated: [],
      day: createDay(before, nowSeconds, Number(terms.daySeconds ?? DAY_SECONDS)),
    },
  }
}

export function skewOf({ longs, shorts }: Market): Amount {
  return longs - shorts
}

/** The change of the daily rate per day. */
export function velocityOf(market: Market): Amount {
  return fundingVelocity({ ...market.terms, skew: skewOf(market) })
}

/** The current rate per day, and the USD that a long of one unit has received since the market's start. */
export function fundingAt(market: Market, nowSeconds: number): { rate: Amount; value: Amount } {
  const { indexPrice, longs, shorts, fundingRate: prevRate, fundingValue, fundingAtSeconds } = market
  if (nowSeconds === fundingAtSeconds) return { rate: prevRate, value: fundingValue }
  const known = market.accrued
  if (known?.nowSeconds === nowSeconds && isOf(known, market)) return known
  const { skewScale, maxFundingVelocity, daySeconds = DAY_SECONDS } = market.terms
  const seconds = BigInt(nowSeconds - fundingAtSeconds)
  const rate = fundingRate({
    ...{ skewScale, maxFundingVelocity, daySeconds },
    ...{ skew: longs - shorts, prevRate, seconds },
  })
  const value = fundingValue + fundingPerUnit({ prevRate, rate, seconds, daySeconds, indexPrice })
  const of = { indexPrice, longs, shorts, fundingRate: prevRate, fundingValue, fundingAtSeconds }
  market.accrued = { rate, value, nowSeconds, of }
  return market.accrued
}

function isOf({ of }: Accrued, market: Market): boolean {
  return (
    of.indexPrice === market.indexPrice &&
    of.longs === market.longs &&
    of.shorts === market.shorts &&
    of.fundingRate === market.fundingRate &&
    of.fundingValue === market.fundingValue &&
    of.fundingAtSeconds === market.fundingAtSeconds
  )
}

/** Writes the funding down, as the contracts do at each commit, settlement and liquidation. */
export function recordFunding(market: Market, nowSeconds: number): void {
  const { rate, value } = fundingAt(market, nowSeconds)
  market.fundingRate = rate
  market.fundingValue = value
  market.fundingAtSeconds = nowSeconds
}

/** Counts a changed position in the sizes of the sides. */
export function resize(market: Market, from: Amount, to: Amount): void {
  market.longs += long(to) - long(from)
  market.shorts += long(-to) - long(-from)
}

/** Base units that a position's side would hold after the change. */
export function sideAfter(market: Market, from: Amount, to: Amount): Amount {
  return to > 0n ? market.longs + to - long(from) : market.shorts + long(-to) - long(-from)
}

/** Base units of a position that may be liquidated now. */
export function liquidationRoom(market: Market, size: Amount, nowSeconds: number): Amount {
  const { terms, windowCapacity: capacity, liquidated: done } = market
  if (capacity === 0n) return magnitude(size)
  const now = BigInt(nowSeconds)
  const windowSeconds = BigInt(terms.liquidationWindowSeconds)
  const left = liquidatableNow({ size, capacity, windowSeconds, nowSeconds: now, done })
  if (left > 0n || !isCalm(market) || done.at(-1)?.atSeconds === now) return left
  return magnitude(size) < capacity ? magnitude(size) : capacity
}

export function recordLiquidation(market: Market, size: Amount, nowSeconds: number): void {
  const atSeconds = BigInt(nowSeconds)
  const { liquidated } = market
  const since = atSeconds - BigInt(market.terms.liquidationWindowSeconds)
  while ((liquidated[0]?.atSeconds ?? atSeconds) < since) liquidated.shift()
  const last = liquidated.at(-1)
  if (last?.atSeconds === atSeconds) last.size += size
  else liquidated.push({ atSeconds, size })
}

function isCalm(market: Market): boolean {
  const { skewScale, maxLiquidationPd } = market.terms
  if (skewScale === 0n) return false
  return divide(magnitude(skewOf(market)), skewScale) < maxLiquidationPd
}

function long(size: Amount): Amount {
  return size > 0n ? size : 0n
}
