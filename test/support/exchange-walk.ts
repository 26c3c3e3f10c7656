import * as fc from 'fast-check'

import { type Amount, multiply, ONE } from '../../src/venue/amount.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import type { Account } from '../../src/venues/sim/exchange/account.ts'
import { deposit, withdraw } from '../../src/venues/sim/exchange/cash.ts'
import { advance, createExchange, setFundingRate } from '../../src/venues/sim/exchange/exchange.ts'
import type { VenueEvent } from '../../src/venues/sim/exchange/venue-events.ts'
import type { Market } from '../../src/venues/sim/exchange/market.ts'
import type { Exchange } from '../../src/venues/sim/exchange/state.ts'
import { setProtectiveOrder, submit } from '../../src/venues/sim/exchange/submit.ts'
import type { Draft } from '../../src/venues/sim/exchange/trade.ts'
import { withdrawable } from '../../src/venues/sim/maths/margin.ts'
import type { MarketTerms, VenueTerms } from '../../src/venues/sim/maths/terms.ts'
import { ANY_PRICE, marketStart, marketTerms, OWNER, units, VENUE } from './exchange.ts'

// A venue on which anything may be done by anybody, at any time and price.

export type Step =
  | { is: 'move'; market: number; share: number; seconds: number }
  | { is: 'order'; limit: boolean; account: number; market: number; size: number; away: number }
  | { is: 'guard'; account: number; away: number }
  | { is: 'deposit'; account: number; usd: number }
  | { is: 'withdraw'; account: number; usd: number }
  | { is: 'rate'; market: number; rate: number }

const ACCOUNTS = 6
const account = fc.integer({ min: 0, max: ACCOUNTS - 1 })
const market = fc.integer({ min: 0, max: 2 })
const away = thousandths(-50, 50)
const shares = thousandths(900, 1_110)
/** Of ten times what an account has: most it can carry, some are more, some are next to nothing. */
export const size = fc.oneof(
  { weight: 3, arbitrary: thousandths(-400, 400) },
  { weight: 2, arbitrary: thousandths(-1_200, 1_200) },
  { weight: 1, arbitrary: fc.constantFrom(1e-12, -1e-12, 1e-6, -1e-6) },
)
const usd = fc.integer({ min: 0, max: 20_000 })

const trades = fc.record({
  ...{ is: fc.constant('order' as const), limit: fc.boolean(), account, market, size, away },
})
const moves = fc.record({
  ...{ is: fc.constant('move' as const), market, share: shares },
  seconds: fc.constantFrom(0, 1, 29, 30, 600, 3_600, 9_000),
})

export const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: trades },
    { weight: 6, arbitrary: moves },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('guard' as const), account, away }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('deposit' as const), account, usd }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('withdraw' as const), account, usd }) },
    {
      weight: 1,
      arbitrary: fc.record({
        ...{ is: fc.constant('rate' as const), market },
        rate: thousandths(-100, 100),
      }),
    },
  ),
  { minLength: 40, maxLength: 90, size: 'max' },
)

function thousandths(min: number, max: number) {
  return fc.integer({ min, max }).map((some) => some / 1_000)
}

/** Orders are settled in the second in which they come, so that a preview can be compared with what is done. */
export function walkable(
  changed: {
    venue?: Partial<VenueTerms>
    market?: Partial<MarketTerms>
    /** Of each account by its number; all are of one when this is left out. */
    wallet?: (index: number) => Wallet
  } = {},
): Exchange {
  const at = { commitDelaySeconds: 0, settlementDelaySeconds: 0, settlementWindowSeconds: 0 }
  const tight = { liquidationWindowMultiplier: units('0.02'), maxMarketSize: units(60) }
  return createExchange({
    terms: { ...VENUE, ...at, ...changed.venue },
    markets: [
      marketStart(marketTerms('100', 'ETH', { ...tight, ...changed.market }), '2000.123456789'),
      marketStart(marketTerms('200', 'BTC', { skewScale: units(7_500), ...changed.market }), 100_000),
      marketStart(
        marketTerms('400', 'PEPE', {
          ...{ skewScale: units('4e12'), maxMarketSize: units('9.65e9'), maxMarketValue: units(100_000) },
          ...changed.market,
        }),
        '0.0000104123',
      ),
    ],
    accounts: Array.from({ length: ACCOUNTS }, (_, index) => ({
      ...{
        id: `1701411834604692317316873037158841${10_000 + index}`,
        wallet: changed.wallet?.(index) ?? OWNER,
      },
      ...{ collateralUsd: units(2_000 * (index + 1)), positions: [] },
    })),
    nowSeconds: 1_000_000,
  })
}

