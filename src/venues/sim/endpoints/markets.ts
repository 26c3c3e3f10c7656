import { endpoint, good } from '../endpoint.ts'
import { CHAIN_ID } from '../wire/figures.ts'
import { marketListSchema, marketRecord } from '../wire/market.ts'
import { nothing } from './parameters.ts'

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
