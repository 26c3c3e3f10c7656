import { z } from 'zod'

import { CHAIN_ID } from '../wire/figures.ts'
import { marketListSchema, marketRecord, marketSchema } from '../wire/market.ts'
import { endpoint, good, refusal } from './endpoint.ts'
import { aMarket, nothing, onChain } from './parameters.ts'

export const markets = endpoint({
  ...{ method: 'GET', path: '/markets', name: 'listMarkets', tag: 'Markets', summary: 'List all markets.' },
  description:
    'By chain, of which there is one; within it by the text of the marketId, so that 1000 is before 200.',
  ...{ place: nothing, query: nothing, body: null, answer: marketListSchema, notFound: null },
  respond({ exchange }) {
    const all = [...exchange.markets.values()].sort((a, b) => (a.terms.id < b.terms.id ? -1 : 1))
    const records = all.map((market) => marketRecord(market, exchange.nowSeconds))
    return good([{ chainId: CHAIN_ID, markets: records }])
  },
})

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
