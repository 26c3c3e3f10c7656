import { describe, expect, test } from 'vitest'

import { marginFor } from '../../../../src/alert/deleverage.ts'
import { magnitude, multiply, ONE, toNumber } from '../../../../src/venue/amount.ts'
import { distance, side } from '../../../../src/venue/position.ts'
import {
  liquidationPrice,
  maintenance,
  type Margined,
} from '../../../../src/venues/hyperliquid/wire/margin.ts'
import { aMarket, aPosition, exact } from '../../../support/fixtures.ts'
import isolated from '../recorded/clearinghouseState-isolated-HYPE-2025-08.json' with { type: 'json' }
import m3 from '../recorded/hlp-child-m3-2026-07-19.json' with { type: 'json' }

/** 40 times up to 150 million, 20 times from there on. */
const TIERED = [
  { lowerBound: 0n, maxLeverage: 40 },
  { lowerBound: exact('150000000'), maxLeverage: 20 },
]

describe('the liquidation price of what was recorded', () => {
  test.each(m3.body.positions)('cross: $coin', ({ szi, positionValue, maxLeverage, liquidationPx }) => {
    const size = exact(szi)
    const mark = (exact(positionValue) * 10n ** 18n) / (size < 0n ? -size : size)
    const tiers = [{ lowerBound: 0n, maxLeverage }]
    const by = {
      is: 'cross',
      accountValue: exact(m3.body.crossMarginSummary.accountValue),
      maintenanceOfOthers: exact(m3.body.crossMaintenanceMarginUsed) - maintenance(size, mark, tiers),
      mark,
    } as const
    const price = liquidationPrice({ size, tiers, by })
    if (liquidationPx === null) expect(price).toBeNull()
    else expect(toNumber(price ?? 0n) / Number(liquidationPx)).toBeCloseTo(1, 10)
  })

  test('isolated', () => {
    const position = isolated.body.assetPositions[0]?.position
    if (!position) throw new Error('the recording has a position')
    const tiers = [{ lowerBound: 0n, maxLeverage: position.maxLeverage }]
    const by = { is: 'isolated', rawUsd: exact(position.leverage.rawUsd) } as const
    const price = liquidationPrice({ size: exact(position.szi), tiers, by })
    expect(toNumber(price ?? 0n)).toBeCloseTo(Number(position.liquidationPx), 9)
  })
})

describe('across tiers', () => {
  test('the margin does not jump where a tier begins', () => {
    const at = (notional: string) => toNumber(maintenance(exact('1'), exact(notional), TIERED))
    expect(at('150000000')).toBeCloseTo(1_875_000, 6)
    expect(at('150000001') - at('149999999')).toBeCloseTo(0.0375, 6)
  })

  test.each([
    ['a long in the first tier', '1000', '100000', '5000000'],
    ['a long whose line lies in the second', '3000', '100000', '12000000'],
    ['a short that grows into the second', '-1400', '100000', '30000000'],
    ['a short in the second', '-2000', '100000', '20000000'],
  ])('what covers %s is what it must be covered by, at its liquidation price', (_what, size, mark, value) => {
    const position: Margined = {
      size: exact(size),
      tiers: TIERED,
      by: { is: 'cross', accountValue: exact(value), maintenanceOfOthers: exact('700'), mark: exact(mark) },
    }
    const price = liquidationPrice(position) ?? 0n
    const covered = exact(value) + multiply(position.size, price - exact(mark))
    const needed = exact('700') + maintenance(position.size, price, TIERED)
    expect(Math.abs(toNumber(covered - needed))).toBeLessThan(1e-9)
  })

  test('what no price can liquidate has none', () => {
    const by = {
      is: 'cross',
      accountValue: exact('1000'),
      maintenanceOfOthers: 0n,
      mark: exact('10'),
    } as const
    expect(liquidationPrice({ size: exact('1'), tiers: TIERED, by })).toBeNull()
  })
})

describe('the margin that brings a recorded position away from liquidation', () => {
  test.each(m3.body.positions)('$coin', ({ coin, szi, positionValue, maxLeverage }) => {
    const size = exact(szi)
    const price = (exact(positionValue) * ONE) / magnitude(size)
    const tiers = [{ lowerBound: 0n, maxLeverage }]
    const lineWith = (usd: number) =>
      liquidationPrice({
        ...{ size, tiers },
        by: { is: 'cross', accountValue: exact(usd.toFixed(18)), maintenanceOfOthers: 0n, mark: price },
      })
    // As near as it can be, of an account that holds nothing else.
    const least = toNumber(maintenance(size, price, tiers)) * 1.01
    const position = aPosition({ size, liquidationPrice: lineWith(least) })
    const market = aMarket({ price, maintenanceRatio: ONE / (2n * BigInt(maxLeverage)) })
    for (const aim of [0.1, 0.2]) {
      const margin = marginFor(position, market, aim) ?? 0
      const line = toNumber(lineWith(least + margin) ?? 0n)
      expect(distance(side(position), toNumber(price), line), coin).toBeCloseTo(aim, 6)
    }
  })
})
