import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMarket, fundingPercent, hoursToFlip } from '../src/market.ts'
import { aMarket, exact } from './support/fixtures.ts'

const funded = (rate: string, velocity: string | null = null) =>
  aMarket({
    fundingRatePerDay: exact(rate),
    fundingVelocityPerDay: velocity === null ? null : exact(velocity),
  })

describe('funding is a fraction per day; positive means that longs pay', () => {
  test.each([
    ['an hour', 1, 'long', -0.01],
    ['an hour', 1, 'short', 0.01],
    ['a day', 24, 'long', -0.24],
    ['a year', 24 * 365, 'short', 87.6],
  ] as const)(
    'over %s (%d h) a %s gets %d %% of a rate of 0.24 %% a day',
    (_period, hours, side, percent) => {
      expect(fundingPercent(funded('0.0024'), hours, side)).toBeCloseTo(percent, 12)
    },
  )

  test('what one side pays the other receives', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.integer({ min: 1, max: 9_000 }),
        (rate, hours) => {
          const market = aMarket({ fundingRatePerDay: rate })
          expect(fundingPercent(market, hours, 'long') + fundingPercent(market, hours, 'short')).toBe(0)
        },
      ),
    )
  })
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
