import { type Amount, toNumber } from '../../../venue/amount.ts'
import { settle } from '../maths/settle.ts'
import { type Account, positionIn } from './account.ts'
import { end, expire, remove } from './book.ts'
import { reachedOf } from './protective-orders.ts'
import type { VenueEvent } from './venue-events.ts'
import { type Market, recordFunding } from './market.ts'
import type { ProtectiveOrder, LimitOrder, MarketOrder, Order } from './order.ts'
import type { Exchange } from './state.ts'
import { type Draft, quote } from './trade.ts'

/** Handles the due orders: each is committed, settled, or expires. */
export function settleDue(exchange: Exchange): VenueEvent[] {
  const { due, nowSeconds } = exchange
  const events: VenueEvent[] = []
  for (let first = due.peek(); first && first.priority <= nowSeconds; first = due.peek()) {
    const order = first.key
    due.delete(order)
    const account = exchange.accounts.get(order.accountId)
    const market = exchange.markets.get(order.marketId)
    if (!account || !market || order.is === 'protective') continue
    if (order.is === 'limit') events.push(expire(exchange, account, order, 'time'))
    else if (order.status === 'Created') events.push(commit(exchange, account, market, order))
    else events.push(...settleMarket(exchange, account, market, order))
  }
  return events
}

function commit(exchange: Exchange, account: Account, market: Market, order: MarketOrder): VenueEvent {
  const { nowSeconds, terms } = exchange
  recordFunding(market, nowSeconds)
  const { refusal } = quote(exchange, draftOf(account, market, order))
  if (refusal !== null) return expire(exchange, account, order, refusal)
  order.status = 'Committed'
  order.changedAtSeconds = nowSeconds
  order.expiresAtSeconds = nowSeconds + terms.settlementDelaySeconds + terms.settlementWindowSeconds
  exchange.due.set(order, nowSeconds + terms.settlementDelaySeconds)
  return { is: 'committed', accountId: account.id, order }
}

/** Tries each second of its window until the order settles. */
function settleMarket(
  exchange: Exchange,
  account: Account,
  market: Market,
  order: MarketOrder,
): VenueEvent[] {
  const { nowSeconds } = exchange
  const settled = settle(exchange, order, draftOf(account, market, order))
  if (typeof settled !== 'string') {
    remove(exchange, account, order)
    return [settled]
  }
  if (nowSeconds >= (order.expiresAtSeconds ?? nowSeconds)) return [expire(exchange, account, order, settled)]
  exchange.due.set(order, nowSeconds + 1)
  return []
}

function draftOf(account: Account, market: Market, order: MarketOrder): Draft {
  const { sizeDelta, acceptablePrice } = order
  return { account, market, sizeDelta, limit: null, acceptablePrice }
}

/** Fills the limit orders and runs the protective orders that the index price has reached. */
export function fillReached(exchange: Exchange): VenueEvent[] {
  const reached: { market: Market; order: Order }[] = []
  for (const market of exchange.markets.values())
    for (const order of exchange.triggers.reached(market.terms.id, toNumber(market.indexPrice)))
      reached.push({ market, order })
  return reached.flatMap(({ market, order }) => {
    const account = exchange.accounts.get(order.accountId)
    if (!account || order.is === 'market') return []
    return order.is === 'limit'
      ? fillLimit(exchange, account, market, order)
      : closeProtected(exchange, account, market, order)
  })
}

function fillLimit(exchange: Exchange, account: Account, market: Market, order: LimitOrder): VenueEvent[] {
  if (order.status !== 'LimitSubmitted' || !hasCome(market, order)) return []
  const { sizeDelta, price, isTaker } = order
  const draft = { account, market, sizeDelta, limit: { price, isTaker }, acceptablePrice: null }
  const settled = settle(exchange, order, draft)
  if (typeof settled === 'string') return [expire(exchange, account, order, settled)]
  end(exchange, account, order, 'LimitExecuted')
  // The index may already be past the protective order that the limit order brought. No trigger would fire
  // for that.
  const protectiveOrder = positionIn(account, market)?.protectiveOrder
  return protectiveOrder
    ? [settled, ...closeProtected(exchange, account, market, protectiveOrder)]
    : [settled]
}

/**
 * A protective order that cannot fill stays armed: beyond its acceptable price a stop loss waits for a better
 * one.
 */
function closeProtected(
  exchange: Exchange,
  account: Account,
  market: Market,
  order: ProtectiveOrder,
): VenueEvent[] {
  const position = positionIn(account, market)
  if (position?.protectiveOrder !== order) return []
  const by = reachedOf(position)
  if (by === null) return []
  const acceptablePrice = (by === 'stop-loss' ? order.stopLoss : order.takeProfit)?.acceptablePrice ?? null
  const draft = { account, market, sizeDelta: -position.size, limit: null, acceptablePrice }
  const settled = settle(exchange, order, draft)
  if (typeof settled === 'string') return []
  return [{ is: 'triggered', accountId: account.id, marketId: market.terms.id, order, by }, settled]
}

/** Whether the index has reached the price of a limit order. */
export function hasCome(
  { indexPrice }: Market,
  { sizeDelta, price }: { sizeDelta: Amount; price: Amount },
): boolean {
  return sizeDelta > 0n ? indexPrice <= price : indexPrice >= price
}
