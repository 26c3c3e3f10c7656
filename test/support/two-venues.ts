import type { View } from '../../src/command/context.ts'
import type { Account } from '../../src/venue/account.ts'
import type { Market } from '../../src/venue/market.ts'
import type { Position } from '../../src/venue/position.ts'
import type { PositionsAnswer } from '../../src/venue/venue.ts'
import { NOON } from './clock.ts'
import { ALICE, aMarket, aPosition, exact } from './fixtures.ts'

/** The names of the venues, the first one first. */
export const VENUES = ['hyperliquid', 'lighter']

const dex = { priceName: 'mark', fundingEveryMs: 3_600_000, maintenanceRatio: exact('0.01') } as const
/** ETH and BTC at both, NVDA in a dex of the first and at the second, Sol at the first, ARB at the second. */
export const markets: readonly Market[] = [
  aMarket({ ...dex, id: 'ETH', symbol: 'ETH', accountId: 'main' }),
  aMarket({ ...dex, id: 'BTC', symbol: 'BTC', price: exact('100000'), accountId: 'main' }),
  aMarket({ ...dex, id: 'Sol', symbol: 'Sol', price: exact('150'), accountId: 'main' }),
  aMarket({ ...dex, id: 'OLD', symbol: 'OLD', delisted: true, accountId: 'main' }),
  aMarket({ ...dex, id: 'xyz:NVDA', symbol: 'xyz:NVDA', dex: 'xyz', accountId: 'xyz' }),
  ...Object.entries({ ETH: '2510', BTC: '100100', NVDA: '180', ARB: '0.5', OLD: '3' }).map(
    ([symbol, price], at) =>
      aMarket({
        ...dex,
        ...{ id: `lighter/${at}`, symbol: `lighter:${symbol}`, dex: 'lighter', price: exact(price) },
      }),
  ),
]

/**
 * Two ETH long at the first venue and as many short at the second; BTC long at the first alone. The liquidation prices
 * are those of accounts with $640 and $749.80 above a maintenance of 1%, if their own market alone moves.
 */
export const hedged: readonly Position[] = [
  aPosition({
    marketId: 'ETH',
    accountId: 'main',
    margin: 'cross',
    liquidationPrice: exact('2176.7676767677'),
  }),
  aPosition({
    ...{ marketId: 'BTC', accountId: 'main', margin: 'cross', size: exact('0.01') },
    ...{ entryPrice: exact('90000'), liquidationPrice: exact('35353.5353535354') },
  }),
  aPosition({
    ...{ marketId: 'lighter/0', accountId: 'lighter/7', margin: 'cross', size: exact('-2') },
    ...{ entryPrice: exact('2500'), liquidationPrice: exact('2881.1881188119') },
  }),
]

const anAccount = (accountId: string, equity: number, maintenance: number): Account => ({
  ...{ wallet: ALICE, accountId, pool: accountId, mode: 'single' },
  equityUsd: exact(String(equity)),
  maintenanceUsd: exact(String(maintenance)),
  marginRatio: maintenance / equity,
  withdrawableUsd: null,
})

/** $6,000 long at hyperliquid with $640 above its maintenance of 1%; $5,020 short at lighter with $749.80 above it. */
export const hedgedAccounts = [anAccount('main', 700, 60), anAccount('lighter/7', 800, 50.2)]

/** An answer of both venues with these positions. */
export function answerWith(
  positions: readonly Position[],
  over: Partial<PositionsAnswer> = {},
): PositionsAnswer {
  const accounts: Account[] = []
  return {
    ...{ accounts, unusable: [], failedParts: [], totalCount: null },
    positions: [...positions],
    ...over,
  }
}

/** A view of a program of two venues, in which ALICE holds these positions. */
export function viewOfTwo(
  held: readonly Position[] = hedged,
): Pick<View, 'markets' | 'listed' | 'market' | 'symbol' | 'positions'> {
  const seen = { at: NOON, mono: 0 }
  const byId = new Map(markets.map((value) => [value.id, { value, ...seen }]))
  return {
    markets: () => new Map(markets.map((market) => [market.id, market])),
    listed: () => byId,
    market: (id) => byId.get(id) ?? null,
    symbol: (id) => byId.get(id)?.value.symbol ?? `market ${id}`,
    positions: (wallet) => (wallet === ALICE ? { value: [...held], ...seen } : null),
  }
}
