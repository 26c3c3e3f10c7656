import { toMono } from './decimals.ts'
import { cancelAll } from './orders.ts'
import type { Market } from './state.ts'
import { trade } from './trading.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000

/**
 * All positions are settled at the oracle's average of the last hour, all orders cancelled, and the market stays in its
 * place without a book. (https://hyperliquid.gitbook.io/hyperliquid-docs/trading/delisting)
 * Settled positions leave a fill with the direction "Settlement", as others have recorded of builder dexes.
 */
export function delist(world: World, market: Market, price = average(market, world.clock.monotonic())): void {
  for (const account of world.accounts.values()) {
    cancelAll(world, account, (one) => one === market, 'delistedCanceled')
    const held = account.holdings.find((one) => one.market === market)
    if (!held || account === world.house) continue
    trade(world, {
      market,
      size: -held.szi,
      price,
      taker: { account },
      maker: { account: world.house },
      dir: 'Settlement',
      free: true,
    })
  }
  const house = world.house.holdings.filter((held) => held.market !== market)
  world.house.holdings = house
  const settled = toMono(price, market.szDecimals)
  Object.assign(market, { delisted: true, mark: settled, fundingRate: 0, premium: 0, openInterest: 0 })
  Object.assign(market, { dayNotional: 0, dayVolume: 0 })
  world.news.tell({ is: 'moved', markets: [market] })
}

/** Each price by how long it stood. */
function average({ oracles, oracle }: Market, now: number): number {
  const from = now - HOUR_MS
  let [sum, stood] = [0, 0]
  for (const [index, { at, price }] of oracles.entries()) {
    const ms = (oracles[index + 1]?.at ?? now) - Math.max(at, from)
    if (ms <= 0) continue
    sum += price * ms
    stood += ms
  }
  return stood === 0 ? oracle : sum / stood
}
