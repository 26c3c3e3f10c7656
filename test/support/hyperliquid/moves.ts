import { toMono } from './decimals.ts'
import { liquidate } from './liquidations.ts'
import { matchOrders } from './orders.ts'
import type { Market } from './state.ts'
import { marketOf, type World } from './world.ts'

/** A mark price, or both prices; the oracle follows the mark unless told. */
export type Move = number | { mark?: number; oracle?: number }

/** All at once, as in one block: what was triggered is done, and who has too little is liquidated. */
export function move(world: World, moves: Readonly<Record<string, Move>>): void {
  const moved = Object.entries(moves).map(([coin, to]) => moveOne(world, marketOf(world, coin), to))
  for (const market of moved) matchOrders(world, market)
  liquidate(world)
  world.news.tell({ is: 'moved', markets: moved })
}

function moveOne(world: World, market: Market, to: Move): Market {
  const { mark = market.mark, oracle = typeof to === 'number' ? to : market.oracle } =
    typeof to === 'number' ? { mark: to } : to
  if (market.delisted) throw new Error(`${market.name} is delisted: its prices do not move any more`)
  market.mark = toMono(mark, market.szDecimals)
  market.oracle = toMono(oracle, market.szDecimals)
  market.oracles.push({ at: world.clock.monotonic(), price: market.oracle })
  market.premium = (market.mark - market.oracle) / market.oracle
  return market
}
