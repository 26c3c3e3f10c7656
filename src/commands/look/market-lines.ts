import { age, percent, price, signedPercent } from '../../message/figure.ts'
import { type Text, words } from '../../message/message.ts'
import { multiply, toNumber } from '../../venue/amount.ts'
import { hoursToFlip, type Market, nextFunding } from '../../venue/market.ts'

const HOUR_MS = 3_600_000
/** A forecast beyond a day means nothing: every trade changes the velocity. */
const FORECAST_HOURS = 24

/** Change over 24 hours as a fraction; null when the venue does not say. */
export function move24h({ price, price24hAgo }: Market): number | null {
  return price24hAgo === null || price24hAgo <= 0n ? null : toNumber(price) / toNumber(price24hAgo) - 1
}

/** `BTC $97,678 index (+1.2% in 24 h)`; the change only where the venue gives it. */
export function priceTitle(market: Market): Text {
  const move = move24h(market)
  const named = { symbol: market.symbol, price: price(toNumber(market.price)), name: market.priceName }
  return move === null
    ? words('market.price', named)
    : words('market.price.moved', { ...named, move: signedPercent(move) })
}

/** The yearly funding rate as a fraction; positive means longs pay. */
export function yearlyRate(market: Market): number {
  return toNumber(market.fundingRatePerDay) * 365
}

/** Open interest in USD; null when the venue does not say. */
export function openInterestUsd({ openInterest, price }: Market): number | null {
  return openInterest === null ? null : toNumber(openInterest) * toNumber(price)
}

/**
 * How much of the cap is used, as a fraction: the cap holds for each side, so the larger side counts
 * (liquidity = min(maxMarketValue, maxMarketSize · price) − the side's open interest). Null when a figure is missing.
 */
export function capShare(market: Market): { side: 'long' | 'short'; share: number } | null {
  const {
    price,
    longOpenInterest: long,
    shortOpenInterest: short,
    maxOpenInterest,
    maxOpenInterestUsd,
  } = market
  const caps = [
    maxOpenInterestUsd,
    maxOpenInterest === null ? null : multiply(maxOpenInterest, price),
  ].filter((cap) => cap !== null)
  if (long === null || short === null || caps.length === 0) return null
  const cap = Math.min(...caps.map(toNumber))
  if (cap <= 0) return null
  const [side, larger] = short > long ? (['short', short] as const) : (['long', long] as const)
  return { side, share: toNumber(multiply(larger, price)) / cap }
}

/** `longs pay shorts`. */
export function payerText({ fundingRatePerDay: rate }: Market): Text {
  if (rate === 0n) return words('market.nobody-pays')
  return words(rate > 0n ? 'market.longs-pay' : 'market.shorts-pay')
}

/**
 * `18% a year, 0.017% in 8 h, 0.0021% an hour`, without the sign: the payer is named beside it. Where it is paid at
 * certain times, by day instead of 8 h, as that venue's traders count.
 */
export function rateText({ fundingRatePerDay, fundingEveryMs }: Market): Text {
  const rate = Math.abs(toNumber(fundingRatePerDay))
  const of = { year: percent(rate * 365), hour: percent(rate / 24) }
  return fundingEveryMs === null
    ? words('market.rate', { ...of, eight: percent(rate / 3) })
    : words('market.rate.daily', { ...of, day: percent(rate) })
}

/** Hours until funding changes its direction, when rate and velocity oppose each other and it is within a day. */
export function nextFlip(market: Market): number | null {
  const hours = hoursToFlip(market)
  return hours !== null && hours <= FORECAST_HOURS ? hours : null
}

/** `flips in about 5 h 30 min`; null when it is not on its way to a flip within a day. */
export function flipText(market: Market): Text | null {
  const hours = nextFlip(market)
  return hours === null ? null : words('market.flips', { age: age(hours * HOUR_MS) })
}

/** `next payment at 15:00`; null where funding accrues all the time, or nobody pays. */
export function paymentText(market: Market, now: number): Text | null {
  const next = nextFunding(market, now)
  return next === null || market.fundingRatePerDay === 0n
    ? null
    : words('market.payment', { time: { time: next, as: 'clock' } })
}

/** `index $97,650`; null where the venue has one price only. */
export function otherPriceText({ otherPrice, priceName }: Market): Text | null {
  if (otherPrice === null) return null
  return words('shown.price', {
    price: priceName === 'mark' ? 'index' : 'mark',
    at: price(toNumber(otherPrice)),
  })
}
