import { decimal } from './decimals.ts'
import {
  bucketOf,
  crossIn,
  dexesOfToken,
  isCross,
  isShared,
  maintenanceOf,
  poolOf,
  valueOf,
} from './figures.ts'
import { touchOf } from './market-wire.ts'
import { cancelAll } from './orders.ts'
import type { Account, ListedDex, Holding, Market } from './state.ts'
import { pay, trade } from './trading.ts'
import { noteLedger } from './transfers.ts'
import type { World } from './world.ts'

/** https://hyperliquid.gitbook.io/hyperliquid-docs/trading/liquidations */
const LARGE_USD = 100_000
const FIRST_PART = 0.2
/** After a part was closed, what is still liquidatable is closed whole for so long. */
const COOLDOWN_MS = 30_000
const BACKSTOP = 2 / 3
/** https://hyperliquid.gitbook.io/hyperliquid-docs/trading/portfolio-margin */
const PORTFOLIO_RATIO = 0.95

/** What stands behind some positions, and what they need; read anew after each trade. */
interface Stake {
  holdings(): Holding[]
  equity(): number
  needed(): number
  /** Null for an isolated position, which stands alone. */
  dexes: readonly ListedDex[] | null
}

/** One block's liquidations: whoever has less than maintenance loses positions to the book, or to the backstop. */
export function liquidate(world: World): void {
  if (!world.liquidates) return
  for (const account of world.accounts.values()) {
    if (account === world.house || account === world.liquidator) continue
    for (const stake of stakesOf(world, account)) settle(world, account, stake)
  }
}

function stakesOf(world: World, account: Account): Stake[] {
  const isolated = account.holdings.filter((held) => !isCross(held))
  const alone = isolated.map((held) => ({
    holdings: () => (held.szi === 0 ? [] : [held]),
    equity: () => bucketOf(held),
    needed: () => maintenanceOf(account, held),
    dexes: null,
  }))
  const groups = isShared(account)
    ? [...new Set(world.dexes.map(({ collateral }) => collateral.token))].map((token) =>
        dexesOfToken(world, token),
      )
    : world.dexes.map((dex) => [dex])
  const together = groups.flatMap((dexes) => {
    const [first] = dexes
    if (!first) return []
    return [
      {
        holdings: () => dexes.flatMap((dex) => crossIn(account, dex)),
        equity: () => poolOf(world, account, first).equity,
        needed: () => poolOf(world, account, first).needed,
        dexes,
      },
    ]
  })
  return [...alone, ...together]
}

function settle(world: World, account: Account, stake: Stake): void {
  const portfolio = account.mode === 'portfolioMargin'
  const share = portfolio ? PORTFOLIO_RATIO : 1
  const lacks = () => stake.holdings().length > 0 && stake.equity() * share < stake.needed()
  if (!lacks()) return
  const { clock } = world
  const lost = (market: Market) =>
    stake.dexes?.includes(market.dex) ?? stake.holdings().some((held) => held.market === market)
  cancelAll(world, account, lost, 'liquidatedCanceled')
  const before = {
    notional: sum(stake.holdings().map(valueOf)),
    value: stake.equity(),
    positions: stake.holdings().map(({ market, szi }) => ({ coin: market.name, szi: decimal(szi) })),
  }
  // A portfolio is taken over without a try at the book.
  const backstop = portfolio || stake.equity() < stake.needed() * BACKSTOP
  for (const held of stake.holdings().toSorted((a, b) => valueOf(b) - valueOf(a))) {
    if (!backstop && !lacks()) break
    const part = !backstop && valueOf(held) > LARGE_USD && clock.monotonic() >= account.wholeUntil
    close(world, account, held, part, backstop)
    if (!part) continue
    account.wholeUntil = clock.monotonic() + COOLDOWN_MS
    break
  }
  if (backstop && stake.dexes) forfeit(account, stake.dexes)
  noteLedger(world, [account], {
    ...{
      type: 'liquidation',
      liquidatedNtlPos: decimal(before.notional),
      accountValue: decimal(before.value),
    },
    ...{ leverageType: stake.dexes ? 'Cross' : 'Isolated', liquidatedPositions: before.positions },
  })
  const { notional, value } = before
  world.news.tell({ is: 'liquidated', account, by: world.liquidator, id: world.newId(), notional, value })
}

function close(world: World, account: Account, held: Holding, part: boolean, backstop: boolean): void {
  const { market, szi } = held
  const wanted = part ? Number((Math.abs(szi) * FIRST_PART).toFixed(market.szDecimals)) : Math.abs(szi)
  const { bid, ask } = touchOf(market)
  const bucket = bucketOf(held)
  trade(world, {
    market,
    size: -Math.sign(szi) * (wanted || Math.abs(szi)),
    price: backstop ? market.mark : szi > 0 ? bid : ask,
    taker: { account },
    maker: { account: world.liquidator },
    liquidation: {
      liquidatedUser: account.address,
      mark: market.mark,
      method: backstop ? 'backstop' : 'market',
    },
    free: backstop,
  })
  // The bucket goes with the position, be it less than nothing.
  if (backstop && held.isolatedUsd !== null) pay(account, market.dex, -bucket)
}

/** The backstop keeps the margin as well. */
function forfeit(account: Account, dexes: readonly ListedDex[]): void {
  for (const dex of dexes) {
    account.crossUsd.set(dex, 0)
    const balance = account.spot.get(dex.collateral.token)
    if (isShared(account) && balance) balance.free = 0
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
