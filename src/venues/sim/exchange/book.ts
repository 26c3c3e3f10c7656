import { type Amount, toNumber } from '../../../venue/amount.ts'
import type { When } from '../maths/levels.ts'
import type { Account } from './account.ts'
import type { ExpiryReason, VenueEvent } from './venue-events.ts'
import type { LimitOrder, MarketOrder, Order } from './order.ts'
import type { Exchange } from './state.ts'

/** How many ended orders an account keeps. */
const MAX_ENDED_ORDERS = 20

/**
 * Doubles are not exact, so a trigger is armed this share of its price too early. The caller then compares
 * exact prices.
 */
const EARLY_SHARE = 1e-12

export function armTrigger({ triggers }: Exchange, order: Order, when: When, price: Amount): void {
  const slot = triggers.add(order)
  order.slots.push(slot)
  triggers.arm(
    slot,
    order.marketId,
    when,
    toNumber(price) * (when === 'falls' ? 1 + EARLY_SHARE : 1 - EARLY_SHARE),
  )
}

/** Removes its triggers and its due time. */
export function disarm({ triggers, due }: Exchange, order: Order): void {
  for (const slot of order.slots.splice(0)) triggers.drop(slot)
  due.delete(order)
}

export function remove(exchange: Exchange, account: Account, order: Order): void {
  disarm(exchange, order)
  account.orders = account.orders.filter((other) => other !== order)
}

/** Ends an order. It stays listed for a while with its new status. */
export function end(
  exchange: Exchange,
  account: Account,
  order: MarketOrder | LimitOrder,
  status: 'Expired' | 'LimitExecuted',
): void {
  disarm(exchange, order)
  if (order.is === 'limit') order.status = status
  else order.status = 'Expired'
  order.changedAtSeconds = exchange.nowSeconds
  const over = account.orders.filter(hasEnded)
  const old = new Set(over.slice(0, Math.max(0, over.length - MAX_ENDED_ORDERS)))
  if (old.size > 0) account.orders = account.orders.filter((other) => !old.has(other))
}

export function expire(
  exchange: Exchange,
  account: Account,
  order: MarketOrder | LimitOrder,
  why: ExpiryReason,
): VenueEvent {
  end(exchange, account, order, 'Expired')
  return { is: 'expired', accountId: account.id, order, why }
}

/** Ends the open orders of one market, or of all. Protective orders end with their positions. */
export function expireAll(
  exchange: Exchange,
  account: Account,
  why: ExpiryReason,
  marketId: string | null,
): VenueEvent[] {
  const open = account.orders.filter(
    (order) => !hasEnded(order) && (marketId === null || order.marketId === marketId),
  )
  return open.flatMap((order) => (order.is === 'protective' ? [] : [expire(exchange, account, order, why)]))
}

export function hasEnded(order: Order): boolean {
  return order.status === 'Expired' || (order.is === 'limit' && order.status === 'LimitExecuted')
}
