import { describe, expect, test } from 'vitest'
import { distance, side } from '../../../src/position.ts'
import { OWNERS } from '../../../src/venues/sim/catalogue.ts'
import { equityUsd, liquidationPrice, maintenanceUsd, marginFor } from '../../../src/venues/sim/isolated.ts'
import { planFor } from '../../../src/venues/sim/plan.ts'
import { createWorld, moveTo, shift } from '../../../src/venues/sim/world.ts'
import type { World } from '../../../src/venues/sim/world.ts'

const SPEED = 600
const STEP = 20
const TIERS = [0.2, 0.1, 0.05, 0.025]
const CLEAR = 1.15

/** Past everybody who is liquidated on the way. */
function advance(world: World, seconds: number): void {
  while (moveTo(world, seconds) === 'liquidated');
}

const demo = (seed: number) => createWorld(planFor(null), seed, STEP)
const suggested = (world: World) => world.holdings.filter(({ spec }) => spec.owner === OWNERS[0])
const prices = (world: World) => world.markets.map(({ price, funding }) => [price, funding.ratePerDay])

function distances(world: World) {
  return suggested(world).map(({ open, market }) =>
    open?.liquidationPrice
      ? distance(open.size > 0 ? 'long' : 'short', market.price, open.liquidationPrice)
      : null,
  )
}

/** In which real seconds a position of the suggested wallet enters or leaves a tier, looking every two seconds. */
function crossings(seed: number, minutes: number): number[] {
  const world = demo(seed)
  const tiers: (number | null)[] = distances(world).map(() => null)
  const seen: number[] = []
  for (let second = 0; second < minutes * 60; second += 2) {
    advance(world, second * SPEED)
    for (const [index, away] of distances(world).entries()) {
      const before = tiers[index] ?? null
      const enter = TIERS.filter((tier) => (away ?? 1) <= tier).length
      const stay = TIERS.filter((tier) => (away ?? 1) <= tier * CLEAR).length
      const now = away === null ? null : Math.max(enter, Math.min(before ?? 0, stay))
      if (before !== null && now !== null && before !== now) seen.push(second)
      tiers[index] = now
    }
  }
  return seen
}

describe('the invented markets', () => {
  test.each([1, 2, 3, 7, 42, 1234])(
    'with seed %i carry the wallet through a tier in every minute',
    (seed) => {
      const minutes = new Set(crossings(seed, 30).map((second) => Math.floor(second / 60)))
      expect(minutes.size).toBe(30)
    },
  )

  test.each([1, 2, 3, 7, 42])('with seed %i show the wallet in danger at the first look', (seed) => {
    expect(Math.min(...distances(demo(seed)).map((away) => away ?? 1))).toBeLessThan(0.1)
  })

  test.each([1, 2, 3])('with seed %i liquidate now and then, not all the time', (seed) => {
    const world = demo(seed)
    advance(world, 2 * 3600 * SPEED)
    const liquidations = world.holdings.reduce((sum, holding) => sum + holding.liquidations, 0)
    expect(liquidations).toBeGreaterThanOrEqual(2)
    expect(liquidations).toBeLessThanOrEqual(20)
  })

  test('let funding change its sign every few minutes where the wallet holds a position', () => {
    const world = demo(1)
    const flips: number[] = []
    let last = 0
    for (let second = 0; second < 1_800; second += 2) {
      advance(world, second * SPEED)
      const sign = Math.sign(suggested(world)[0]?.market.funding.ratePerDay ?? 0)
      if (last !== 0 && sign !== last) flips.push(second)
      last = sign
    }
    expect(flips.length).toBeGreaterThanOrEqual(4)
    expect(flips.length).toBeLessThanOrEqual(20)
  })

  test('keep funding within bounds for weeks', () => {
    const world = createWorld(planFor(null), 5, 600)
    for (let day = 1; day < 120; day++) {
      advance(world, day * 86_400)
      for (const { funding } of world.markets) expect(Math.abs(funding.ratePerDay)).toBeLessThan(0.004)
    }
  })

  test('are the same for the same seed, however often somebody looks', () => {
    const [often, once, other] = [demo(9), demo(9), demo(10)]
    for (let seconds = 0; seconds <= 200_000; seconds += 137) advance(often, seconds)
    advance(often, 200_000)
    advance(once, 200_000)
    advance(other, 200_000)
    expect(prices(often)).toEqual(prices(once))
    expect(often.holdings.map(({ open }) => open)).toEqual(once.holdings.map(({ open }) => open))
    expect(prices(other)).not.toEqual(prices(once))
  })
})

