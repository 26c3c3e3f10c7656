import { type Amount, magnitude, multiply } from '../../../venue/amount.ts'
import { type Account, type Figures, type Position, positionIn, type Balance } from '../exchange/account.ts'
import { recordTrade } from '../exchange/day.ts'
import { dropProtectiveOrder, replaceProtectiveOrder } from '../exchange/protective-orders.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import { type Market, recordFunding, resize } from '../exchange/market.ts'
import type { Order } from '../exchange/order.ts'
import type { Exchange } from '../exchange/state.ts'
import { type Draft, type Quote, quote, type Refusal } from '../exchange/trade.ts'
import { watch } from '../exchange/watch.ts'

/** Fills a draft exactly as its quote of this moment says. Returns the reason if it is refused. */
export function settle(exchange: Exchange, order: Order, draft: Draft): VenueEvent | Refusal {
  const quoted = quote(exchange, draft)
  if (quoted.refusal !== null) return quoted.refusal
  const { account, market, sizeDelta } = draft
  const { fillPrice, orderFeeUsd, settlementRewardUsd, pnlUsd, fundingUsd } = quoted
  recordFunding(market, exchange.nowSeconds)
  recordTrade(market.day, exchange.nowSeconds, multiply(magnitude(sizeDelta), fillPrice))
  pay(exchange, account, quoted.balance)
  reward(exchange, settlementRewardUsd)
  const size = quoted.position?.size ?? 0n
  hold(exchange, account, market, quoted.position)
  protect(exchange, account, quoted, order)
  watch(exchange, account)
  return {
    ...{ is: 'settled', order, accountId: account.id, marketId: market.terms.id, sizeDelta, fillPrice },
    ...{ feesUsd: orderFeeUsd + settlementRewardUsd, pnlUsd, fundingUsd, size },
  }
}

/** The pool pays what the account gains, and gets what the account loses. */
export function pay(exchange: Exchange, account: Account, { collateralUsd, debtUsd }: Balance): void {
  exchange.poolUsd += account.collateralUsd - collateralUsd
  account.collateralUsd = collateralUsd
  account.debtUsd = debtUsd
}

/** The pool pays the keepers. */
export function reward(exchange: Exchange, usd: Amount): void {
  exchange.poolUsd -= usd
  exchange.keepersUsd += usd
}

/** Replaces the account's position in this market, and counts it in the market's sides. */
export function hold(exchange: Exchange, account: Account, market: Market, to: Figures | null): void {
  const before = positionIn(account, market)
  resize(market, before?.size ?? 0n, to?.size ?? 0n)
  if (before && to && before.size > 0n !== to.size > 0n) dropProtectiveOrder(exchange, account, before)
  if (before && to) Object.assign(before, to)
  else if (to) account.positions.push({ ...to, protectiveOrder: null, slot: exchange.watch.add(account) })
  else if (before) {
    dropProtectiveOrder(exchange, account, before)
    exchange.watch.drop(before.slot)
    account.positions = account.positions.filter((position) => position !== before)
  }
}

/** Gives the position the take profit and the stop loss that its order brought. */
function protect(exchange: Exchange, account: Account, { draft }: Quote, order: Order): void {
  const position: Position | undefined = positionIn(account, draft.market)
  if (position && order.is !== 'protective' && (order.takeProfit ?? order.stopLoss))
    replaceProtectiveOrder(exchange, account, position, order)
}
