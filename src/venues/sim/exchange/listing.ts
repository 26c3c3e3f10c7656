import { charged, positionIn } from './account.ts'
import type { Account, Position } from './account.ts'
import { expireAll } from './book.ts'
import type { Happening } from './happening.ts'
import { gainedBy } from './margin.ts'
import { createMarket, recordFunding } from './market.ts'
import type { Market, MarketStart } from './market.ts'
import { hold, pay } from './settle.ts'
import type { Exchange } from './state.ts'
import { watch } from './watch.ts'

/** False where there is one of that id. */
export function listMarket(exchange: Exchange, start: MarketStart): boolean {
  if (exchange.markets.has(start.terms.id)) return false
  exchange.markets.set(start.terms.id, createMarket(start, exchange.nowSeconds))
  return true
}

/** Ends all orders there, closes all positions at the index without a fee, and takes the market off the list. */
export function delistMarket(exchange: Exchange, market: Market): Happening[] {
  recordFunding(market, exchange.nowSeconds)
  const told = [...exchange.accounts.values()].flatMap((account) => {
    const expired = expireAll(exchange, account, 'delisted', market.terms.id)
    const position = positionIn(account, market)
    return position ? [...expired, close(exchange, account, position)] : expired
  })
  exchange.markets.delete(market.terms.id)
  return told
}

function close(exchange: Exchange, account: Account, position: Position): Happening {
  const { market, size } = position
  const price = market.indexPrice
  const { priceUsd: pnlUsd, fundingUsd } = gainedBy(position, price, exchange.nowSeconds)
  // What a flagged account's positions are worth is the pool's already.
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
