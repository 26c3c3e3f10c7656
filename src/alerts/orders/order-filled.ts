import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { type Item, item, words } from '../../message/message.ts'
import type { Order } from '../../venue/order.ts'
import { byMarket } from './ended.ts'
import { allFills, fillLines, fillsTitle } from './fill-lines.ts'
import { bearsOn, orderLines, ordersTitle, symbolIn } from './order-lines.ts'
import { type FollowedFills, followFills } from './partial-fills.ts'

/** Alerts when an order that waited for its price is filled, or a part of it. */
export default eventKind({
  name: 'order-filled',
  aliases: ['filled', 'fill'],
  summary: words('kind.filled.summary'),
  example: 'order-filled',
  on: 'wallet',
  reads: 'orders',
  params: z.object({}),
  // Reading orders weighs as much as all else about a wallet: only a scalper wants each fill.
  presets: { scalper: {} },
  severity: 'info',
  awaits: ({ waiting }: FollowedFills) => Object.keys(waiting),
  detect(_params, state: FollowedFills | undefined, subject) {
    const { now, filled, parts } = followFills(state, subject.orders ?? [], subject.ordersAt ?? subject.now)
    const occurred = (orders: readonly Order[], what: 'filled' | 'part') =>
      byMarket(orders).map(([marketId, own]) => ({
        what: what === 'filled' ? 'filled' : 'partly filled',
        value: null,
        position: null,
        bearsOn: bearsOn(own, subject),
        detail: { marketId, orders: own, what },
      }))
    return { state: now, occurrences: [...occurred(filled, 'filled'), ...occurred(parts, 'part')] }
  },
  tell: (_params, { detail }, subject) => fillItem(detail, subject),
})

/** Without the trades of all of them, says what is known of the orders alone. */
function fillItem(
  { marketId, orders, what }: { marketId: string; orders: Order[]; what: 'filled' | 'part' },
  subject: WalletSubject,
): Item {
  const fills = allFills(orders)
  if (fills !== null && marketId !== '') {
    const symbol = subject.symbol(marketId)
    const lines = fillLines(orders, fills, symbol, subject)
    return item('info', fillsTitle(orders, fills, symbol, what), lines)
  }
  const symbol = symbolIn(subject, marketId)
  const isUnread = orders.some((order) => order.fills === null)
  const unread = isUnread ? [words('kind.filled.unread')] : []
  const [last = '', ...named] = orderLines(orders, symbol, subject).toReversed()
  return item('info', ordersTitle(orders, symbol, 'filled'), [...named.toReversed(), ...unread, last])
}
