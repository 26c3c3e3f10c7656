import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { fundingPerDay } from '../../../../src/venue/position.ts'
import type { VenueEvent } from '../../../../src/venues/sim/exchange/venue-events.ts'
import { fundingAt } from '../../../../src/venues/sim/exchange/market.ts'
import { lineOf } from '../../../../src/venues/sim/maths/line.ts'
import { DEMO_WALLETS } from '../../../../src/venues/sim/play/catalogue.ts'
import { planFor } from '../../../../src/venues/sim/play/plan.ts'
import { createWorld } from '../../../../src/venues/sim/play/world.ts'
import { findScenario, SCENARIO_NAMES } from '../../../../src/venues/sim/scenarios/index.ts'
import { ASKING, startSim, SUGGESTED } from '../../../support/sim.ts'

const SPEED = 600
/** A fraction per day: around zero a sign means nothing. */
const DEAD_BAND = 0.00005

interface Played {
  /** What happened to the suggested wallet, as "second kind symbol". */
  told: string[]
  /** In which real seconds the funding of a market changed its direction. */
  flips: { second: number; symbol: string }[]
  /** How far the suggested wallet's positions were from liquidation, as a fraction. */
  distances: { second: number; symbol: string; away: number }[]
}

/** So many real seconds of a scenario at the usual speed. */
function played(name: string | undefined, seconds: number, seed = 1): Played {
  const plan = planFor({ scenario: findScenario(name) })
  const pace = plan.scenario?.fastFunding ? 1 : SPEED
  const world = createWorld(plan, { seed, stepSeconds: 20, startSeconds: 1_750_000_000, pace })
  const signs = new Map<string, number>()
  const result: Played = { told: [], flips: [], distances: [] }
  for (let second = 0; second <= seconds; second++) {
    const happened: VenueEvent[] = []
    while (world.moveTo(second * SPEED, happened) === 'liquidated');
    for (const one of happened) {
      const account = 'accountId' in one ? world.exchange.accounts.get(one.accountId) : undefined
      if (account?.wallet !== DEMO_WALLETS[0] || !('marketId' in one)) continue
      const symbol = world.exchange.markets.get(one.marketId)?.terms.symbol
      const is = one.is === 'settled' && one.size === 0n ? 'closed' : one.is
      result.told.push(`${second} ${is} ${symbol}`)
    }
    for (const { account, spec, lane } of world.ownPositions.slice(0, 4)) {
      const held = account.positions.find(({ market }) => market === lane.market)
      const line = held && lineOf(world.exchange.terms, account, held, world.exchange.nowSeconds)
      if (!held || line === null || line === undefined) continue
      const [price, at] = [toNumber(lane.market.indexPrice), toNumber(line)]
      const away = (spec.size > 0 ? price - at : at - price) / price
      result.distances.push({ second, symbol: spec.symbol, away })
    }
    for (const { market } of world.lanes) {
      const { symbol } = market.terms
      const rate = toNumber(fundingAt(market, world.exchange.nowSeconds).rate)
      if (Math.abs(rate) < DEAD_BAND) continue
      if (signs.has(symbol) && signs.get(symbol) !== Math.sign(rate)) result.flips.push({ second, symbol })
      signs.set(symbol, Math.sign(rate))
    }
  }
  return result
}

const without = (told: string[]) => told.map((line) => line.replace(/^\d+ /, ''))

describe('the first three minutes', () => {
  test.each([1, 2, 3])(
    'with seed %i show a warning that ends, a close, and a liquidation that was warned of for half a minute',
    (seed) => {
      const { told, distances } = played(undefined, 200, seed)
      expect(without(told)).toEqual(['closed DOGE', 'liquidated BTC', 'settled DOGE'])
      const first = (symbol: string, below: number) =>
        distances.find((one) => one.symbol === symbol && one.away < below)?.second ?? Infinity
      const nearest = Math.min(...distances.flatMap((one) => (one.symbol === 'ETH' ? one.away : [])))
      // The first warning comes once somebody has had time to watch the wallet, and the critical one can be read.
      expect(first('ETH', 0.1)).toBeGreaterThan(10)
      expect(first('ETH', 0.05) - first('ETH', 0.1)).toBeGreaterThan(20)
      expect(nearest).toBeGreaterThan(0.03)
      expect(
        distances.some(({ symbol, second, away }) => symbol === 'ETH' && second > 60 && away > 0.23),
      ).toBe(true)
      const gone = Number(told[1]?.split(' ')[0])
      expect(gone - first('BTC', 0.05)).toBeGreaterThan(30)
      expect(gone).toBeLessThan(180)
    },
  )
})

