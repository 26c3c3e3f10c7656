import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { fundingAt, skewOf } from '../../../../src/venues/sim/exchange/market.ts'
import { planFor } from '../../../../src/venues/sim/play/plan.ts'
import { createWorld } from '../../../../src/venues/sim/play/world.ts'
import { findScenario } from '../../../../src/venues/sim/scenarios/index.ts'

const MAJORS = new Set(['ETH', 'BTC', 'Sol'])

/** What is to be seen of the large markets after so many hours of a scenario: skew in USD, funding a day, trades of a day. */
function after(scenario: string, hours: number, seed: number) {
  const world = createWorld(planFor({ scenario: findScenario(scenario) }), {
    ...{ seed, stepSeconds: 60, startSeconds: 1_750_000_000 },
  })
  while (world.moveTo(hours * 3_600, []) === 'liquidated');
  const markets = world.lanes.filter(({ spec }) => MAJORS.has(spec.symbol)).map(({ market }) => market)
  const sum = (of: (market: (typeof markets)[number]) => number) =>
    markets.reduce((all, market) => all + of(market), 0)
  return {
    skewUsd: sum((market) => toNumber(skewOf(market)) * toNumber(market.indexPrice)),
    ratePerDay: sum((market) => toNumber(fundingAt(market, world.exchange.nowSeconds).rate)),
    trades: sum((market) => market.day.count),
  }
}

describe('those who trade', () => {
  test.each([1, 2, 3])(
    'sell what falls: funding turns to the longs, and more is traded (seed %i)',
    (seed) => {
      const [calm, crash] = [after('calm', 14, seed), after('crash', 14, seed)]
      expect(crash.skewUsd).toBeLessThan(calm.skewUsd)
      expect(crash.ratePerDay).toBeLessThan(calm.ratePerDay - 0.001)
      expect(crash.trades).toBeGreaterThan(1.5 * calm.trades)
    },
  )

  test('are done with it a week later', () => {
    const [calm, crash] = [after('calm', 168, 1), after('crash', 168, 1)]
    expect(Math.abs(crash.ratePerDay - calm.ratePerDay)).toBeLessThan(0.0015)
  })
})
