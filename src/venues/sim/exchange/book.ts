import { type Amount, toNumber } from '../../../venue/amount.ts'
import type { When } from '../maths/levels.ts'
import type { Account } from './account.ts'
import type { Ending, Happening } from './happening.ts'
import type { LimitOrder, MarketOrder, Order } from './order.ts'
import type { Exchange } from './state.ts'

/** Orders that have ended, of one account: older ones are forgotten. */
const KEPT = 20

/** A trigger is armed so much too early, as a share of its price: a double is not exact. Whoever is found looks at the last digit. */
const HAIR = 1e-12

export function armTrigger({ triggers }: Exchange, order: Order, when: When, price: Amount): void {
  const slot = triggers.add(order)
  order.slots.push(slot)
  triggers.arm(slot, order.marketId, when, toNumber(price) * (when === 'falls' ? 1 + HAIR : 1 - HAIR))
}

/** Nothing is due to happen to it any more, by price or by time. */
export function disarm({ triggers, due }: Exchange, order: Order): void {
  for (const slot of order.slots.splice(0)) triggers.drop(slot)
  due.delete(order)
}

export function remove(exchange: Exchange, account: Account, order: Order): void {
  disarm(exchange, order)
  account.orders = account.orders.filter((other) => other !== order)
}

/** It stays in the list for a while, as what it has become. */
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
  const old = new Set(over.slice(0, Math.max(0, over.length - KEPT)))
  if (old.size > 0) account.orders = account.orders.filter((other) => !old.has(other))
}

export function expire(
  exchange: Exchange,
  account: Account,
  order: MarketOrder | LimitOrder,
  why: Ending,
): Happening {
  end(exchange, account, order, 'Expired')
  return { is: 'expired', accountId: account.id, order, why }
}

/** All that is under way or rests, in one market or in all; what guards a position goes with that. */
export function expireAll(
  exchange: Exchange,
  account: Account,
  why: Ending,
  marketId: string | null,
): Happening[] {
  const open = account.orders.filter(
    (order) => !hasEnded(order) && (marketId === null || order.marketId === marketId),
  )
  return open.flatMap((order) => (order.is === 'guard' ? [] : [expire(exchange, account, order, why)]))
}

export function hasEnded(order: Order): boolean {
  return order.status === 'Expired' || (order.is === 'limit' && order.status === 'LimitExecuted')
}
