import type { Amount } from '../../venue/amount.ts'
import type { Order } from '../../venue/order.ts'
import type { Position } from '../../venue/position.ts'

/** The two effects of a protective order: one order may have both. */
export type Role = 'take profit' | 'stop loss'

/** One role of an order for a position. */
export interface Protection {
  order: Order
  role: Role
  /** The trigger price. */
  trigger: Amount
  /** Whether prices at or above it trigger; else prices at or below. */
  above: boolean
}

/** The roles of an order; empty for an order that opens a position. */
export function effectsOf(order: Order): Protection[] {
  const ranges = { 'stop loss': order.stopLoss, 'take profit': order.takeProfit }
  // A limit order brings its triggers to the position that it opens: until it fills, they protect nothing.
  if (!order.isProtective && order.limit !== null) return []
  return Object.entries(ranges).flatMap(([role, range]): Protection[] => {
    const trigger = range?.lower ?? range?.upper ?? null
    if (trigger === null) return []
    return [{ order, role: role as Role, trigger, above: range?.lower != null }]
  })
}

/** Whether it would close any of this position. */
export function closes({ order }: Protection, { accountId, marketId, size }: ProtectedPosition): boolean {
  if (order.marketId !== marketId || (order.accountId ?? accountId) !== accountId) return false
  if (order.size === 'all' || order.size === null) return order.isProtective
  const isSameSign = order.size < 0n === size < 0n
  // A protective order carries the sign of its position; any other order has the opposite one.
  return order.isProtective ? isSameSign : !isSameSign
}

type ProtectedPosition = Pick<Position, 'accountId' | 'marketId' | 'size'>

/** An order that waits for another order protects nothing yet. */
export function isActive({ state, after }: Order): boolean {
  return (state === 'open' || state === 'pending') && after === undefined
}

/** Whether a protective order without a known trigger price protects the position. */
export function isProtectedSomehow(
  { accountId, marketId }: ProtectedPosition,
  orders: readonly Order[],
): boolean {
  return orders.some(
    (order) =>
      order.isProtective &&
      isActive(order) &&
      order.marketId === marketId &&
      (order.accountId ?? accountId) === accountId &&
      order.takeProfit === null &&
      order.stopLoss === null,
  )
}

/** The roles that now protect a position. */
export function protectionsOf(position: ProtectedPosition, orders: readonly Order[]): Protection[] {
  return orders
    .filter(isActive)
    .flatMap(effectsOf)
    .filter((one) => closes(one, position))
}
