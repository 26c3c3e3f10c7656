import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import { item, words } from '../../message/message.ts'
import { byMarket, type FollowedOrders, followOrders } from './ended.ts'
import { bearsOn, orderLines, ordersTitle, symbolIn } from './order-lines.ts'

/** Alerts when an order that waited for its price is filled. */
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
  awaits: ({ waiting }: FollowedOrders) => Object.keys(waiting),
  detect(_params, state: FollowedOrders | undefined, subject) {
    const { now, ended } = followOrders(state, subject.orders ?? [], subject.ordersAt ?? subject.now)
    const filled = byMarket(ended.filter(({ state }) => state === 'filled'))
    return {
      state: now,
      occurrences: filled.map(([marketId, orders]) => ({
        what: 'filled',
        value: null,
        position: null,
        bearsOn: bearsOn(orders, subject),
        detail: { marketId, orders },
      })),
    }
  },
  tell(_params, { detail: { marketId, orders } }, subject) {
    const symbol = symbolIn(subject, marketId)
    return item('info', ordersTitle(orders, symbol, 'filled'), orderLines(orders, symbol, subject))
  },
})