describe('the scenario', () => {
  test('calm leaves everything as it is', () => {
    expect(played('calm', 150).told).toEqual([])
  })

  test('crash takes both longs, in one wave after the other, and no short', () => {
    expect(without(played('crash', 150).told)).toEqual(['liquidated Sol', 'liquidated ETH'])
  })

  test('flash takes the longs within an hour of the market, and the price is back', () => {
    const { told } = played('flash', 60)
    expect(without(told)).toEqual(['liquidated Sol', 'liquidated ETH'])
    expect(new Set(told.map((line) => line.split(' ')[0])).size).toBe(1)
  })

  test('squeeze takes the shorts', () => {
    expect(without(played('squeeze', 100).told)).toEqual(['liquidated DOGE', 'liquidated BTC'])
  })

  test('bleed takes the longs though their prices stay', () => {
    const gone = without(played('bleed', 420).told).filter((line) => line.startsWith('liquidated'))
    expect(gone.sort()).toEqual(['liquidated ETH', 'liquidated Sol'])
  })

  test('flip changes the direction of funding in several markets, again and again', () => {
    const { flips, told } = played('flip', 240)
    expect(flips.length).toBeGreaterThan(8)
    expect(new Set(flips.map(({ symbol }) => symbol)).size).toBeGreaterThan(3)
    expect(told).toEqual([])
  })

  test('open-close closes and opens all four positions in turn', () => {
    const turns = ['ETH', 'BTC', 'Sol', 'DOGE'].flatMap((symbol) => [`closed ${symbol}`, `settled ${symbol}`])
    expect(without(played('open-close', 80).told)).toEqual(turns)
  })

  test('outage answers 503 while prices fall, and then all is there again', async () => {
    await using sim = await startSim({ SIM_SCENARIO: 'outage', SIM_CONTROL: '1' })
    const status = async () => (await sim.send('GET', '/markets')).status
    const eth = async () => (await sim.market('ETH')).price
    const before = await eth()
    expect(await status()).toBe(200)
    await sim.clock.advance(30_000)
    expect(await status()).toBe(503)
    await expect(sim.opened.venue.markets(ASKING, [])).rejects.toThrow(/503/)
    expect((await sim.send('GET', '/_sim/state')).status).toBe(200)
    await sim.clock.advance(45_000)
    expect(await status()).toBe(200)
    expect((await eth()) / before).toBeLessThan(0.95)
    expect(await sim.positions(SUGGESTED)).toHaveLength(4)
  })

  test.each(SCENARIO_NAMES)('%s is told of when the venue opens', async (name) => {
    await using sim = await startSim({ SIM_SCENARIO: name })
    expect(sim.opened.introduction[1]).toContain(findScenario(name).plays)
  })
})

test('a venue whose time stands still moves only by its door', async () => {
  await using sim = await startSim({ SIM_SPEED: '0', SIM_CONTROL: '1' })
  const before = await sim.read('/markets')
  await sim.clock.advance(3_600_000)
  expect(await sim.read('/markets')).toEqual(before)
  await sim.send('POST', '/_sim/advance', { ms: 60_000 })
  const after = await sim.read('/markets')
  expect(after[0].markets[0].price).not.toBe(before[0].markets[0].price)
  expect((await sim.read('/_sim/state')).marketSeconds).toBe(60)
})

test('a rate, an age and the funding so far agree, however fast prices move', async () => {
  await using sim = await startSim({})
  const read = async () => {
    const { positions } = await sim.opened.venue.positions(SUGGESTED, ASKING)
    const markets = await sim.opened.venue.markets(ASKING, [])
    return positions.map((position) => {
      const market = markets.markets.find(({ id }) => id === position.marketId)
      if (!market) throw new Error('no market')
      const days = (sim.clock.now() - (position.openedAt ?? 0)) / 86_400_000
      const perDay = fundingPerDay(position, market)
      return { symbol: market.symbol, days, perDay, sum: toNumber(position.fundingUsd ?? 0n) }
    })
  }
  const before = await read()
  for (const { days, perDay, sum } of before) expect(sum / days / perDay).toBeCloseTo(1, 1)
  await sim.clock.advance(60_000)
  for (const { symbol, days, sum } of await read()) {
    const was = before.find((one) => one.symbol === symbol)
    // In a minute a position ages by a minute, and pays less than a thousandth of what it pays in days.
    expect((days - (was?.days ?? 0)) * 86_400).toBeCloseTo(60, 0)
    expect(Math.abs(sum - (was?.sum ?? 0))).toBeLessThan(Math.abs(sum) / 100)
  }
})
