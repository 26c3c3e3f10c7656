import recorded from '../../venues/hyperliquid/recorded/main-metaAndAssetCtxs-2026-02-06.json' with { type: 'json' }
import type { ListedDex, Market } from './state.ts'

/** `few`: a handful of markets of each dex; `recorded`: all 228 of the main one as they were on 2026-02-06. */
export type Universe = 'few' | 'recorded'

/** One entry of `universe` as recorded; only some have the last ones. */
interface Listed {
  szDecimals: number
  name: string
  maxLeverage: number
  marginTableId: number
  onlyIsolated?: boolean
  isDelisted?: boolean
  marginMode?: string
}

const [meta, contexts] = recorded.body as unknown as [
  { universe: Listed[]; marginTables: [number, Table][] },
  Record<string, string | null>[],
]
interface Table {
  description: string
  marginTiers: { lowerBound: string; maxLeverage: number }[]
}

/** In the order of the recording: MATIC is delisted and keeps its place before DYDX. */
const FEW = new Set([
  'BTC',
  'ETH',
  'ATOM',
  'MATIC',
  'DYDX',
  'SOL',
  'BNB',
  'DOGE',
  'INJ',
  'HPOS',
  'kPEPE',
  'HYPE',
  'MEGA',
])

const USDC = { token: 0, coin: 'USDC' }
const USDE = { token: 235, coin: 'USDE' }
const GROWTH = { growthMode: 'enabled', lastGrowthModeChangeTime: '2025-11-23T17:21:40.390706535' }

/** Builder dexes: coin, size decimals, most leverage, price. Their prices are nobody's recording. */
const BUILDERS: [string, string, typeof USDC, string, Seed[]][] = [
  [
    'xyz',
    'XYZ',
    USDC,
    '0x88806a71d74ad0a510b350545c9ae490912f0888',
    [
      ['XYZ100', 4, 20, 25_451, GROWTH],
      ['TSLA', 3, 10, 465.13, GROWTH],
      ['OLD', 2, 5, 12.5, { isDelisted: true }],
      ['NVDA', 3, 10, 177.06, GROWTH],
      ['GOLD', 4, 20, 4_310.5],
    ],
  ],
  ['flx', 'Felix Exchange', USDC, '0x2fab552502a6d45920d5741a2f3ebf4c35536352', [['TSLA', 3, 10, 465.2]]],
  [
    'hyna',
    'HyENA',
    USDE,
    '0x53e655101ea361537124ef814ad4e654b54d0637',
    [
      ['BTC', 5, 40, 66_340],
      ['ETH', 4, 25, 1_930.4],
    ],
  ],
]
type Seed = [name: string, szDecimals: number, maxLeverage: number, price: number, more?: object]

export function dexesOf(universe: Universe, at: number): ListedDex[] {
  const main: ListedDex = {
    name: '',
    fullName: '',
    deployer: '',
    oracleUpdater: null,
    feeRecipient: null,
    collateral: USDC,
    marginTables: new Map(meta.marginTables.map(([id, table]) => [id, tableOf(table)])),
    markets: [],
  }
  main.markets = meta.universe.flatMap((listed, index) => {
    const context = contexts[index]
    return context && (universe === 'recorded' || FEW.has(listed.name))
      ? [recordedMarket(main, listed, context, at)]
      : []
  })
  const single = { description: '', tiers: [{ from: 0, leverage: 50 }] }
  const builders = BUILDERS.map(([name, fullName, collateral, deployer, seeds]) => {
    const marginTables = new Map([[50, single]])
    const dex: ListedDex = { name, fullName, collateral, ...whose(name, deployer), marginTables, markets: [] }
    dex.markets = seeds.map((seed) => builderMarket(dex, seed, at))
    return dex
  })
  return [main, ...builders]
}

/** Some updated their oracle themselves, and some take no fees: both are recorded. */
function whose(
  name: string,
  deployer: string,
): Pick<ListedDex, 'deployer' | 'oracleUpdater' | 'feeRecipient'> {
  const others = name === 'hyna'
  return { deployer, oracleUpdater: others ? deployer : null, feeRecipient: others ? null : deployer }
}

function tableOf({ description, marginTiers }: Table) {
  const tiers = marginTiers.map(({ lowerBound, maxLeverage }) => ({
    from: Number(lowerBound),
    leverage: maxLeverage,
  }))
  return { description, tiers }
}

function recordedMarket(
  dex: ListedDex,
  listed: Listed,
  context: Record<string, string | null>,
  at: number,
): Market {
  const { name, szDecimals, maxLeverage, marginTableId } = listed
  const figure = (field: string) => Number(context[field] ?? 0)
  const oracle = figure('oraclePx')
  return {
    dex,
    name,
    szDecimals,
    maxLeverage,
    marginTableId,
    strictIsolated: listed.onlyIsolated === true,
    delisted: listed.isDelisted === true,
    more: {},
    mark: figure('markPx'),
    oracle,
    prevDay: figure('prevDayPx'),
    fundingRate: figure('funding'),
    premium: figure('premium'),
    openInterest: figure('openInterest'),
    dayNotional: figure('dayNtlVlm'),
    dayVolume: figure('dayBaseVlm'),
    oracles: [{ at, price: oracle }],
    payments: [],
  }
}

/** A market that was not there before, at the end of its dex. */
export function newMarket(dex: ListedDex, name: string, price: number, at: number): Market {
  const [, bare = name] = name.split(':')
  const made = builderMarket(dex, [bare, 2, 10, price], at)
  return { ...made, name, strictIsolated: false }
}

function builderMarket(
  dex: ListedDex,
  [name, szDecimals, maxLeverage, price, more = {}]: Seed,
  at: number,
): Market {
  const { isDelisted = false, ...rest } = more as { isDelisted?: boolean }
  return {
    dex,
    name: `${dex.name}:${name}`,
    szDecimals,
    maxLeverage,
    marginTableId: maxLeverage,
    strictIsolated: dex.name === 'xyz' && name !== 'GOLD',
    delisted: isDelisted,
    more: rest,
    mark: price,
    oracle: price,
    prevDay: price,
    fundingRate: isDelisted ? 0 : 0.00000625,
    premium: 0,
    openInterest: isDelisted ? 0 : 1_000,
    dayNotional: isDelisted ? 0 : 1_000 * price,
    dayVolume: isDelisted ? 0 : 1_000,
    oracles: [{ at, price }],
    payments: [],
  }
}
