import { type Amount, magnitude, multiply } from '../../../venue/amount.ts'
import { fillPrice, orderFee } from '../maths/amm.ts'
import { lineOf } from '../maths/line.ts'
import { margins } from '../maths/liquidation.ts'
import {
  gainedBy,
  type Holder,
  keeperWork,
  keeperWorkAt,
  rewardOf,
  type Standing,
  standing,
} from '../maths/margin.ts'
import { type Account, charged, type Figures, type Held, positionIn, type Wallet } from './account.ts'
import { fundingAt, type Market, sideAfter, skewOf } from './market.ts'
import type { Exchange } from './state.ts'

/** What somebody may want to do. */
export interface Draft {
  account: Account
  market: Market
  /** Base units, > 0 buys, never 0. */
  sizeDelta: Amount
  /** Of an order that fills at its own price, USD per unit; null at the price of the moment. */
  limit: { price: Amount; isTaker: boolean } | null
  /** The worst fill price, USD per unit; null is any. */
  acceptablePrice: Amount | null
}

/** Why an order is not settled. */
export type Refusal =
  | 'liquidatable'
  | 'no-price'
  | 'acceptable-price'
  | 'margin'
  | 'market-size'
  | 'market-value'

/** What a draft would do at this moment, to the last digit; also when it is refused. */
export interface Quote {
  draft: Draft
  fillPrice: Amount
  /** USD. */
  orderFeeUsd: Amount
  settlementRewardUsd: Amount
  /** USD that the position before it has gained since its last fill, by the fill's price and by funding. */
  pnlUsd: Amount
  fundingUsd: Amount
  /** What the account would have of its own. */
  wallet: Wallet
  /** What it would hold there; null is nothing. */
  position: Figures | null
  refusal: Refusal | null
}

export function quote(exchange: Exchange, draft: Draft): Quote {
  const { terms: venue, nowSeconds } = exchange
  const { account, market, sizeDelta, limit } = draft
  const { terms, indexPrice } = market
  const order = { ...terms, indexPrice, sizeDelta, skew: skewOf(market) }
  const price = limit?.price ?? fillPrice(order)
  const limitFee = limit?.isTaker ? terms.limitTakerFee : terms.limitMakerFee
  const orderFeeUsd = limit ? multiply(multiply(magnitude(sizeDelta), price), limitFee) : orderFee(order)
  const settlementRewardUsd = limit ? 0n : venue.settlementRewardUsd
  const feesUsd = orderFeeUsd + settlementRewardUsd
  const before = positionIn(account, market)
  const gained = before ? gainedBy(before, price, nowSeconds) : { priceUsd: 0n, fundingUsd: 0n }
  const asked = { draft, fillPrice: price, orderFeeUsd, settlementRewardUsd, fundingUsd: gained.fundingUsd }
  return {
    ...{ ...asked, pnlUsd: gained.priceUsd },
    wallet: charged(account, gained.priceUsd + gained.fundingUsd - feesUsd),
    position: changed(draft, price, feesUsd, gained, nowSeconds),
    refusal: refusalOf(exchange, draft, price, feesUsd),
  }
}

/** The account as it would be. */
function holderAfter({ draft, wallet, position }: Quote): Holder {
  const others: Held[] = draft.account.positions.filter(({ market }) => market !== draft.market)
  return { ...wallet, positions: position ? [...others, position] : others }
}

export function standingAfter({ terms, nowSeconds }: Exchange, quote: Quote): Standing {
  return standing(terms, holderAfter(quote), nowSeconds)
}

/** The liquidation price of the position that a quote leads to. */
export function lineAfter({ terms, nowSeconds }: Exchange, quote: Quote): Amount | null {
  return quote.position && lineOf(terms, holderAfter(quote), quote.position, nowSeconds)
}

/** In the order in which the contracts ask. */
function refusalOf(exchange: Exchange, draft: Draft, price: Amount, feesUsd: Amount): Refusal | null {
  const { terms: venue, nowSeconds } = exchange
  const { account, market, sizeDelta, acceptablePrice } = draft
  const { terms, indexPrice } = market
  const now = standing(venue, account, nowSeconds)
  if (account.isFlagged || now.isLiquidatable) return 'liquidatable'
  if (price <= 0n) return 'no-price'
  if (acceptablePrice !== null && (sizeDelta > 0n ? price > acceptablePrice : price < acceptablePrice))
    return 'acceptable-price'

  // A fill on the wrong side of the index is a loss at once; one on the right side is no margin yet.
  const atOnce = multiply(sizeDelta, indexPrice - price)
  const available = now.availableMargin + (atOnce < 0n ? atOnce : 0n)
  if (available < feesUsd) return 'margin'

  const from = positionIn(account, market)?.size ?? 0n
  const to = from + sizeDelta
  if (isReducing(from, to)) return null
  const side = sideAfter(market, from, to)
  if (side > terms.maxMarketSize) return 'market-size'
  if (terms.maxMarketValue > 0n && multiply(side, indexPrice) > terms.maxMarketValue) return 'market-value'

  const initial = (size: Amount) => margins({ ...terms, size, price: indexPrice }).initialMargin
  const others = account.positions.filter((held) => held.market !== market).map(keeperWork)
  const reward = rewardOf(venue, account.collateralUsd, [...others, keeperWorkAt(market, to, price)])
  return available < now.initialMargin + initial(to) - initial(from) + reward + feesUsd ? 'margin' : null
}

/** Less of the same side, or nothing: it may always be done by who can pay for it. */
function isReducing(from: Amount, to: Amount): boolean {
  return magnitude(to) < magnitude(from) && (to === 0n || to > 0n === from > 0n)
}

/** The position after the fill. One that is turned round is a new one. */
function changed(
  { account, market, sizeDelta }: Draft,
  price: Amount,
  feesUsd: Amount,
  gained: { priceUsd: Amount; fundingUsd: Amount },
  nowSeconds: number,
): Figures | null {
  const before = positionIn(account, market)
  const size = (before?.size ?? 0n) + sizeDelta
  if (size === 0n) return null
  const now = {
    market,
    size,
    latestInteractionPrice: price,
    fundingValue: fundingAt(market, nowSeconds).value,
  }
  if (!before || before.size > 0n !== size > 0n) {
    const volumeUsd = multiply(magnitude(size), price)
    const nothing = { realisedFundingUsd: 0n, realisedPnlUsd: 0n }
    return { ...now, ...nothing, avgEntryPrice: price, enteredAtSeconds: nowSeconds, feesUsd, volumeUsd }
  }
  const { avgEntryPrice: average } = before
  return {
    ...now,
    avgEntryPrice: isReducing(before.size, size)
      ? average
      : (before.size * average + sizeDelta * price) / size,
    enteredAtSeconds: before.enteredAtSeconds,
    realisedFundingUsd: before.realisedFundingUsd + gained.fundingUsd,
    realisedPnlUsd: before.realisedPnlUsd + gained.priceUsd,
    feesUsd: before.feesUsd + feesUsd,
    volumeUsd: before.volumeUsd + multiply(magnitude(sizeDelta), price),
  }
}
