import { z } from 'zod'

import { accountOf } from '../play/catalogue.ts'
import { previewRecord, previewSchema } from '../wire/preview.ts'
import { endpoint, good, refusal } from './endpoint.ts'
import { aMarket, nothing, onChain } from './parameters.ts'

const BODY = 'The body must hold accountId, marketId and sizeDelta, each a string'

/** No size or price of the venue has more digits: 2^255 has 77. */
const integer = (name: string) => z.string(BODY).regex(/^-?\d{1,77}$/, `${name} must be a whole number`)

const id = (name: string) => z.string(BODY).regex(/^\d{1,77}$/, `${name} must be a number in digits`)

export const draftSchema = z.object(
  {
    accountId: id('accountId').meta({
      description: 'The account that would give it: an accountId of a position or an order.',
      examples: [accountOf(0)],
    }),
    marketId: id('marketId').meta(aMarket),
    sizeDelta: integer('sizeDelta')
      .refine((text) => !/^-?0+$/.test(text), 'sizeDelta must be a whole number other than 0')
      .meta({
        description: 'Base units × 10^18, below 0 sells; other than 0.',
        examples: ['-500000000000000000'],
      }),
    limitPrice: integer('limitPrice')
      .refine((text) => /^0*[1-9]/.test(text), 'limitPrice must be above 0')
      .optional()
      .describe('Of a limit order, USD per unit × 10^18, above 0.'),
  },
  BODY,
)

export const preview = endpoint({
  ...{ method: 'POST', path: '/post-trade-details', name: 'previewOrder', tag: 'Orders' },
  summary: 'Preview what an order would do at this moment.',
  description:
    'Nothing is ordered. One that cannot be filled is answered as well: it is not feasible, and errorMsg says why.',
  ...{ place: nothing, query: onChain, body: draftSchema, answer: previewSchema },
  notFound: 'There is no such market, or no such account.',
  respond({ exchange }, { body }) {
    const account = exchange.accounts.get(body.accountId)
    const market = exchange.markets.get(body.marketId)
    if (!market) return refusal(404, `Market ${body.marketId} not found`)
    if (!account) return refusal(404, `Account ${body.accountId} not found`)
    const sizeDelta = BigInt(body.sizeDelta)
    const limitPrice = body.limitPrice === undefined ? null : BigInt(body.limitPrice)
    return good(previewRecord(exchange, { account, market, sizeDelta, limitPrice }))
  },
})
