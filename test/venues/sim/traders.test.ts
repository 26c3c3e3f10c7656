import { describe, expect, test } from 'vitest'

import { fromNumber } from '../../../src/amount.ts'
import { openInterest } from '../../../src/venues/sim/trading.ts'
import { planFor } from '../../../src/venues/sim/plan.ts'
import { createWorld, moveTo } from '../../../src/venues/sim/world.ts'
import type { MarketState } from '../../../src/venues/sim/holding.ts'
import type { World } from '../../../src/venues/sim/world.ts'

const STEP = 20

/** With wallets that trade, and nobody else if so wanted. */
function venue(traders: number, others: 'trade' | 'rest'): World {
  const plan = planFor(null, traders)
  const world = createWorld(plan, 3, STEP)
  if (others === 'rest') for (const market of world.markets) market.spec = { ...market.spec, trades24h: 0 }
  return world
}

const sides = ({ spec, trading, funding }: MarketState) => openInterest(spec, trading, funding.skewRatio)
const figures = (world: World) =>
  world.markets.map((market) => ({ ...sides(market), trades: market.trading.recent.at(-1) }))

/** Base asset that these wallets hold on each side of a market. */
function held(world: World, market: MarketState) {
  const sizes = world.traders.holdings.flatMap((holding) =>
    holding.market === market && holding.open ? [fromNumber(holding.open.size) ?? 0n] : [],
  )
  const sum = (some: bigint[]) => some.reduce((all, one) => all + (one < 0n ? -one : one), 0n)
  return { longs: sum(sizes.filter((size) => size > 0n)), shorts: sum(sizes.filter((size) => size < 0n)) }
}

describe('what a market shows', () => {
  test('moves by exactly what its wallets trade, to the last digit', () => {
    const world = venue(40, 'rest')
    const before = world.markets.map((market) => ({ shown: sides(market), held: held(world, market) }))
    while (moveTo(world, 86_400) === 'liquidated');
    let moved = 0
    for (const [index, market] of world.markets.entries()) {
      const { shown, held: then } = before[index] ?? { shown: sides(market), held: held(world, market) }
      const now = held(world, market)
      if (now.longs !== then.longs) moved++
      expect(sides(market).longs - shown.longs).toBe(now.longs - then.longs)
      expect(sides(market).shorts - shown.shorts).toBe(now.shorts - then.shorts)
    }
    expect(moved).toBeGreaterThan(5)
  })

  test('stands still while nobody trades', () => {
    const world = venue(0, 'rest')
    world.holdings = []
    const before = figures(world)
    while (moveTo(world, 7_200) === 'liquidated');
    expect(figures(world)).toEqual(before)
  })

  test('counts the trades of the last day, and those of others come as often as they did', () => {
    const world = venue(0, 'trade')
    const counted = () => world.markets[0]?.trading.recent.length ?? 0
    expect(counted()).toBe(199)
    while (moveTo(world, 5 * 86_400) === 'liquidated');
    expect(counted()).toBeGreaterThan(140)
    expect(counted()).toBeLessThan(260)
  })
})

test('wallets trade some six times a day, in bursts, some of them far more often than others', () => {
  const world = venue(400, 'trade')
  const changes = new Map<string, number[]>()
  const sizes = new Map(world.traders.holdings.map((holding) => [holding, holding.open?.size]))
  for (let seconds = 0; seconds <= 86_400; seconds += STEP) {
    while (moveTo(world, seconds) === 'liquidated');
    for (const [holding, size] of sizes) {
      if (holding.open?.size === size) continue
      sizes.set(holding, holding.open?.size)
      changes.set(holding.spec.owner, [...(changes.get(holding.spec.owner) ?? []), seconds])
    }
  }
  const all = [...changes.values()]
  const each = all.reduce((sum, { length }) => sum + length, 0) / 400
  expect(each).toBeGreaterThan(4)
  expect(each).toBeLessThan(9)
  const waits = all.flatMap((seconds) => seconds.slice(1).map((at, index) => at - (seconds[index] ?? 0)))
  expect(waits.filter((wait) => wait < 1_200).length / waits.length).toBeGreaterThan(0.5)
  expect(Math.max(...all.map(({ length }) => length))).toBeGreaterThan(5 * each)
})
