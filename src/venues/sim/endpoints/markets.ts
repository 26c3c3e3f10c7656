import { z } from 'zod'
import { endpoint, good } from '../endpoint.ts'
import { CHAIN_ID } from '../wire/figures.ts'
import { marketListSchema, marketRecord } from '../wire/market.ts'
import { nothing } from './parameters.ts'

/** All markets, by the text of their numbers, as the venue lists them. */
export const markets = endpoint({
  ...{ method: 'GET', path: '/markets', name: 'listMarkets', summary: 'List all markets.' },
  ...{ place: nothing, query: z.object({}), body: null, answer: marketListSchema, notFound: false },
  respond({ exchange }) {
    const all = [...exchange.markets.values()].sort((a, b) => (a.terms.id < b.terms.id ? -1 : 1))
    const records = all.map((market) => marketRecord(market, exchange.nowSeconds))
    return good([{ chainId: CHAIN_ID, markets: records }])
  },
})
