import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Amount, magnitude, toNumber } from '../../../../src/venue/amount.ts'
import {
  afterOrder,
  coverOf,
  fillPriceOf,
  initialMargin,
  liquidationOf,
  type Stand,
} from '../../../../src/venues/hyperliquid/rules/estimate.ts'
import { readState } from '../../../../src/venues/hyperliquid/wire/state.ts'
import { readDepth } from '../../../../src/venues/hyperliquid/wire/trading.ts'
import { exact } from '../../../support/fixtures.ts'
import isolated from '../recorded/clearinghouseState-isolated-HYPE-2025-08.json' with { type: 'json' }
import m3 from '../recorded/hlp-child-m3-2026-07-19.json' with { type: 'json' }
import btc from '../recorded/l2Book-BTC-2026-09-25.json' with { type: 'json' }
import { OWNER } from '../records.ts'

const TIERED = [
  { lowerBound: 0n, maxLeverage: 40 },
  { lowerBound: exact('150000000'), maxLeverage: 20 },
]
const cents = (least: number, most: number) =>
  fc.integer({ min: least * 100, max: most * 100 }).map((count) => BigInt(count) * 10n ** 16n)
const signed = fc.tuple(cents(1, 5_000), fc.boolean()).map(([size, short]): Amount => (short ? -size : size))

const crossStand = fc
  .record({ size: signed, mark: cents(10, 100_000), sharePercent: fc.integer({ min: 10, max: 120 }) })
  .map(({ size, mark, sharePercent }): Stand => {
    const cover = (magnitude(size) * mark * BigInt(sharePercent)) / 10n ** 20n
    return { size, mark, tiers: TIERED, leverage: 10, by: { is: 'cross', cover } }
  })

describe('without a change', () => {
  test.each(m3.body.positions.filter(({ liquidationPx }) => liquidationPx !== null))(
    'the sent liquidation price of the recorded $coin comes back',
    ({ szi, positionValue, maxLeverage, liquidationPx }) => {
      const size = exact(szi)
      const mark = (exact(positionValue) * 10n ** 18n) / magnitude(size)
      const tiers = [{ lowerBound: 0n, maxLeverage }]
      const sent = exact(liquidationPx ?? '')
      const by = { is: 'cross', cover: coverOf(size, mark, sent, tiers) } as const
      const then = liquidationOf(afterOrder({ size, mark, tiers, leverage: 1, by }, 0n, mark, 0n))
      expect(toNumber(then ?? 0n) / toNumber(sent)).toBeCloseTo(1, 14)
    },
  )

  test('that of the recorded isolated position comes back', () => {
    const [held] = readState(isolated.body, OWNER, null).held
    if (!held?.rawUsd || !held.maxLeverage) throw new Error('the recording has a position')
    const tiers = [{ lowerBound: 0n, maxLeverage: held.maxLeverage }]
    const by = { is: 'isolated', rawUsd: held.rawUsd } as const
    const stand: Stand = { size: held.position.size, mark: held.mark, tiers, leverage: 10, by }
    const then = liquidationOf(afterOrder(stand, 0n, held.mark, 0n))
    expect(toNumber(then ?? 0n)).toBeCloseTo(35.8559189474, 9)
  })

  test('whatever is sent for any position comes back', () => {
    fc.assert(
      fc.property(crossStand, (stand) => {
        const sent = liquidationOf(stand)
        fc.pre(sent !== null)
        const cover = coverOf(stand.size, stand.mark, sent, stand.tiers)
        const again = liquidationOf({ ...stand, by: { is: 'cross', cover } })
        expect(toNumber(again ?? 0n) / toNumber(sent)).toBeCloseTo(1, 9)
      }),
    )
  })
})

describe('an order and its reverse, at the mark and without fees', () => {
  test('leave a cross position as it was', () => {
    fc.assert(
      fc.property(crossStand, signed, (stand, sizeDelta) => {
        const { mark } = stand
        const there = afterOrder(stand, sizeDelta, mark, 0n)
        expect(afterOrder(there, -sizeDelta, mark, 0n)).toEqual(stand)
      }),
    )
  })

  test('leave an isolated position with its initial margin as it was', () => {
    fc.assert(
      fc.property(signed, cents(10, 100_000), cents(1, 5_000), (size, mark, more) => {
        const rawUsd = initialMargin(size, mark, 10) - (size * mark) / 10n ** 18n
        const stand: Stand = { size, mark, tiers: TIERED, leverage: 10, by: { is: 'isolated', rawUsd } }
        const sizeDelta = size > 0n ? more : -more
        const back = afterOrder(afterOrder(stand, sizeDelta, mark, 0n), -sizeDelta, mark, 0n)
        const [was, is] = [liquidationOf(stand), liquidationOf(back)]
        expect(back.size).toBe(size)
        expect(toNumber(is ?? 0n) / toNumber(was ?? 1n)).toBeCloseTo(1, 9)
      }),
    )
  })
})

describe('an isolated position', () => {
  const stand: Stand = {
    size: exact('2'),
    mark: exact('100'),
    tiers: [{ lowerBound: 0n, maxLeverage: 10 }],
    leverage: 10,
    by: { is: 'isolated', rawUsd: exact('-170') },
  }

  test('made smaller keeps its liquidation price', () => {
    const half = afterOrder(stand, exact('-1'), exact('100'), 0n)
    expect(liquidationOf(half)).toBe(liquidationOf(stand))
  })

  test('turned round starts anew with the margin of what is left', () => {
    const turned = afterOrder(stand, exact('-5'), exact('100'), 0n)
    expect(turned.by).toEqual({ is: 'isolated', rawUsd: exact('330') })
    const opened = afterOrder(
      { ...stand, size: 0n, by: { is: 'isolated', rawUsd: 0n } },
      exact('-3'),
      exact('100'),
      0n,
    )
    expect(turned).toEqual(opened)
  })
})

test('a worse fill and a fee bring liquidation nearer', () => {
  const stand: Stand = {
    size: exact('2'),
    mark: exact('100'),
    tiers: TIERED,
    leverage: 10,
    by: { is: 'cross', cover: exact('50') },
  }
  const at = (fill: string, fee: string) =>
    toNumber(liquidationOf(afterOrder(stand, exact('1'), exact(fill), exact(fee))) ?? 0n)
  expect(at('101', '0')).toBeGreaterThan(at('100', '0'))
  expect(at('100', '1')).toBeGreaterThan(at('100', '0'))
})

describe('the price of a fill in the recorded order book', () => {
  const { asks, bids } = readDepth(btc.body)

  test('within the best level is its price', () => {
    expect(fillPriceOf(exact('0.3'), asks)).toBe(exact('83768'))
    expect(fillPriceOf(exact('-6'), bids)).toBe(exact('83767'))
  })

  test('beyond it is the average of those that are taken', () => {
    const fill = toNumber(fillPriceOf(exact('1'), asks) ?? 0n)
    expect(fill).toBeCloseTo(0.30543 * 83_768 + 0.69457 * 83_769, 6)
  })

  test('of more than the book shows is not known', () => {
    expect(fillPriceOf(exact('1000'), asks)).toBeNull()
  })
})
