import { type Amount, parseDecimal } from '../../src/venue/amount.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import type { Account } from '../../src/venues/sim/exchange/account.ts'
import { advance, createExchange, openAccount } from '../../src/venues/sim/exchange/exchange.ts'
import type { VenueEvent } from '../../src/venues/sim/exchange/venue-events.ts'
import type { Market, MarketStart } from '../../src/venues/sim/exchange/market.ts'
import type { Order } from '../../src/venues/sim/exchange/order.ts'
import type { Exchange } from '../../src/venues/sim/exchange/state.ts'
import { submit } from '../../src/venues/sim/exchange/submit.ts'
import type { MarketTerms, VenueTerms } from '../../src/venues/sim/maths/terms.ts'

// A small venue with round figures: two seconds from an order to its fill, ETH at 2,000 and BTC at 100,000.

export const OWNER: Wallet = '0x51aB1e0000000000000000000000000000000001'
export const ANY_PRICE = { buy: 10n ** 30n, sell: 0n }

/** 18 decimals of what people write. */
export function units(text: string | number): Amount {
  const amount = parseDecimal(String(text))
  if (amount === null) throw new Error(`${text} is no number`)
  return amount
}

export const VENUE: VenueTerms = {
  minKeeperRewardUsd: units(1),
  minKeeperProfitRatio: units('0.3'),
  maxKeeperRewardUsd: units(500),
  maxKeeperScalingRatio: units('0.1'),
  flagExecutionCost: units('0.5'),
  liquidateExecutionCost: units('0.5'),
  collateralLiquidateRewardRatio: units('0.0003'),
  settlementRewardUsd: units('0.1'),
  ...{ commitDelaySeconds: 1, settlementDelaySeconds: 1, settlementWindowSeconds: 60, roundSeconds: 3_600 },
}

export function marketTerms(id: string, symbol: string, some: Partial<MarketTerms> = {}): MarketTerms {
  return {
    ...{ id, symbol, skewScale: units(100_000), makerFee: units('0.0002'), takerFee: units('0.0005') },
    ...{ limitMakerFee: units('0.0001'), limitTakerFee: units('0.0004'), maxFundingVelocity: units(9) },
    ...{ maxMarketSize: units(1_000), maxMarketValue: 0n, flagRewardRatio: units('0.0003') },
    ...{ initialMarginRatio: units(2), minimumInitialMarginRatio: units('0.02') },
    ...{ maintenanceMarginScalar: units('0.5'), minimumPositionMargin: units(1) },
    ...{ liquidationWindowSeconds: 30, liquidationWindowMultiplier: units(1), maxLiquidationPd: 0n },
    ...some,
  }
}

export function marketStart(terms: MarketTerms, price: string | number): MarketStart {
  const indexPrice = units(price)
  return { terms, indexPrice, fundingRate: 0n, before: { count: 0, volumeUsd: 0n, price: indexPrice } }
}

/** The stage of a story: who trades says so in a sentence's words. */
export function stage(changed: { venue?: Partial<VenueTerms>; eth?: Partial<MarketTerms> } = {}) {
  const exchange = createExchange({
    terms: { ...VENUE, ...changed.venue },
    markets: [
      marketStart(marketTerms('100', 'ETH', changed.eth), 2_000),
      marketStart(marketTerms('200', 'BTC', { skewScale: units(7_500) }), 100_000),
    ],
    accounts: [],
    nowSeconds: 1_000_000,
  })
  const [eth, btc] = [...exchange.markets.values()] as [Market, Market]
  let traders = 0
  /** Waits so long, with these prices from its end on. */
  const wait = (seconds: number, prices: { eth?: number | string; btc?: number | string } = {}) => {
    const set: [string, Amount][] = []
    if (prices.eth !== undefined) set.push(['100', units(prices.eth)])
    if (prices.btc !== undefined) set.push(['200', units(prices.btc)])
    return advance(exchange, exchange.nowSeconds + seconds, set)
  }
  const order = (account: Account, market: Market, size: number | string) =>
    submit(exchange, {
      ...{ is: 'market', accountId: account.id, marketId: market.terms.id, sizeDelta: units(size) },
      acceptablePrice: units(size) > 0n ? ANY_PRICE.buy : ANY_PRICE.sell,
      ...{ takeProfit: null, stopLoss: null },
    })
  return {
    ...{ exchange, eth, btc, wait, order },
    trader: (collateral: number | string): Account => {
      const id = `1701411834604692317316873037158841${String(10_000 + traders++)}`
      const start = { id, wallet: OWNER, collateralUsd: units(collateral), positions: [] }
      return openAccount(exchange, start) as Account
    },
    /** At the market, until it is settled. */
    trade: (account: Account, market: Market, size: number | string): VenueEvent[] => {
      order(account, market, size)
      return [...wait(1), ...wait(1)]
    },
    limit: (
      account: Account,
      market: Market,
      size: number | string,
      price: number | string,
      seconds = 86_400,
    ) =>
      submit(exchange, {
        ...{ is: 'limit', accountId: account.id, marketId: market.terms.id, sizeDelta: units(size) },
        ...{ price: units(price), expiresAtSeconds: exchange.nowSeconds + seconds },
        ...{ takeProfit: null, stopLoss: null },
      }),
  }
}

/** An order that was taken. */
export function taken(order: Order | string): Order {
  if (typeof order === 'string') throw new Error(`The venue did not take the order: ${order}`)
  return order
}

/** What happened, in short. */
export function told(happenings: readonly VenueEvent[]): string[] {
  return happenings.map((one) => ('why' in one ? `${one.is}: ${one.why}` : one.is))
}

/** All USD on the venue, to the last digit: it must be what came in. */
export function cashOf({ accounts, poolUsd, keepersUsd }: Exchange): Amount {
  return [...accounts.values()].reduce((sum, { collateralUsd }) => sum + collateralUsd, poolUsd + keepersUsd)
}
