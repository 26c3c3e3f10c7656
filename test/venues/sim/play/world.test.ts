import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { distance } from '../../../../src/venue/position.ts'
import { type Account, positionIn } from '../../../../src/venues/sim/exchange/account.ts'
import type { VenueEvent } from '../../../../src/venues/sim/exchange/venue-events.ts'
import { fundingAt } from '../../../../src/venues/sim/exchange/market.ts'
import { lineOf } from '../../../../src/venues/sim/maths/line.ts'
import { DEMO_WALLETS } from '../../../../src/venues/sim/play/catalogue.ts'
import { planFor } from '../../../../src/venues/sim/play/plan.ts'
import { collateralFor } from '../../../../src/venues/sim/play/wallets.ts'
import { createWorld, type World } from '../../../../src/venues/sim/play/world.ts'
import { stage, units } from '../../../support/exchange.ts'
import { budget } from '../../../support/seed.ts'

const SPEED = 600
const STEP = 20
const START = 1_750_000_000
const TIERS = [0.2, 0.1, 0.05, 0.025]
const CLEAR = 1.15

/** Past everybody who is liquidated on the way. */
function advance(world: World, seconds: number): VenueEvent[] {
  const told: VenueEvent[] = []
  while (world.moveTo(seconds, told) === 'liquidated');
  return told
}

const open = (plan: ReturnType<typeof planFor>, seed: number, stepSeconds: number) =>
  createWorld(plan, { seed, stepSeconds, startSeconds: START })
const demo = (seed: number) => open(planFor(), seed, STEP)
const suggested = (world: World) => world.ownPositions.filter(({ spec }) => spec.wallet === DEMO_WALLETS[0])
const rate = ({ exchange, lanes }: World, at: number) =>
  toNumber(lanes[at] ? fundingAt(lanes[at].market, exchange.nowSeconds).rate : 0n)
const prices = (world: World) => world.lanes.map(({ market }, at) => [market.indexPrice, rate(world, at)])
const held = (world: World) =>
  world.ownPositions.map(({ account, lane }) => positionIn(account, lane.market)?.size ?? null)
const line = ({ exchange }: World, { account, lane }: World['ownPositions'][number]) => {
  const position = positionIn(account, lane.market)
  return position ? lineOf(exchange.terms, account, position, exchange.nowSeconds) : null
}

function distances(world: World) {
  return suggested(world).map((wallet) => {
    const at = line(world, wallet)
    const side = wallet.spec.size > 0 ? 'long' : 'short'
    return at === null ? null : distance(side, toNumber(wallet.lane.market.indexPrice), toNumber(at))
  })
}

/** What somebody sees who looks at it every two real seconds, for so many minutes. */
function watched(world: World, minutes: number) {
  const tiers: (number | null)[] = distances(world).map(() => null)
  /** The seconds in which a position of the suggested wallet enters or leaves a tier. */
  const crossings: number[] = []
  const looks: { second: number; traded: boolean; sign: number }[] = []
  for (let second = 0; second < minutes * 60; second += 2) {
    const traded = advance(world, second * SPEED).some(({ is }) => is === 'settled')
    looks.push({ second, traded, sign: Math.sign(rate(world, 0)) })
    for (const [index, away] of distances(world).entries()) {
      const before = tiers[index] ?? null
      const enter = TIERS.filter((tier) => (away ?? 1) <= tier).length
      const stay = TIERS.filter((tier) => (away ?? 1) <= tier * CLEAR).length
      const now = away === null ? null : Math.max(enter, Math.min(before ?? 0, stay))
      if (before !== null && now !== null && before !== now) crossings.push(second)
      tiers[index] = now
    }
  }
  return { crossings, looks }
}

/** Who is liquidated on each of so many days of the market, and the funding at its end. */
function dailyOf(world: World, days: number) {
  return Array.from({ length: days }, (_, day) => ({
    flagged: advance(world, (day + 1) * 86_400).filter(({ is }) => is === 'flagged'),
    rates: [...world.lanes.keys()].map((at) => rate(world, at)),
  }))
}