const marketOf = (exchange: Exchange, index: number) => [...exchange.markets.values()][index] as Market
const accountOf = (exchange: Exchange, index: number) => [...exchange.accounts.values()][index] as Account

/** A part of the ten-fold of what the account has, in units of the market. */
function sizeOf(account: Account, { indexPrice }: Market, size: number): Amount {
  const usd = multiply(account.collateralUsd * 10n + ONE, units(size.toFixed(12)))
  return (usd * ONE) / indexPrice
}

export const who = account
export const where = market

export function draftOf(exchange: Exchange, who: number, where: number, size: number): Draft {
  const [account, market] = [accountOf(exchange, who), marketOf(exchange, where)]
  return { account, market, sizeDelta: sizeOf(account, market, size), limit: null, acceptablePrice: null }
}

/** Does a step, and what is due then. */
export function take(exchange: Exchange, step: Step): VenueEvent[] {
  const told = ask(exchange, step)
  return step.is === 'move' ? told : [...told, ...advance(exchange, exchange.nowSeconds, [])]
}

function ask(exchange: Exchange, step: Step): VenueEvent[] {
  if (step.is === 'move') {
    const { terms, indexPrice } = marketOf(exchange, step.market)
    const price = multiply(indexPrice, units(step.share.toFixed(15))) + 1n
    return advance(exchange, exchange.nowSeconds + step.seconds, [[terms.id, price]])
  }
  if (step.is === 'rate') {
    setFundingRate(exchange, marketOf(exchange, step.market), units(step.rate.toFixed(15)))
    return []
  }
  const account = accountOf(exchange, step.account)
  if (step.is === 'guard') {
    const [position] = account.positions
    if (!position) return []
    const price = multiply(position.market.indexPrice, units((1 + step.away).toFixed(15)))
    const trigger = { price, acceptablePrice: position.size > 0n ? 1n : ANY_PRICE.buy }
    const [takeProfit, stopLoss] =
      position.size > 0n === step.away > 0 ? ([trigger, null] as const) : ([null, trigger] as const)
    setProtectiveOrder(exchange, {
      ...{ accountId: account.id, marketId: position.market.terms.id, takeProfit, stopLoss },
    })
    return []
  }
  if (step.is === 'deposit') deposit(exchange, account, units(step.usd.toFixed(18)))
  else if (step.is === 'withdraw') {
    const free = withdrawable(exchange.terms, account, exchange.nowSeconds)
    withdraw(exchange, account, multiply(free, units((step.usd / 20_000).toFixed(18))))
  } else {
    const market = marketOf(exchange, step.market)
    const sizeDelta = sizeOf(account, market, step.size)
    const place = { accountId: account.id, marketId: market.terms.id, sizeDelta }
    const bare = { ...place, takeProfit: null, stopLoss: null }
    const price = multiply(market.indexPrice, units((1 + step.away).toFixed(15))) + 1n
    const expiresAtSeconds = exchange.nowSeconds + 3_600
    if (step.limit) submit(exchange, { is: 'limit', ...bare, price, expiresAtSeconds })
    else {
      const acceptablePrice = sizeDelta > 0n ? ANY_PRICE.buy : ANY_PRICE.sell
      submit(exchange, { is: 'market', ...bare, acceptablePrice })
    }
  }
  return []
}
