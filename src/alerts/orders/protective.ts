import type { Amount } from '../../venue/amount.ts'
import type { Order } from '../../venue/order.ts'
import type { Position } from '../../venue/position.ts'

/** What closes a position at a price: an order may be both. */
export type Role = 'take profit' | 'stop loss'

/** One of them, of one position. */
export interface Guarding {
  order: Order
  role: Role
  /** The price that sets it off. */
  trigger: Amount
  /** Whether it is set off by a price at or above that. */
  above: boolean
}

/** What an order does for positions; nothing where it opens one. */
export function guardings(order: Order): Guarding[] {
  const ranges = { 'stop loss': order.stopLoss, 'take profit': order.takeProfit }
  // A limit order brings them to the position that it leads to: until then they guard nothing.
  if (!order.guardsPosition && order.limit !== null) return []
  return Object.entries(ranges).flatMap(([role, range]): Guarding[] => {
    const trigger = range?.lower ?? range?.upper ?? null
    if (trigger === null) return []
    return [{ order, role: role as Role, trigger, above: range?.lower != null }]
  })
}

/** Whether it would close some of this position. */
export function closes({ order }: Guarding, { accountId, marketId, size }: GuardedPosition): boolean {
  if (order.marketId !== marketId || (order.accountId ?? accountId) !== accountId) return false
  if (order.size === 'all' || order.size === null) return order.guardsPosition
  const isSameSign = order.size < 0n === size < 0n
  // Of what guards a position the sign is that one's; another order sells what is held.
  return order.guardsPosition ? isSameSign : !isSameSign
}

type GuardedPosition = Pick<Position, 'accountId' | 'marketId' | 'size'>

/** One that waits for another order guards nothing yet. */
export function isActive({ state, after }: Order): boolean {
  return (state === 'open' || state === 'pending') && after === undefined
}

/** Whether an order guards it of which the venue does not say at which price. */
export function isGuardedSomehow(
  { accountId, marketId }: GuardedPosition,
  orders: readonly Order[],
): boolean {
  return orders.some(
    (order) =>
      order.guardsPosition &&
      isActive(order) &&
      order.marketId === marketId &&
      (order.accountId ?? accountId) === accountId &&
      order.takeProfit === null &&
      order.stopLoss === null,
  )
}

/** What guards a position now. */
export function guardsOf(position: GuardedPosition, orders: readonly Order[]): Guarding[] {
  return orders
    .filter(isActive)
    .flatMap(guardings)
    .filter((one) => closes(one, position))
}
