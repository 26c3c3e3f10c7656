import { type Amount, divide, magnitude, multiply, ONE } from '../../../venue/amount.ts'

// The arithmetic of the venue, exact. Amounts are 18-decimal integers, every product and quotient truncates toward zero
// as the contracts do (Synthetix V3 perps market, storage/AsyncOrder.sol, PerpsMarket.sol, Position.sol, PerpsAccount.sol,
// GlobalPerpsMarketConfiguration.sol). Sizes are base units, > 0 is long; rates are per day.

const SECONDS_IN_A_DAY = 86_400n

interface Skewed {
  skew: Amount
  /** 0 where the price does not depend on the skew. */
  skewScale: Amount
}

interface Fill extends Skewed {
  indexPrice: Amount
  /** Of the order. */
  sizeDelta: Amount
}

/** USD per unit at which an order fills: the middle of what the skew makes of the index before and after it. */
export function fillPrice({ indexPrice, sizeDelta, skew, skewScale }: Fill): Amount {
  if (skewScale === 0n) return indexPrice
  const priceAt = (after: Amount) => indexPrice + multiply(indexPrice, divide(after, skewScale))
  return divide(priceAt(skew) + priceAt(skew + sizeDelta), 2n * ONE)
}

/** USD, without the settlement reward. An order that turns the skew round is maker until there is none, taker from there on. */
export function orderFee(order: Fill & { makerFee: Amount; takerFee: Amount }): Amount {
  const { sizeDelta, skew, makerFee, takerFee } = order
  const price = fillPrice(order)
  if (isSameSide(skew, skew + sizeDelta)) {
    // Its sign is the order's, but where the skew is so far beyond its scale that the price is negative.
    const notional = multiply(sizeDelta, price)
    return multiply(magnitude(notional), isSameSide(notional, skew) ? takerFee : makerFee)
  }
  const value = (size: Amount) => multiply(magnitude(size), price)
  return multiply(value(skew + sizeDelta), takerFee) + multiply(value(skew), makerFee)
}

/** Nothing is on either side. */
function isSameSide(a: Amount, b: Amount): boolean {
  return a === 0n || b === 0n || a > 0n === b > 0n
}

/** By how much the rate of a day changes in a day. The share of the skew is capped at all of the scale. */
export function fundingVelocity(market: Skewed & { maxFundingVelocity: Amount }): Amount {
  const { skew, skewScale, maxFundingVelocity } = market
  if (skewScale === 0n) return 0n
  const share = divide(skew, skewScale)
  const capped = share > ONE ? ONE : share < -ONE ? -ONE : share
  return multiply(capped, maxFundingVelocity)
}

interface Funding extends Skewed {
  maxFundingVelocity: Amount
  /** When it was last written down. */
  prevRate: Amount
  /** Since then. */
  seconds: bigint
}

/** Per day; longs pay while it is above zero. */
export function fundingRate({ prevRate, seconds, ...market }: Funding): Amount {
  return prevRate + multiply(fundingVelocity(market), daysOf(seconds))
}

function daysOf(seconds: bigint): Amount {
  return divide(seconds, SECONDS_IN_A_DAY)
}

/** USD that a long of one unit has received since the rate was last written down. */
export function fundingPerUnit(since: {
  prevRate: Amount
  /** What it has become. */
  rate: Amount
  seconds: bigint
  indexPrice: Amount
}): Amount {
  const average = -(since.prevRate + since.rate) / 2n
  return multiply(multiply(average, daysOf(since.seconds)), since.indexPrice)
}

/** USD that a position has received, at one skew and one price; at the end of each segment the rate is written down. */
export function accruedFunding(
  held: Omit<Funding, 'seconds'> & {
    positionSize: Amount
    indexPrice: Amount
    segmentsSeconds: readonly bigint[]
  },
): Amount {
  let { prevRate } = held
  let perUnit = 0n
  for (const seconds of held.segmentsSeconds) {
    const rate = fundingRate({ ...held, prevRate, seconds })
    perUnit += fundingPerUnit({ ...held, prevRate, rate, seconds })
    prevRate = rate
  }
  return multiply(held.positionSize, perUnit)
}

/** USD a position has gained since its last fill. */
export function pnl(held: {
  size: Amount
  price: Amount
  /** A fill price: who has just opened at the index shows a loss. */
  latestInteractionPrice: Amount
  accruedFunding: Amount
  interest: Amount
}): Amount {
  const { size, price, latestInteractionPrice } = held
  return multiply(size, price - latestInteractionPrice) + held.accruedFunding - held.interest
}
