import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { previewOf, type Stand } from '../../../../src/venues/lighter/rules/preview.ts'
import type { Held } from '../../../../src/venues/lighter/wire/positions.ts'
import { exact } from '../../../support/fixtures.ts'

const aHeld = (over: Partial<Held> = {}): Held => ({
  ...{ marketId: '0', symbol: 'ETH', size: exact('2'), entryPrice: exact('2000'), mark: exact('2000') },
  ...{ liquidationPrice: null, margin: 'cross', allocated: 0n, unrealised: 0n },
  ...{ initialFraction: exact('0.1'), realised: null, ...over },
})
const aStand = (over: Partial<Stand> = {}): Stand => ({
  crossEquity: exact('1000'),
  held: [],
  market: { id: '0', price: exact('2000'), takerFee: exact('0.001'), delisted: false },
  termsOf: (id) => (id === 'none' ? null : { maintenance: exact('0.02'), initial: exact('0.05') }),
  ...over,
})
const after = (stand: Stand, delta: string) => {
  const preview = previewOf(stand, exact(delta))
  if (preview === null) throw new Error('every margin is there')
  const { liquidationPrice: at, totalFeesUsd, marginUsagePercent: used, marginRatio, refusal } = preview
  return {
    ...{ used, marginRatio, refusal },
    at: at === null || at === 'none' ? at : toNumber(at),
    fees: totalFeesUsd === null ? null : toNumber(totalFeesUsd),
  }
}

describe('a cross position', () => {
  test('that is opened takes the market’s usual margin and pays the fee', () => {
    const { at, fees, used, marginRatio, refusal } = after(aStand(), '2')
    // 1,000 less 4 of fees; 2·x·0.98 covers 4,000 − 996.
    expect(at).toBeCloseTo((4_000 - 996) / 1.96, 9)
    expect([fees, refusal]).toEqual([4, null])
    expect(used).toBeCloseTo((100 * 200) / 996, 9)
    expect(marginRatio).toBeCloseTo(80 / 996, 9)
  })

  test('that is closed owes nothing more', () => {
    const { at, marginRatio } = after(aStand({ held: [aHeld()] }), '-2')
    expect([at, marginRatio]).toEqual(['none', 0])
  })

  test('that turns round is a short', () => {
    const { at } = after(aStand({ held: [aHeld()] }), '-4')
    expect(at).toBeCloseTo((4_000 + 992) / 2.04, 9)
  })

  test('leaves the others their margin', () => {
    const other = aHeld({ marketId: '1', size: exact('-1'), mark: exact('3000') })
    const { at, marginRatio } = after(aStand({ held: [other] }), '2')
    expect(marginRatio).toBeCloseTo((80 + 60) / 996, 9)
    expect(at).toBeCloseTo((4_000 + 60 - 996) / 1.96, 9)
  })

  test('that is too large is refused, and one that reduces never is', () => {
    expect(after(aStand(), '12').refusal).toMatch(/not enough margin/)
    const poor = aStand({ crossEquity: exact('100'), held: [aHeld({ size: exact('20') })] })
    expect(after(poor, '-1').refusal).toBeNull()
    expect(after(poor, '1').refusal).toMatch(/not enough margin/)
  })
})

describe('an isolated position', () => {
  const isolated = aHeld({ margin: 'isolated', allocated: exact('400') })
  const stand = aStand({ held: [isolated] })

  test('keeps what covers it', () => {
    expect(after(stand, '0').at).toBeCloseTo((4_000 - 400) / 1.96, 9)
    expect(after(stand, '0').marginRatio).toBeNull()
  })

  test('that grows brings its margin along, which the account lacks then', () => {
    const { at, used } = after(stand, '2')
    expect(at).toBeCloseTo((8_000 - 800) / 3.92, 9)
    // No cross position is left to use any.
    expect(used).toBe(0)
  })

  test('that shrinks gives its share back', () => {
    expect(after(stand, '-1').at).toBeCloseTo((2_000 - 200) / 0.98, 9)
  })
})

test('no order at all changes nothing, for any cross position', () => {
  fc.assert(
    fc.property(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1_500, max: 2_500 }), (size, mark) => {
      fc.pre(size !== 0)
      const held = [aHeld({ size: BigInt(size) * 10n ** 17n })]
      const market = { ...aStand().market, price: BigInt(mark) * 10n ** 18n }
      const { fees, refusal } = after(aStand({ held, market, crossEquity: exact('1000000') }), '0')
      expect([fees, refusal]).toEqual([0, null])
    }),
  )
})

test('a market that takes no orders refuses, and one without margins cannot be told', () => {
  const market = { ...aStand().market, delisted: true }
  expect(after(aStand({ market }), '1').refusal).toMatch(/delisted/)
  expect(previewOf(aStand({ market: { ...market, id: 'none' } }), exact('1'))).toBeNull()
  expect(previewOf(aStand({ held: [aHeld({ marketId: 'none' })] }), exact('1'))).toBeNull()
})
