import { z } from 'zod'

import { good, refusal } from '../endpoints/endpoint.ts'
import { type Account, charged, type Position, positionIn } from '../exchange/account.ts'
import { expireAll } from '../exchange/book.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import { createMarket, type Market, type MarketStart, recordFunding } from '../exchange/market.ts'
import type { Exchange } from '../exchange/state.ts'
import { watch } from '../exchange/watch.ts'
import { gainedBy } from '../maths/margin.ts'
import { hold, pay } from '../maths/settle.ts'
import { marketRecord } from '../wire/market.ts'
import { type Door, door, fields, indexPrice, marketOf, symbol, eventsJson } from './door.ts'

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
      return good({ happened: eventsJson(delistMarket(stage.exchange, market)) })
    },
  }),
]

/** Returns false if the id is taken. */
export function listMarket(exchange: Exchange, start: MarketStart): boolean {
  if (exchange.markets.has(start.terms.id)) return false
  exchange.markets.set(start.terms.id, createMarket(start, exchange.nowSeconds))
  return true
}

/**
 * Ends all orders of the market, closes all positions at the index price without a fee, and unlists the
 * market.
 */
export function delistMarket(exchange: Exchange, market: Market): VenueEvent[] {
  recordFunding(market, exchange.nowSeconds)
  const events = [...exchange.accounts.values()].flatMap((account) => {
    const expired = expireAll(exchange, account, 'delisted', market.terms.id)
    const position = positionIn(account, market)
    return position ? [...expired, close(exchange, account, position)] : expired
  })
  exchange.markets.delete(market.terms.id)
  return events
}

function close(exchange: Exchange, account: Account, position: Position): VenueEvent {
  const { market, size } = position
  const price = market.indexPrice
  const { priceUsd: pnlUsd, fundingUsd } = gainedBy(position, price, exchange.nowSeconds)
  // The pool already owns the value of a flagged account's positions.
  if (!account.isFlagged) pay(exchange, account, charged(account, pnlUsd + fundingUsd))
  hold(exchange, account, market, null)
  if (account.isFlagged && account.positions.length === 0) {
    account.isFlagged = false
    exchange.flagged.delete(account)
  }
  watch(exchange, account)
  const place = { accountId: account.id, marketId: market.terms.id }
  return { is: 'delisted', ...place, size, price, pnlUsd, fundingUsd }
}
