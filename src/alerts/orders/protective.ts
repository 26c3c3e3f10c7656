import type { Amount } from '../../venue/amount.ts'
import type { Order } from '../../venue/order.ts'
import type { Position } from '../../venue/position.ts'

/** What closes a position at a price: an order may be both. */
export type Role = 'take profit' | 'stop loss'

/** One of them, of one position. */
export interface Protection {
  order: Order
  role: Role
  /** The price that sets it off. */
  trigger: Amount
  /** Whether it is set off by a price at or above that. */
  above: boolean
}

/** What an order does for positions; nothing where it opens one. */
export function effectsOf(order: Order): Protection[] {
  const ranges = { 'stop loss': order.stopLoss, 'take profit': order.takeProfit }
  // A limit order brings them to the position that it leads to: until then they guard nothing.
  if (!order.isProtective && order.limit !== null) return []
  return Object.entries(ranges).flatMap(([role, range]): Protection[] => {
    const trigger = range?.lower ?? range?.upper ?? null
    if (trigger === null) return []
    return [{ order, role: role as Role, trigger, above: range?.lower != null }]
  })
}

/** Whether it would close some of this position. */
export function closes({ order }: Protection, { accountId, marketId, size }: ProtectedPosition): boolean {
  if (order.marketId !== marketId || (order.accountId ?? accountId) !== accountId) return false
  if (order.size === 'all' || order.size === null) return order.isProtective
  const isSameSign = order.size < 0n === size < 0n
  // Of what guards a position the sign is that one's; another order sells what is held.
  return order.isProtective ? isSameSign : !isSameSign
}

type ProtectedPosition = Pick<Position, 'accountId' | 'marketId' | 'size'>

/** One that waits for another order guards nothing yet. */
export function isActive({ state, after }: Order): boolean {
  return (state === 'open' || state === 'pending') && after === undefined
}

/** Whether an order guards it of which the venue does not say at which price. */
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

/** What guards a position now. */
export function protectionsOf(position: ProtectedPosition, orders: readonly Order[]): Protection[] {
  return orders
    .filter(isActive)
    .flatMap(effectsOf)
    .filter((one) => closes(one, position))
}