describe('the invented markets', () => {
  const seen = watched(demo(1), 30)
  const OTHERS = budget(20, 8)

  test.each([1, 2, 42])('with seed %i carry the wallet through a tier in every minute', (seed) => {
    const { crossings } = seed === 1 ? seen : watched(demo(seed), OTHERS)
    const minutes = new Set(crossings.map((second) => Math.floor(second / 60)))
    expect(minutes).toEqual(new Set(Array.from({ length: seed === 1 ? 30 : OTHERS }, (_, minute) => minute)))
  })

  test.each([1, 2, 3, 7, 42])('with seed %i show the wallet in danger at the first look', (seed) => {
    expect(Math.min(...distances(demo(seed)).map((away) => away ?? 1))).toBeLessThan(0.1)
  })

  // In the steps of a venue three times as fast; fifty of them are the two hours below.
  const DAYS = budget(60, 50)
  const days = dailyOf(open(planFor(), 1, 3 * STEP), DAYS)

  test('liquidate now and then, not all the time', () => {
    const gone = days.slice(0, (2 * 3600 * SPEED) / 86_400).flatMap(({ flagged }) => flagged)
    expect(gone.length).toBeGreaterThanOrEqual(2)
    expect(gone.length).toBeLessThanOrEqual(20)
  })

  test('let funding change its sign every few minutes, because those who trade change their minds', () => {
    const flips: number[] = []
    let last = 0
    for (const { second, traded, sign } of seen.looks) {
      if (last !== 0 && sign !== last) flips.push(second)
      last = sign
      expect(traded || second % 60 !== 0 || second === 0).toBe(true)
    }
    expect(flips.length).toBeGreaterThanOrEqual(4)
    expect(flips.length).toBeLessThanOrEqual(20)
  })

  test('keep funding within bounds for weeks', () => {
    expect(days).toHaveLength(DAYS)
    for (const { rates } of days) expect(Math.max(...rates.map(Math.abs))).toBeLessThan(0.006)
  })

  test('are the same for the same seed, however often somebody looks', () => {
    const LATER = budget(200_000, 80_000)
    const [often, once, other] = [demo(9), demo(9), demo(10)]
    for (let seconds = 0; seconds <= LATER; seconds += 137) advance(often, seconds)
    advance(often, LATER)
    advance(once, LATER)
    advance(other, LATER)
    expect(prices(often)).toEqual(prices(once))
    expect(held(often)).toEqual(held(once))
    expect(prices(other)).not.toEqual(prices(once))
  })

  test('count the trades of the last day, and those come as often as they did', () => {
    const world = demo(3)
    advance(world, 5 * 86_400)
    const count = world.lanes[0]?.market.day.count ?? 0
    expect(count).toBeGreaterThan(140)
    expect(count).toBeLessThan(260)
  })
})

describe('a position', () => {
  test.each([
    ['long', 2, 1_800],
    ['short', -2, 2_200],
    ['large long', 90, 1_900],
  ])('that is %s is opened with what liquidates it at just the wanted price', (_, size, at) => {
    const { exchange, trader, trade, eth } = stage({ eth: { skewScale: 0n } })
    const account: Account = trader(1_000_000)
    trade(account, eth, size)
    const [position] = account.positions
    if (!position) throw new Error('nothing was opened')
    const wanted = { size: units(size), entryPrice: position.latestInteractionPrice, line: units(at) }
    account.collateralUsd = collateralFor(exchange.terms, eth, wanted)
    expect(lineOf(exchange.terms, account, position, exchange.nowSeconds)).toBe(units(at))
  })

  const BTC = { symbol: 'BTC', times: [0, 60, 120, 180], prices: [100, 94, 101, 102], hourlyDeviation: 0 }

  test('is liquidated by a recorded price between two looks, and that price is there to be seen', () => {
    const world = open(planFor({ replay: BTC }), 1, 3_600)
    const market = world.lanes.find(({ spec }) => spec.symbol === 'BTC')?.market
    expect(world.moveTo(3_600, [])).toBe('liquidated')
    expect(market?.indexPrice).toBe(units(94))
    expect(held(world)[0]).toBeNull()
    expect(world.moveTo(3_600, [])).toBe('there')
    expect(market?.indexPrice).toBe(units(102))
  })

  test('is opened again a while later, at the price of then and away from liquidation', () => {
    const world = demo(1)
    const [wallet] = world.ownPositions
    if (!wallet) throw new Error('no wallet')
    const { market } = wallet.lane
    advance(world, 1_000)
    world.setPrices([{ market, price: (market.indexPrice * 7n) / 10n }])
    expect(held(world)[0]).toBeNull()
    advance(world, 1_000 + 9.9 * 3600)
    expect(held(world)[0]).toBeNull()
    advance(world, 1_000 + 45 * 3600)
    const again = positionIn(wallet.account, market)
    expect(again?.size).toBe(units(12.5))
    expect(again?.enteredAtSeconds).toBeGreaterThanOrEqual(START + 1_000 + 10 * 3600)
  })

  test('goes with a recorded crash, and other markets follow it without being the same', () => {
    const replay = { symbol: 'BTC', times: [0, 86_400], prices: [100_000, 60_000], hourlyDeviation: 0.02 }
    const world = open(planFor({ replay }), 1, 3_600)
    const before = world.lanes.map(({ market }) => toNumber(market.indexPrice))
    advance(world, 86_400)
    const falls = world.lanes.map(({ market }, at) => 1 - toNumber(market.indexPrice) / (before[at] ?? 1))
    for (const fall of falls) {
      expect(fall).toBeGreaterThan(0.15)
      expect(fall).toBeLessThan(0.6)
    }
    expect(new Set(falls.map((fall) => fall.toFixed(3))).size).toBeGreaterThan(5)
  })
})
