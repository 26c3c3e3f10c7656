import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { item, words } from '../../message/message.ts'
import type { Order } from '../../venue/order.ts'
import { byMarket, type FollowedOrders, followOrders } from './ended.ts'
import { bearsOn, orderLines, type OrderNews, ordersTitle, symbolIn } from './order-lines.ts'

/** Stored in the history under this name. */
const NOT_FILLED = 'not filled'

/** Alerts when an order ends unfilled and its trader did not cancel it. */
export default eventKind({
  name: 'order-expired',
  aliases: ['expired'],
  summary: words('kind.expired.summary'),
  example: 'order-expired',
  on: 'wallet',
  reads: 'orders',
  params: z.object({}),
  awaits: ({ waiting }: FollowedOrders) => Object.keys(waiting),
  detect(_params, state: FollowedOrders | undefined, subject) {
    const { now, ended } = followOrders(state, subject.orders ?? [], subject.ordersAt ?? subject.now)
    const lost = byMarket(ended.filter(isLost))
    return {
      state: now,
      occurrences: lost.map(([marketId, orders]) => ({
        what: orders.some((order) => wouldClose(order, subject)) ? 'closing order not filled' : NOT_FILLED,
        value: null,
        position: null,
        bearsOn: bearsOn(orders, subject),
        detail: { marketId, orders },
      })),
    }
  },
  // A trader who counts on an order to close a position must know.
  severity: (_params, { what }) => (what === NOT_FILLED ? 'info' : 'warning'),
  tell(_params, { what, detail: { marketId, orders } }, subject) {
    const symbol = symbolIn(subject, marketId)
    const closing = what === NOT_FILLED ? [] : [words('kind.expired.still-open')]
    return item(what === NOT_FILLED ? 'info' : 'warning', ordersTitle(orders, symbol, wordOf(orders)), [
      ...closing,
      ...orderLines(orders, symbol, subject),
    ])
  },
})

/** A trader who cancels an order needs no alert about it. */
function isLost({ state, venueStatus }: Order): boolean {
  if (state === 'cancelled') return venueStatus !== null && !/^cancell?ed$/i.test(venueStatus)
  return state === 'expired' || state === 'rejected'
}

/** Whether the order would have reduced an open position. */
function wouldClose({ accountId, marketId, size, reduceOnly }: Order, { positions, missing }: WalletSubject) {
  const held = positions.find(
    (one) => one.marketId === marketId && (accountId === null || one.accountId === accountId),
  )
  if (!held || missing.length > 0) return false
  return reduceOnly === true || (typeof size === 'bigint' && size < 0n !== held.size < 0n)
}

function wordOf(orders: readonly Order[]): OrderNews {
  const [first] = orders
  if (!first || orders.some(({ state }) => state !== first.state)) return 'lost'
  if (first.state === 'expired') return 'expired'
  return first.state === 'rejected' ? 'rejected' : 'cancelled'
}
