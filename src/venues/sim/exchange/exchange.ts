import { createHeap } from '../../../lib/data/heap.ts'
import { type Amount, magnitude, multiply } from '../../../venue/amount.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { createLevels } from '../maths/levels.ts'
import { hold } from '../maths/settle.ts'
import type { VenueTerms } from '../maths/terms.ts'
import type { Account } from './account.ts'
import { recordPrice } from './day.ts'
import { fillReached, settleDue } from './fills.ts'
import type { VenueEvent } from './venue-events.ts'
import { patrol } from './keeper.ts'
import { createMarket, type Market, type MarketStart, recordFunding } from './market.ts'
import type { Exchange } from './state.ts'
import { watch } from './watch.ts'

/** A new account with its first positions. */
export interface AccountStart {
  id: string
  wallet: Wallet
  /** USD. */
  collateralUsd: Amount
  positions: readonly PositionStart[]
}

export interface PositionStart {
  marketId: string
  /** Base units, > 0 is long, never 0. */
  size: Amount
  /** USD per unit, of its only fill. */
  entryPrice: Amount
  enteredAtSeconds: number
  /** USD of funding since then; above zero was received. */
  fundingUsd?: Amount
}

export function createExchange(start: {
  terms: VenueTerms
  markets: readonly MarketStart[]
  accounts: Iterable<AccountStart>
  nowSeconds: number
}): Exchange {
  const { terms, nowSeconds } = start
  const exchange: Exchange = {
    ...{ terms, nowSeconds, poolUsd: 0n, keepersUsd: 0n, depositedUsd: 0n, nextOrderId: 1 },
    markets: new Map(start.markets.map((one) => [one.terms.id, createMarket(one, nowSeconds)])),
    accounts: new Map(),
    accountsByWallet: new Map(),
    flagged: new Set(),
    watch: createLevels(),
    triggers: createLevels(),
    due: createHeap(),
    round: { accounts: [], next: 0, owed: 0 },
  }
  for (const account of start.accounts) openAccount(exchange, account)
  return exchange
}

/** Returns null if the id is taken. */
export function openAccount(exchange: Exchange, start: AccountStart): Account | null {
  const { id, wallet, collateralUsd } = start
  if (exchange.accounts.has(id)) return null
  // Look up all markets before changing anything: a refused account must leave nothing behind.
  const held = start.positions.map((position) => ({ position, market: listed(exchange, id, position) }))
  const ownWays = { positions: [], orders: [], isFlagged: false }
  const account: Account = { id, wallet, collateralUsd, debtUsd: 0n, ...ownWays }
  exchange.accounts.set(id, account)
  exchange.round.accounts.push(account)
  exchange.depositedUsd += collateralUsd
  const accounts = exchange.accountsByWallet.get(wallet)
  if (accounts) accounts.push(account)
  else exchange.accountsByWallet.set(wallet, [account])
  for (const { position, market } of held) putIn(exchange, account, market, position)
  watch(exchange, account)
  return account
}

function listed({ markets }: Exchange, accountId: string, { marketId }: PositionStart): Market {
  const market = markets.get(marketId)
  if (market) return market
  throw new Error(`There is no market ${marketId} for a position of account ${accountId}.`)
}

function putIn(exchange: Exchange, account: Account, market: Market, start: PositionStart): void {
  const { size, entryPrice, enteredAtSeconds } = start
  recordFunding(market, exchange.nowSeconds)
  hold(exchange, account, market, {
    ...{ market, size, latestInteractionPrice: entryPrice, fundingValue: market.fundingValue },
    ...{ avgEntryPrice: entryPrice, enteredAtSeconds, volumeUsd: multiply(magnitude(size), entryPrice) },
    ...{ realisedFundingUsd: start.fundingUsd ?? 0n, realisedPnlUsd: 0n, feesUsd: 0n },
  })
}

/**
 * Moves the venue to a second, or within the same second, with the changed index prices (USD per unit, by
 * market). Due orders come first, then reached prices, then the keeper. So a stop loss that can still fill
 * saves its account.
 */
export function advance(
  exchange: Exchange,
  nowSeconds: number,
  prices: Iterable<readonly [marketId: string, price: Amount]>,
): VenueEvent[] {
  const sinceSeconds = exchange.nowSeconds
  if (!Number.isInteger(nowSeconds) || nowSeconds < sinceSeconds)
    throw new RangeError(
      `The venue is at ${sinceSeconds} s: move it to a whole second from there on, not to ${nowSeconds}.`,
    )
  // Check all prices before changing anything: a refused move must leave nothing behind.
  const moved = [...prices].map(([marketId, price]) => ({ market: priced(exchange, marketId, price), price }))
  exchange.nowSeconds = nowSeconds
  for (const { market, price } of moved) {
    market.indexPrice = price
    recordPrice(market.day, nowSeconds, price)
  }
  return [...settleDue(exchange), ...fillReached(exchange), ...patrol(exchange, sinceSeconds)]
}

function priced({ markets }: Exchange, marketId: string, price: Amount): Market {
  const market = markets.get(marketId)
  if (market && price > 0n) return market
  throw new RangeError(
    `Market ${marketId} cannot be set to ${price}: give a market that is listed and a price above 0.`,
  )
}

/** Sets the rate per day. From there the skew moves it on. */
export function setFundingRate(exchange: Exchange, market: Market, ratePerDay: Amount): void {
  recordFunding(market, exchange.nowSeconds)
  market.fundingRate = ratePerDay
}
