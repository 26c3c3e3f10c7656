import { z } from 'zod'
import { endpoint, good, refusal } from '../endpoint.ts'
import { marketRecord, marketSchema } from '../wire/market.ts'
import { aMarket, onChain } from './parameters.ts'

export const market = endpoint({
  ...{ method: 'GET', path: '/markets/{market_id}', name: 'getMarket', tag: 'Markets' },
  ...{ summary: 'Get one market.', description: 'The same as its element in the list of all markets.' },
  place: z.object({ market_id: z.string().meta(aMarket) }),
  ...{ query: onChain, body: null, answer: marketSchema, notFound: 'There is no such market.' },
  respond({ exchange }, { place }) {
    const found = exchange.markets.get(place.market_id)
    if (!found) return refusal(404, `Market ${place.market_id} not found`)
    return good(marketRecord(found, exchange.nowSeconds))
  },
})
