import { describe, expect, test } from 'vitest'

import { findMarket, hoursToFlip, nextFunding } from '../../src/venue/market.ts'
import { aMarket, exact } from '../support/fixtures.ts'

const funded = (rate: string, velocity: string | null = null) =>
  aMarket({
    fundingRatePerDay: exact(rate),
    fundingVelocityPerDay: velocity === null ? null : exact(velocity),
  })

describe('the hours until funding changes its sign', () => {
  test.each([
    ['falls toward zero', '0.001', '-0.002', 12],
    ['rises toward zero', '-0.001', '0.004', 6],
    ['moves away', '0.001', '0.002', null],
    ['stands still', '0.001', '0', null],
    ['is zero already', '0', '0.002', null],
    ['has an unknown velocity', '0.001', null, null],
  ])('when the rate %s', (_what, rate, velocity, hours) => {
    const left = hoursToFlip(funded(rate, velocity))
    if (hours === null) expect(left).toBeNull()
    else expect(left).toBeCloseTo(hours, 9)
  })
})

test('a market is found however its symbol is capitalised', () => {
  const markets = [aMarket({ id: '1', symbol: 'BTC' }), aMarket({ id: '2', symbol: 'Sol' })]
  expect(findMarket(markets, 'SOL')?.id).toBe('2')
  expect(findMarket(markets, 'btc')?.id).toBe('1')
  expect(findMarket(markets, 'so')).toBeUndefined()
  expect(findMarket([], 'BTC')).toBeUndefined()
})

test('funding that is paid at the full hour is paid next at the end of this one', () => {
  const hourly = aMarket({ fundingEveryMs: 3_600_000 })
  const noon = Date.UTC(2026, 0, 1, 12)
  expect(nextFunding(hourly, noon + 1)).toBe(noon + 3_600_000)
  expect(nextFunding(hourly, noon)).toBe(noon + 3_600_000)
  expect(nextFunding(aMarket(), noon)).toBeNull()
})
