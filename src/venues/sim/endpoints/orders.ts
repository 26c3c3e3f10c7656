import { z } from 'zod'
import { STATUSES } from '../../perps-data/wire/orders.ts'
import type { Status } from '../../perps-data/wire/orders.ts'
import { endpoint, good } from '../endpoint.ts'
import { addressSchema } from '../wire/figures.ts'
import { orderRecord, orderSchema } from '../wire/order.ts'
import { nothing, ofOwner, page, paged } from './parameters.ts'

const isStatus = (text: string): text is Status => STATUSES.some((status) => status === text)

const statuses = z
  .string()
  .describe(`Those that are wanted, with commas between them: ${STATUSES.join(', ')}. Without it, all.`)
  .transform((text, context) => {
    const wanted = text === '' ? STATUSES : text.split(',')
    const unknown = wanted.find((one) => !isStatus(one))
    if (unknown === undefined) return [...wanted]
    context.addIssue(`Unknown status "${unknown}"; known are ${STATUSES.join(', ')}`)
    return z.NEVER
  })

const orderListSchema = z.strictObject({
  owner: addressSchema,
  orders: z.array(orderSchema),
  totalCount: z.int().min(0).describe('Of all with such a status, on whatever page.'),
})

/** Oldest first. */
export const orders = endpoint({
  ...{ method: 'GET', path: '/orders/v2', name: 'listOrders' },
  summary: 'List the orders of a wallet, in all its accounts.',
  ...{ place: nothing, query: ofOwner.extend({ statuses: statuses.optional(), ...paged.shape }), body: null },
  ...{ answer: orderListSchema, notFound: false },
  respond({ exchange, unix }, { query }) {
    const { owner, statuses: wanted } = query
    const all = (exchange.owners.get(owner) ?? [])
      .flatMap((account) => account.orders.map((order) => ({ account, order })))
      .filter(({ order }) => !wanted || wanted.includes(order.status))
      .sort((a, b) => a.order.id - b.order.id)
    const shown = page(all, query).map(({ account, order }) =>
      orderRecord(account, order, exchange.terms, unix),
    )
    return good({ owner, orders: shown, totalCount: all.length })
  },
})
