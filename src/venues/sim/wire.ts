import { divide, fromNumber, multiply, ONE } from '../../amount.ts'
import type { Amount } from '../../amount.ts'
import type { MarketSpec } from './catalogue.ts'
import { CHAIN_ID } from './wire/figures.ts'
import { openInterest, volumeUsd } from './trading.ts'
import type { Trading } from './trading.ts'
import type { Holding, OpenHolding } from './holding.ts'

/** A double to the venue's 18-decimal text, through its shortest decimal. */
export function fixed(value: number): string {
  return amount(value).toString()
}

/** A price as the venue writes its JSON numbers: ten significant digits. */
export function shownPrice(price: number): number {
  return Number(price.toPrecision(10))
}

/** A market record, every documented field in the documented order; all identities hold to the last digit. */
export function marketRecord(
  spec: MarketSpec,
  now: { price: number; price24HrAgo: number; skewRatio: number; ratePerDay: number; trading: Trading },
) {
  const { longs, shorts } = openInterest(spec, now.trading, now.skewRatio)
  const skew = longs - shorts
  const total = longs + shorts
  const price = amount(shownPrice(now.price))
  const most = smaller(amount(spec.maxValueUsd), multiply(amount(spec.maxSize), price))
  const rate = amount(now.ratePerDay)
  const longShare = total === 0n ? '50.00' : percent(longs, total)
  const [hour, hours, year] = [nearest(rate * 100n, 24n), nearest(rate * 800n, 24n), rate * 36_500n]
  return {
    marketId: spec.id,
    symbol: spec.symbol,
    skew: skew.toString(),
    price: shownPrice(now.price),
    currentOI: total.toString(),
    currentFundingRate: rate.toString(),
    currentFundingVelocity: (
      divide(skew, amount(spec.skewScale)) * BigInt(spec.funding.maxVelocity)
    ).toString(),
    makerFeeRatio: fixed(spec.makerFee),
    takerFeeRatio: fixed(spec.takerFee),
    skewScale: fixed(spec.skewScale),
    maxMarketSize: fixed(spec.maxSize),
    maxMarketValue: fixed(spec.maxValueUsd),
    tradesCount24h: now.trading.recent.length,
    tradesVolume24h: volumeUsd(now.trading),
    price24HrAgo: shownPrice(now.price24HrAgo),
    longOI: `${longs}.00`,
    shortOI: `${shorts}.00`,
    currentSkew: skew.toString(),
    positiveSkew: longShare,
    negativeSkew: total === 0n ? '50.00' : (100 - Number(longShare)).toFixed(2),
    availableLiquidityLong: (most - multiply(longs, price)).toString(),
    availableLiquidityShort: (most - multiply(shorts, price)).toString(),
    currentFundingRate1HInPercentage: hour.toString(),
    currentFundingRate8HInPercentage: hours.toString(),
    currentFundingRate1YInPercentage: year.toString(),
    currentInterestRate1HInPercentage: '0',
    currentInterestRate8HInPercentage: '0',
    currentInterestRate1YInPercentage: '0',
    netLongFundingRate1HInPercentage: (-hour).toString(),
    netLongFundingRate8HInPercentage: (-hours).toString(),
    netLongFundingRate1YInPercentage: (-year).toString(),
    netShortFundingRate1HInPercentage: hour.toString(),
    netShortFundingRate8HInPercentage: hours.toString(),
    netShortFundingRate1YInPercentage: year.toString(),
  }
}

/** A position record. `takeProfit` is its order record or null; `openedUnix` is in seconds. */
export function positionRecord(holding: Holding, open: OpenHolding, openedUnix: number, takeProfit: unknown) {
  const { spec, market } = holding
  const fee = market.spec.takerFee
  const side = Math.sign(open.size)
  return {
    orderType: 'DelayedOffchain',
    accountId: spec.accountId,
    chainId: CHAIN_ID,
    marketId: market.spec.id,
    size: fixed(open.size),
    totalRealisedFundingUsd: '0',
    totalRealisedPnlUsd: fixed(-Math.abs(open.size) * open.entryPrice * fee),
    unrealisedFundingUsd: fixed(open.fundingUsd),
    totalVolumeUsd: fixed(Math.abs(open.size) * open.entryPrice),
    avgEntryPrice: fixed(open.entryPrice),
    latestInteractionPrice: fixed(open.entryPrice),
    liquidationPrice: fixed(open.liquidationPrice ?? 0),
    entryTimestamp: Math.floor(openedUnix),
    breakEvenPriceIncludingClosingFee: fixed(open.entryPrice * (1 + side * 2 * fee)),
    breakEvenPriceExcludingClosingFee: fixed(open.entryPrice * (1 + side * fee)),
    totalRealisedInterestUsd: '0',
    unrealisedInterestUsd: '0',
    tpsl: takeProfit,
  }
}

function amount(value: number): Amount {
  return fromNumber(value) ?? 0n
}

/** Percent with two decimals, rounded to nearest. */
function percent(part: Amount, whole: Amount): string {
  return (Number((part * 10_000n * ONE) / whole / (ONE / 100n)) / 1e4).toFixed(2)
}

function nearest(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor / 2n : divisor / 2n
  return (dividend + half) / divisor
}

function smaller(a: Amount, b: Amount): Amount {
  return a < b ? a : b
}
