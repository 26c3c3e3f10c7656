import { z } from 'zod'

import { STATUSES } from '../../perps-data/wire/orders.ts'
import { addressSchema, wholeSchema } from '../wire/figures.ts'
import { orderRecord, orderSchema } from '../wire/order.ts'
import { endpoint, good } from './endpoint.ts'
import { nothing, ofOwner, page, paged } from './parameters.ts'

const status = z.enum(STATUSES, {
  error: ({ input }) => `Unknown status "${String(input)}"; known are ${STATUSES.join(', ')}`,
})

const statuses = z.preprocess(
  (text) => (typeof text === 'string' && text !== '' ? text.split(',') : []),
  z.array(status).describe('Those that are wanted; without any, all.'),
)

export const orderListSchema = z.strictObject({
  owner: addressSchema,
  orders: z.array(orderSchema),
  totalCount: wholeSchema('Of all with such a status, on whatever page.'),
})

export const orders = endpoint({
  ...{ method: 'GET', path: '/orders/v2', name: 'listOrders', tag: 'Orders' },
  summary: 'List the orders of a wallet, in all its accounts.',
  description: 'Oldest first. A take profit and stop loss of a position is an order as well.',
  ...{ place: nothing, query: ofOwner.extend({ statuses: statuses.optional(), ...paged.shape }), body: null },
  ...{ answer: orderListSchema, notFound: null },
  respond({ exchange, unix }, { query }) {
    const { owner, statuses: wanted } = query
    const all = (exchange.accountsByWallet.get(owner) ?? [])
      .flatMap((account) => account.orders.map((order) => ({ account, order })))
      .filter(({ order }) => !wanted?.length || wanted.includes(order.status))
      .sort((a, b) => a.order.id - b.order.id)
    const shown = page(all, query).map(({ account, order }) =>
      orderRecord(account, order, exchange.terms, unix),
    )
    return good({ owner, orders: shown, totalCount: all.length })
  },
})
