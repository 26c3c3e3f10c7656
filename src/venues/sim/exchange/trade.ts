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
import { type Account, charged, type Figures, type Held, positionIn, type Balance } from './account.ts'
import { fundingAt, type Market, sideAfter, skewOf } from './market.ts'
import type { Exchange } from './state.ts'

/** A trade that an account may want. */
export interface Draft {
  account: Account
  market: Market
  /** Base units, > 0 buys, never 0. */
  sizeDelta: Amount
  /** A limit order's price in USD per unit; null fills at the current price. */
  limit: { price: Amount; isTaker: boolean } | null
  /** The worst fill price, USD per unit; null accepts any. */
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

/** The exact effect of a draft at this moment, even if it is refused. */
export interface Quote {
  draft: Draft
  fillPrice: Amount
  /** USD. */
  orderFeeUsd: Amount
  settlementRewardUsd: Amount
  /** USD that the position has gained since its last fill, by the fill's price and by funding. */
  pnlUsd: Amount
  fundingUsd: Amount
  /** The account's collateral and debt after the fill. */
  balance: Balance
  /** The position after the fill; null when it is closed. */
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
    balance: charged(account, gained.priceUsd + gained.fundingUsd - feesUsd),
    position: changed(draft, price, feesUsd, gained, nowSeconds),
    refusal: refusalOf(exchange, draft, price, feesUsd),
  }
}

/** The account after the fill. */
function holderAfter({ draft, balance: wallet, position }: Quote): Holder {
  const others: Held[] = draft.account.positions.filter(({ market }) => market !== draft.market)
  return { ...wallet, positions: position ? [...others, position] : others }
}

export function standingAfter({ terms, nowSeconds }: Exchange, quote: Quote): Standing {
  return standing(terms, holderAfter(quote), nowSeconds)
}

/** The liquidation price of the position after the fill. */
export function lineAfter({ terms, nowSeconds }: Exchange, quote: Quote): Amount | null {
  return quote.position && lineOf(terms, holderAfter(quote), quote.position, nowSeconds)
}

/** Checks in the same order as the contracts. */
function refusalOf(exchange: Exchange, draft: Draft, price: Amount, feesUsd: Amount): Refusal | null {
  const { terms: venue, nowSeconds } = exchange
  const { account, market, sizeDelta, acceptablePrice } = draft
  const { terms, indexPrice } = market
  const now = standing(venue, account, nowSeconds)
  if (account.isFlagged || now.isLiquidatable) return 'liquidatable'
  if (price <= 0n) return 'no-price'
  if (acceptablePrice !== null && (sizeDelta > 0n ? price > acceptablePrice : price < acceptablePrice))
    return 'acceptable-price'

  // A fill at a worse price than the index is a loss at once. A fill at a better price is no margin yet.
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

/** Makes the position smaller or closes it. Needs no margin beyond the fees. */
function isReducing(from: Amount, to: Amount): boolean {
  return magnitude(to) < magnitude(from) && (to === 0n || to > 0n === from > 0n)
}

/** The position after the fill. A turned position starts anew. */
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