describe('a position', () => {
  test.each([
    ['long', 2, 100, 90],
    ['short', -2, 100, 110],
  ])('that is %s has just too little margin at its liquidation price', (_, size, entryPrice, at) => {
    const isolated = { size, entryPrice, marginUsd: marginFor(size, entryPrice, at) }
    expect(liquidationPrice(isolated)).toBeCloseTo(at, 9)
    expect(equityUsd(isolated, at)).toBeCloseTo(maintenanceUsd(size, at), 9)
    const better = at + Math.sign(size)
    expect(equityUsd(isolated, better)).toBeGreaterThan(maintenanceUsd(size, better))
  })

  test('with more margin than it can lose has no liquidation price', () => {
    expect(liquidationPrice({ size: 1, entryPrice: 100, marginUsd: 500 })).toBeNull()
  })

  test('is liquidated by a crossing between two looks, though the price is back at the second', () => {
    const times = Array.from({ length: 10 }, (_, minute) => minute * 60)
    const prices = [100, 99, 94, 100, 101, 102, 103, 104, 105, 106]
    const world = createWorld(planFor({ symbol: 'BTC', times, prices }), 1, 3600)
    advance(world, 3_600)
    expect(world.holdings[0]?.open).toBeNull()
  })

  test('leaves the price that liquidated it to be seen, though the step went on beyond', () => {
    const times = [0, 60, 120, 180]
    const world = createWorld(planFor({ symbol: 'BTC', times, prices: [100, 94, 101, 102] }), 1, 120)
    const market = world.markets.find(({ spec }) => spec.symbol === 'BTC')
    expect(moveTo(world, 600)).toBe('liquidated')
    expect(market?.price).toBe(94)
    expect(moveTo(world, 600)).toBe('there')
    expect(market?.price).toBe(102)
  })

  test('is opened again a while later, at the price of then and away from liquidation', () => {
    const world = demo(1)
    const [holding] = world.holdings
    if (!holding) throw new Error('no holding')
    advance(world, 1_000)
    shift(world, holding.market, 0.7)
    expect(holding.open).toBeNull()
    expect(holding.liquidations).toBe(1)
    advance(world, 1_000 + 9.9 * 3600)
    expect(holding.open).toBeNull()
    advance(world, 1_000 + 45 * 3600)
    if (!holding.open) throw new Error('still closed')
    expect(holding.open.openedAt).toBeGreaterThanOrEqual(1_000 + 10 * 3600)
    expect(side({ size: BigInt(Math.sign(holding.open.size)) })).toBe('long')
    expect(1 - (holding.open.liquidationPrice ?? 0) / holding.open.entryPrice).toBeGreaterThanOrEqual(0.08)
  })

  test('earns or pays funding as its side does', () => {
    const world = demo(1)
    advance(world, 20_000)
    const paid = world.holdings.map(({ open, market }) => ({
      side: Math.sign(open?.size ?? 0),
      rate: Math.sign(market.funding.ratePerDay),
      received: Math.sign(open?.fundingUsd ?? 0),
    }))
    expect(paid.map(({ side, rate }) => 0 - side * rate)).toEqual(paid.map(({ received }) => received))
  })
})
