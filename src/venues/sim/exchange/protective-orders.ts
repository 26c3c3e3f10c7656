import type { Account, Position } from './account.ts'
import { armTrigger, disarm } from './book.ts'
import type { ProtectiveOrder, Trigger } from './order.ts'
import type { Exchange } from './state.ts'

/** Replaces the take profit and the stop loss of a position. */
export function replaceProtectiveOrder(
  exchange: Exchange,
  account: Account,
  position: Position,
  { takeProfit, stopLoss }: { takeProfit: Trigger | null; stopLoss: Trigger | null },
): ProtectiveOrder | null {
  dropProtectiveOrder(exchange, account, position)
  if (!takeProfit && !stopLoss) return null
  const order: ProtectiveOrder = {
    ...{ is: 'protective', status: 'LimitExecuted', id: exchange.nextOrderId++, accountId: account.id },
    ...{ marketId: position.market.terms.id, placedAtSeconds: exchange.nowSeconds, takeProfit, stopLoss },
    ...{ changedAtSeconds: null, slots: [] },
  }
  const [profitable, losing] =
    position.size > 0n ? (['rises', 'falls'] as const) : (['falls', 'rises'] as const)
  if (takeProfit) armTrigger(exchange, order, profitable, takeProfit.price)
  if (stopLoss) armTrigger(exchange, order, losing, stopLoss.price)
  position.protectiveOrder = order
  account.orders.push(order)
  return order
}

export function dropProtectiveOrder(exchange: Exchange, account: Account, position: Position): void {
  const { protectiveOrder } = position
  if (!protectiveOrder) return
  disarm(exchange, protectiveOrder)
  position.protectiveOrder = null
  account.orders = account.orders.filter((order) => order !== protectiveOrder)
}

/** Which of the two triggers the index has reached. The stop loss comes first. */
export function reachedOf({ protectiveOrder, size, market }: Position): 'take-profit' | 'stop-loss' | null {
  const { takeProfit, stopLoss } = protectiveOrder ?? {}
  const gainedTo = (price: bigint) => (size > 0n ? market.indexPrice >= price : market.indexPrice <= price)
  const lostTo = (price: bigint) => (size > 0n ? market.indexPrice <= price : market.indexPrice >= price)
  if (stopLoss && lostTo(stopLoss.price)) return 'stop-loss'
  return takeProfit && gainedTo(takeProfit.price) ? 'take-profit' : null
}
