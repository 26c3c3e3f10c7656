import { type Amount, divide, magnitude, multiply, ONE } from '../../../venue/amount.ts'

// The exact arithmetic of the venue. Amounts are 18-decimal integers. Every product and quotient truncates
// toward zero, as in the contracts (Synthetix V3 perps market: storage/AsyncOrder.sol, PerpsMarket.sol,
// Position.sol, PerpsAccount.sol, GlobalPerpsMarketConfiguration.sol). Sizes are base units, > 0 is long;
// rates are per day.

/** A played market may pass faster than its days: its rates then stay those of real days. */
const SECONDS_IN_A_DAY = 86_400n

interface Skewed {
  skew: Amount
  /** 0 if the price does not depend on the skew. */
  skewScale: Amount
}

interface Fill extends Skewed {
  indexPrice: Amount
  /** The order's size. */
  sizeDelta: Amount
}

/** USD per unit of a fill: the middle of the skewed index prices before and after it. */
export function fillPrice({ indexPrice, sizeDelta, skew, skewScale }: Fill): Amount {
  if (skewScale === 0n) return indexPrice
  const priceAt = (after: Amount) => indexPrice + multiply(indexPrice, divide(after, skewScale))
  return divide(priceAt(skew) + priceAt(skew + sizeDelta), 2n * ONE)
}

/**
 * USD, without the settlement reward. An order that turns the skew round pays the maker fee up to zero skew
 * and the taker fee beyond.
 */
export function orderFee(order: Fill & { makerFee: Amount; takerFee: Amount }): Amount {
  const { sizeDelta, skew, makerFee, takerFee } = order
  const price = fillPrice(order)
  if (isSameSide(skew, skew + sizeDelta)) {
    // Has the sign of the order, except if a skew far beyond its scale makes the price negative.
    const notional = multiply(sizeDelta, price)
    return multiply(magnitude(notional), isSameSide(notional, skew) ? takerFee : makerFee)
  }
  const value = (size: Amount) => multiply(magnitude(size), price)
  return multiply(value(skew + sizeDelta), takerFee) + multiply(value(skew), makerFee)
}

/** Zero counts as the same side as anything. */
function isSameSide(a: Amount, b: Amount): boolean {
  return a === 0n || b === 0n || a > 0n === b > 0n
}

/** The change of the daily rate per day. The skew counts up to its whole scale. */
export function fundingVelocity(market: Skewed & { maxFundingVelocity: Amount }): Amount {
  const { skew, skewScale, maxFundingVelocity } = market
  if (skewScale === 0n) return 0n
  const share = divide(skew, skewScale)
  const capped = share > ONE ? ONE : share < -ONE ? -ONE : share
  return multiply(capped, maxFundingVelocity)
}

interface Funding extends Skewed {
  maxFundingVelocity: Amount
  /** The last written rate. */
  prevRate: Amount
  /** Seconds since it was written. */
  seconds: bigint
  /** The chain's seconds in a day of its rates; usually those of a day. */
  daySeconds?: bigint
}

/** Per day. Longs pay while it is above zero. */
export function fundingRate({ prevRate, seconds, daySeconds, ...market }: Funding): Amount {
  return prevRate + multiply(fundingVelocity(market), daysOf(seconds, daySeconds))
}

function daysOf(seconds: bigint, daySeconds = SECONDS_IN_A_DAY): Amount {
  return divide(seconds, daySeconds)
}

/** USD that a long of one unit has received since the rate was last written. */
export function fundingPerUnit(since: {
  prevRate: Amount
  /** The rate at the end of these seconds. */
  rate: Amount
  seconds: bigint
  daySeconds?: bigint
  indexPrice: Amount
}): Amount {
  const average = -(since.prevRate + since.rate) / 2n
  return multiply(multiply(average, daysOf(since.seconds, since.daySeconds)), since.indexPrice)
}

/**
 * USD that a position has received at one skew and one price. The rate is written at the end of each segment.
 */
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

/** USD that a position has gained since its last fill. */
export function pnl(held: {
  size: Amount
  price: Amount
  /** The price of the last fill, not the index price, so a position that has just opened may show a loss. */
  latestInteractionPrice: Amount
  accruedFunding: Amount
  interest: Amount
}): Amount {
  const { size, price, latestInteractionPrice } = held
  return multiply(size, price - latestInteractionPrice) + held.accruedFunding - held.interest
}
