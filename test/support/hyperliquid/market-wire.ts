import { decimal, decimalsOfPrices, toMono } from './decimals.ts'
import type { ListedDex, Market } from './state.ts'
import type { World } from './world.ts'

/** Markets as the venue writes them. */
type Json = Record<string, unknown>

const LEVELS = 20
/** Of the price, between two levels of the book. */
const BETWEEN_LEVELS = 0.0001
/** USD that lie on the first level; each further one has as much more. */
const DEPTH_USD = 20_000

export function metaOf({ markets, marginTables, collateral }: ListedDex): Json {
  return {
    universe: markets.map(
      ({ szDecimals, name, maxLeverage, marginTableId, strictIsolated, delisted, more }) => ({
        szDecimals,
        name,
        maxLeverage,
        marginTableId,
        ...(strictIsolated ? { onlyIsolated: true } : {}),
        ...(delisted ? { isDelisted: true } : {}),
        ...(strictIsolated ? { marginMode: 'strictIsolated' } : {}),
        ...more,
      }),
    ),
    marginTables: [...marginTables].map(([id, { description, tiers }]) => [
      id,
      {
        description,
        marginTiers: tiers.map(({ from, leverage }) => ({
          lowerBound: decimal(from),
          maxLeverage: leverage,
        })),
      },
    ]),
    collateralToken: collateral.token,
  }
}

/** In the order of `universe`; a test may order a list that is too short. */
export function contextsOf({ short }: World, { name, markets }: ListedDex): Json[] {
  return markets.slice(0, markets.length - (short.get(name) ?? 0)).map(contextOf)
}

export function contextOf(market: Market): Json {
  const { mark, oracle, delisted } = market
  const { bid, ask } = touchOf(market)
  return {
    funding: decimal(market.fundingRate),
    openInterest: decimal(market.openInterest),
    prevDayPx: decimal(market.prevDay),
    dayNtlVlm: decimal(market.dayNotional),
    premium: delisted ? null : decimal(market.premium),
    oraclePx: decimal(oracle),
    markPx: decimal(mark),
    midPx: delisted ? null : decimal((bid + ask) / 2),
    impactPxs: delisted ? null : [decimal(bid), decimal(ask)],
    dayBaseVlm: decimal(market.dayVolume),
  }
}

/** The best prices on both sides. */
export function touchOf(market: Market): { bid: number; ask: number } {
  return { bid: levelPrice(market, -1), ask: levelPrice(market, 1) }
}

function levelPrice({ mark, szDecimals }: Market, level: number): number {
  const smallest = 10 ** -decimalsOfPrices(szDecimals)
  const step = Math.max(mark * BETWEEN_LEVELS, smallest)
  return toMono(Math.max(mark + level * step, smallest), szDecimals)
}

export function dexOf(market: Market, time: number): Json {
  const side = (sign: 1 | -1) =>
    Array.from({ length: market.delisted ? 0 : LEVELS }, (_, index) => {
      const price = levelPrice(market, sign * (index + 1))
      const size = ((index + 1) * DEPTH_USD) / price
      return { px: decimal(price), sz: decimal(Number(size.toFixed(market.szDecimals))), n: index + 1 }
    })
  return { coin: market.name, time, levels: [side(-1), side(1)] }
}

export function perpDexsOf({ dexes }: World): (Json | null)[] {
  return dexes.map(({ name, fullName, deployer, oracleUpdater, feeRecipient, markets }) => {
    if (name === '') return null
    return {
      name,
      fullName,
      deployer,
      oracleUpdater,
      feeRecipient,
      assetToStreamingOiCap: capsOf(markets),
      subDeployers: [['setOracle', [deployer]]],
      deployerFeeScale: '1.0',
      lastDeployerFeeScaleChangeTime: '1970-01-01T00:00:00',
      assetToFundingMultiplier: markets.map((market) => [market.name, '1.0']),
    }
  })
}

/** USD of open interest that each market may have. */
export function capsOf(markets: readonly Market[]): [string, string][] {
  return markets.map(({ name }) => [name, decimal(25_000_000)])
}
