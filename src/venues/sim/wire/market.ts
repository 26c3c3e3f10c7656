import { z } from 'zod'

import { type Amount, multiply, ONE } from '../../../venue/amount.ts'
import { lookBack } from '../exchange/day.ts'
import { fundingAt, type Market, skewOf, velocityOf } from '../exchange/market.ts'
import { chainSchema, fixedSchema, idSchema, nearest, plain, plainSchema, wholeSchema } from './figures.ts'

const price = (meaning: string) => plainSchema(`USD per unit${meaning}.`).positive()
const openInterest = z
  .string()
  .regex(/^\d+\.00$/)
  .describe('Base units × 10^18, followed by two decimals.')
const share = (side: string) =>
  z
    .string()
    .regex(/^\d{1,3}\.\d\d$/)
    .describe(`Percent of all open interest that is ${side}, with two decimals.`)
const rate = (meaning: string) => fixedSchema(`Percent: ${meaning},`)
const interest = z.literal('0').describe('Percent: no interest is taken.')

export const marketSchema = z.strictObject({
  marketId: idSchema('The number of the market, in digits.'),
  symbol: z.string().min(1).describe('What is traded, as the venue writes it: ETH, but Sol.'),
  skew: fixedSchema('Base units by which the longs hold more than the shorts,'),
  price: price(': the index'),
  currentOI: fixedSchema('Base units that both sides hold,'),
  currentFundingRate: fixedSchema('A fraction per day that longs pay to shorts,'),
  currentFundingVelocity: fixedSchema('By how much the rate of a day changes in a day,'),
  makerFeeRatio: fixedSchema('A fraction of the value,'),
  takerFeeRatio: fixedSchema('A fraction of the value,'),
  skewScale: fixedSchema('Base units,'),
  maxMarketSize: fixedSchema('Base units that one side may hold,'),
  maxMarketValue: fixedSchema('USD that one side may hold,'),
  tradesCount24h: wholeSchema('Fills of the last 24 hours.'),
  tradesVolume24h: plainSchema('USD of the fills of the last 24 hours.').min(0),
  price24HrAgo: price(' 24 hours ago'),
  longOI: openInterest,
  shortOI: openInterest,
  currentSkew: fixedSchema('The same as skew,'),
  positiveSkew: share('long'),
  negativeSkew: share('short'),
  availableLiquidityLong: fixedSchema('USD for which longs can still be opened,'),
  availableLiquidityShort: fixedSchema('USD for which shorts can still be opened,'),
  currentFundingRate1HInPercentage: rate('funding of an hour'),
  currentFundingRate8HInPercentage: rate('funding of eight hours'),
  currentFundingRate1YInPercentage: rate('funding of a year'),
  currentInterestRate1HInPercentage: interest,
  currentInterestRate8HInPercentage: interest,
  currentInterestRate1YInPercentage: interest,
  netLongFundingRate1HInPercentage: rate('what a long receives in an hour'),
  netLongFundingRate8HInPercentage: rate('what a long receives in eight hours'),
  netLongFundingRate1YInPercentage: rate('what a long receives in a year'),
  netShortFundingRate1HInPercentage: rate('what a short receives in an hour'),
  netShortFundingRate8HInPercentage: rate('what a short receives in eight hours'),
  netShortFundingRate1YInPercentage: rate('what a short receives in a year'),
})

export type MarketRecord = z.infer<typeof marketSchema>

export const chainMarketsSchema = z.strictObject({
  chainId: chainSchema,
  markets: z.array(marketSchema).describe('All markets of the chain.'),
})

export const marketListSchema = z.array(chainMarketsSchema)

/** A market in the venue's format, with the venue's order of fields. */
export function marketRecord(market: Market, nowSeconds: number): MarketRecord {
  const { terms, longs, shorts, indexPrice } = market
  const before = lookBack(market.day, nowSeconds)
  const skew = skewOf(market).toString()
  const long = sharePercent(longs, longs + shorts)
  return {
    ...{ marketId: terms.id, symbol: terms.symbol, skew, price: plain(indexPrice) },
    currentOI: (longs + shorts).toString(),
    currentFundingRate: fundingAt(market, nowSeconds).rate.toString(),
    currentFundingVelocity: velocityOf(market).toString(),
    makerFeeRatio: terms.makerFee.toString(),
    takerFeeRatio: terms.takerFee.toString(),
    skewScale: terms.skewScale.toString(),
    maxMarketSize: terms.maxMarketSize.toString(),
    maxMarketValue: terms.maxMarketValue.toString(),
    tradesCount24h: before.count,
    tradesVolume24h: plain(before.volumeUsd),
    price24HrAgo: plain(before.price),
    ...{ longOI: `${longs}.00`, shortOI: `${shorts}.00`, currentSkew: skew },
    positiveSkew: hundredths(long),
    negativeSkew: hundredths(10_000n - long),
    availableLiquidityLong: liquidity(market, longs).toString(),
    availableLiquidityShort: liquidity(market, shorts).toString(),
    ...rates(fundingAt(market, nowSeconds).rate),
  }
}

/** The share of one side in hundredths of a percent; half if there is no open interest. */
function sharePercent(side: Amount, both: Amount): bigint {
  return both === 0n ? 5_000n : nearest(side * 10_000n, both)
}

function hundredths(percent: bigint): string {
  const digits = percent.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** USD, rounded like the recorded venue. Without a value limit, the size limit counts alone. */
function liquidity({ terms, indexPrice }: Market, side: Amount): Amount {
  const bySize = multiply(terms.maxMarketSize, indexPrice)
  const { maxMarketValue } = terms
  const most = maxMarketValue > 0n && maxMarketValue < bySize ? maxMarketValue : bySize
  return most - nearest(side * indexPrice, ONE)
}

/** The rates of longs and shorts have the sign of a receipt: a payment is below zero. */
function rates(perDay: Amount) {
  const [hour, eight, year] = [nearest(perDay * 100n, 24n), nearest(perDay * 800n, 24n), perDay * 36_500n]
  return {
    currentFundingRate1HInPercentage: hour.toString(),
    currentFundingRate8HInPercentage: eight.toString(),
    currentFundingRate1YInPercentage: year.toString(),
    currentInterestRate1HInPercentage: '0' as const,
    currentInterestRate8HInPercentage: '0' as const,
    currentInterestRate1YInPercentage: '0' as const,
    netLongFundingRate1HInPercentage: (-hour).toString(),
    netLongFundingRate8HInPercentage: (-eight).toString(),
    netLongFundingRate1YInPercentage: (-year).toString(),
    netShortFundingRate1HInPercentage: hour.toString(),
    netShortFundingRate8HInPercentage: eight.toString(),
    netShortFundingRate1YInPercentage: year.toString(),
  }
}
