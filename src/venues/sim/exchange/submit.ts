import type { Amount } from '../../../venue/amount.ts'
import { type Account, positionIn } from './account.ts'
import { armTrigger, expire, hasEnded } from './book.ts'
import { hasCome } from './fills.ts'
import { replaceProtectiveOrder } from './protective-orders.ts'
import type { VenueEvent } from './venue-events.ts'
import type { Market } from './market.ts'
import type { ProtectiveOrder, LimitOrder, MarketOrder, Order, Trigger } from './order.ts'
import type { Exchange } from './state.ts'

/** An order as a trader gives it. */
export type Ask = {
  accountId: string
  marketId: string
  /** Base units, > 0 buys. */
  sizeDelta: Amount
  takeProfit: Trigger | null
  stopLoss: Trigger | null
} & ({ is: 'market'; acceptablePrice: Amount } | { is: 'limit'; price: Amount; expiresAtSeconds: number })

/**
 * Why the venue does not take an order at all. An account may have one open market order, and none during its
 * liquidation.
 */
export type Rejection =
  | 'unknown-account'
  | 'unknown-market'
  | 'zero-size'
  | 'no-price'
  | 'flagged'
  | 'pending'
  | 'no-position'
  | 'too-late'

export function submit(exchange: Exchange, ask: Ask): Order | Rejection {
  const account = exchange.accounts.get(ask.accountId)
  const market = exchange.markets.get(ask.marketId)
  if (!account) return 'unknown-account'
  if (!market) return 'unknown-market'
  if (ask.sizeDelta === 0n) return 'zero-size'
  if (account.isFlagged) return 'flagged'
  return ask.is === 'market'
    ? submitMarket(exchange, account, ask)
    : submitLimit(exchange, account, market, ask)
}

function submitMarket(exchange: Exchange, account: Account, ask: Ask & { is: 'market' }): Order | Rejection {
  if (account.orders.some((order) => order.is === 'market' && !hasEnded(order))) return 'pending'
  const order: MarketOrder = { ...ask, ...placed(exchange), status: 'Created', expiresAtSeconds: null }
  account.orders.push(order)
  exchange.due.set(order, exchange.nowSeconds + exchange.terms.commitDelaySeconds)
  return order
}

function submitLimit(
  exchange: Exchange,
  account: Account,
  market: Market,
  ask: Ask & { is: 'limit' },
): Order | Rejection {
  if (ask.price <= 0n) return 'no-price'
  if (ask.expiresAtSeconds <= exchange.nowSeconds) return 'too-late'
  const isTaker = hasCome(market, ask)
  const order: LimitOrder = { ...ask, ...placed(exchange), isTaker, status: 'LimitSubmitted' }
  account.orders.push(order)
  armTrigger(exchange, order, ask.sizeDelta > 0n ? 'falls' : 'rises', ask.price)
  exchange.due.set(order, ask.expiresAtSeconds)
  return order
}

function placed(exchange: Exchange) {
  const id = exchange.nextOrderId++
  return { id, placedAtSeconds: exchange.nowSeconds, changedAtSeconds: null, slots: [] }
}

/** Cancels an open order; returns null if there is none with this id. */
export function cancel(exchange: Exchange, accountId: string, orderId: number): VenueEvent | null {
  const account = exchange.accounts.get(accountId)
  const order = account?.orders.find(({ id }) => id === orderId)
  if (!account || !order || order.is === 'protective' || hasEnded(order)) return null
  return expire(exchange, account, order, 'cancelled')
}

/**
 * Sets the take profit and the stop loss of a position; null removes one. A trigger that the index has passed
 * closes the position with the next move.
 */
export function setProtectiveOrder(
  exchange: Exchange,
  ask: { accountId: string; marketId: string; takeProfit: Trigger | null; stopLoss: Trigger | null },
): ProtectiveOrder | null | Rejection {
  const account = exchange.accounts.get(ask.accountId)
  const market = exchange.markets.get(ask.marketId)
  if (!account) return 'unknown-account'
  if (!market) return 'unknown-market'
  if (account.isFlagged) return 'flagged'
  const position = positionIn(account, market)
  return position ? replaceProtectiveOrder(exchange, account, position, ask) : 'no-position'
}
