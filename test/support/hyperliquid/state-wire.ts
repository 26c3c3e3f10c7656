import { cut, decimal, decimalsOfPrices } from './decimals.ts'
import {
  dexesOfToken,
  suppressedIn,
  isCross,
  isShared,
  liquidationPrice,
  maintenanceOf,
  marginUsed,
  poolOf,
  profitOf,
  spotTotal,
  summaryOf,
  valueOf,
  withdrawable,
} from './figures.ts'
import type { Account, ListedDex, Holding } from './state.ts'
import type { World } from './world.ts'

/** Accounts as the venue writes them. */
type Json = Record<string, unknown>

export function clearinghouseState(world: World, account: Account, dex: ListedDex): Json {
  const needed = suppressedIn(account, dex)
    .filter(isCross)
    .reduce((sum, held) => sum + maintenanceOf(account, held), 0)
  return {
    marginSummary: texts(summaryOf(account, dex, 'all')),
    crossMarginSummary: texts(summaryOf(account, dex, 'cross')),
    crossMaintenanceMarginUsed: decimal(needed),
    withdrawable: decimal(withdrawable(account, dex)),
    assetPositions: suppressedIn(account, dex).map((held) => ({
      type: 'oneWay',
      position: position(world, account, held),
    })),
    time: world.clock.now(),
  }
}

export function allClearinghouseStates(world: World, account: Account): [string, Json][] {
  return world.dexes.map((dex) => [dex.name, clearinghouseState(world, account, dex)])
}

function position(world: World, account: Account, held: Holding): Json {
  const { market, szi, entryNotional, leverage, isolatedUsd, funding } = held
  const liquidation = liquidationPrice(world, account, held)
  // A leg of nothing may stay listed.
  const entry = szi === 0 ? 0 : cut(entryNotional / Math.abs(szi), decimalsOfPrices(market.szDecimals))
  const returned = szi === 0 ? 0 : profitOf(held) / (entryNotional / leverage)
  return {
    coin: market.name,
    szi: decimal(szi),
    leverage:
      isolatedUsd === null
        ? { type: 'cross', value: leverage }
        : { type: 'isolated', value: leverage, rawUsd: decimal(isolatedUsd) },
    entryPx: decimal(entry),
    positionValue: decimal(valueOf(held)),
    unrealizedPnl: decimal(profitOf(held)),
    returnOnEquity: decimal(returned),
    liquidationPx: liquidation === null ? null : decimal(liquidation),
    marginUsed: decimal(marginUsed(held)),
    maxLeverage: account.maxLeverage ?? market.maxLeverage,
    cumFunding: texts(funding),
  }
}

/** A ratio above which a portfolio account is liquidated. */
function portfolioRatio(world: World, account: Account): number {
  const ratios = world.dexes.map((dex) => {
    const { equity, needed } = poolOf(world, account, dex)
    return needed === 0 ? 0 : equity <= 0 ? Infinity : needed / equity
  })
  return Math.max(0, ...ratios)
}

export function spotClearinghouseState(world: World, account: Account): Json {
  const portfolio = account.mode === 'portfolioMargin'
  const balances = [...account.spot].map(([token, { coin, free, entryNotional }]) => ({
    coin,
    token,
    total: decimal(spotTotal(world, account, token)),
    hold: decimal(isShared(account) ? holdOf(world, account, token) : 0),
    entryNtl: decimal(entryNotional),
    ...(portfolio ? { ltv: token === 0 ? '0.0' : '0.5' } : {}),
    ...(portfolio && token === 0 ? { supplied: decimal(free) } : {}),
  }))
  if (!isShared(account)) return { balances }
  const available = [...account.spot.keys()].map((token) => {
    const [first] = dexesOfToken(world, token)
    const needed = first ? poolOf(world, account, first).needed : 0
    return [token, decimal(spotTotal(world, account, token) - needed)]
  })
  if (!portfolio) return { balances, tokenToAvailableAfterMaintenance: available }
  return {
    portfolioMarginEnabled: true,
    balances,
    portfolioMarginRatio: decimal(Math.min(portfolioRatio(world, account), 1e9), 9),
    tokenToPortfolioBorrowRatio: [[0, '0.0']],
    tokenToPortfolioSupplyRatio: [],
    tokenToAvailableAfterMaintenance: available,
  }
}

function holdOf(world: World, account: Account, token: number): number {
  const held = dexesOfToken(world, token).flatMap((dex) => suppressedIn(account, dex))
  return held.reduce((sum, one) => sum + marginUsed(one), 0)
}

function texts(numbers: object): Json {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, decimal(value as number)]))
}
