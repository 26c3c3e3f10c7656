import { z } from 'zod'
import { door, fields, indexPrice, marketOf, symbol } from '../door.ts'
import type { Door } from '../door.ts'
import { good, refusal } from '../endpoint.ts'
import { delistMarket, listMarket } from '../exchange/listing.ts'
import { marketRecord } from '../wire/market.ts'
import { told } from './told.ts'

const MARKET_ID = 'marketId is a whole number, in a text'
const marketId = z.string(MARKET_ID).regex(/^\d{1,9}$/, MARKET_ID)
const SYMBOL = 'symbol is the name of the new market: up to 20 letters, digits and -/_'
const like = z.string('like names the market whose terms it has, such as "LINK"')
const newSymbol = z.string(SYMBOL).regex(/^[A-Za-z0-9/_-]{1,20}$/, SYMBOL)

export const listing: readonly Door[] = [
  door({
    ...{ method: 'POST', path: '/_sim/market' },
    body: fields({ marketId, symbol: newSymbol, price: indexPrice('price'), like }),
    example: { marketId: '7700', symbol: 'NEW', price: 12.5, like: 'LINK' },
    does: 'lists a market with the terms of another one; nobody holds anything in it yet',
    open(stage, { marketId: id, symbol: name, price, like }) {
      const model = marketOf(stage, like)
      if ('status' in model) return model
      if (!('status' in marketOf(stage, name))) return refusal(409, `There is a market ${name} already.`)
      const before = { count: 0, volumeUsd: 0n, price }
      const terms = { ...model.terms, id, symbol: name }
      if (!listMarket(stage.exchange, { terms, indexPrice: price, fundingRate: 0n, before }))
        return refusal(409, `There is a market ${id} already.`)
      const listed = stage.exchange.markets.get(id)
      if (listed) stage.listed(listed)
      return good(listed ? marketRecord(listed, stage.exchange.nowSeconds) : {})
    },
  }),
  door({
    ...{ method: 'DELETE', path: '/_sim/market', body: fields({ symbol }), example: { symbol: 'LINK' } },
    does: 'delists a market: its orders end, its positions are closed at the index, and it is in no list any more',
    open(stage, { symbol: name }) {
      const market = marketOf(stage, name)
      if ('status' in market) return market
      return good({ happened: told(delistMarket(stage.exchange, market)) })
    },
  }),
]
