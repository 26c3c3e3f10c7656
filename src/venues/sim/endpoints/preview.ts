import { z } from 'zod'
import { endpoint, good, refusal } from '../endpoint.ts'
import { previewRecord, previewSchema } from '../wire/preview.ts'
import { nothing, onChain } from './parameters.ts'

const BODY = 'The body must hold accountId, marketId and sizeDelta, each a string'

/** No size and no price of the venue has more digits: 2^255 has 77. */
const integer = (name: string) => z.string(BODY).regex(/^-?\d{1,77}$/, `${name} must be a whole number`)

const draft = z.object(
  {
    accountId: z.string(BODY),
    marketId: z.string(BODY),
    sizeDelta: integer('sizeDelta')
      .refine((text) => !/^-?0+$/.test(text), 'sizeDelta must be a whole number other than 0')
      .describe('Base units × 10^18, below 0 sells.'),
    limitPrice: integer('limitPrice')
      .refine((text) => /^0*[1-9]/.test(text), 'limitPrice must be above 0')
      .optional()
      .describe('Of a limit order, USD per unit × 10^18.'),
  },
  BODY,
)

export const preview = endpoint({
  ...{ method: 'POST', path: '/post-trade-details', name: 'previewOrder' },
  summary: 'What an order would do at this moment.',
  ...{ place: nothing, query: onChain, body: draft, answer: previewSchema, notFound: true },
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
