import { describe, expect, test } from 'vitest'

import { type Amount, toNumber } from '../../../../src/venue/amount.ts'
import { closeRecordsOf, fillsOf } from '../../../../src/venues/lighter/rules/closes.ts'
import type { Trade } from '../../../../src/venues/lighter/wire/trades.ts'
import { exact } from '../../../support/fixtures.ts'

let id = 0
const aTrade = (side: Trade['side'], size: string, price: string, over: Partial<Trade> = {}): Trade => ({
  ...{ id: ++id, marketId: '0', side, size: exact(size), price: exact(price), kind: 'trade', isMaker: false },
  ...{ at: 1_000 * id, before: null, realised: null, fee: null, ...over },
})
const ends = (trades: Trade[], after: string | null) =>
  closeRecordsOf(fillsOf(trades, '7', () => (after === null ? null : exact(after))))
const figures = (amount: Amount | null) => (amount === null ? null : toNumber(amount))
const before = (size: string, turned = false, entry: string | null = null) => ({
  before: { size: exact(size), turned, entryPrice: entry === null ? null : exact(entry) },
})

describe('with the size that is left', () => {
  test('a long that was sold in two parts closed at their average', () => {
    const [reduction, record] = ends([aTrade('sell', '1', '100'), aTrade('sell', '3', '104')], '0')
    expect(figures(reduction?.left ?? null)).toBe(3)
    expect(record).toMatchObject({ accountId: '7', marketId: '0', side: 'long', how: 'closed' })
    expect([figures(record?.size ?? null), figures(record?.price ?? null)]).toEqual([4, 103])
    // Without its first trade, which people may know about already.
    expect(record?.later?.map(({ size }) => toNumber(size))).toEqual([3])
  })

  test('a part that was closed leaves the rest', () => {
    const [record, ...others] = ends([aTrade('buy', '2', '90')], '-3')
    expect(record).toMatchObject({ side: 'short', how: 'closed', left: exact('3') })
    expect(others).toEqual([])
  })

  test('a position that turned round has closed, and the new one is no close', () => {
    const [record, ...others] = ends([aTrade('sell', '5', '90')], '-2')
    expect([record?.side, figures(record?.size ?? null)]).toEqual(['long', 3])
    expect(others).toEqual([])
  })

  test('one that was opened again has no end', () => {
    expect(ends([aTrade('sell', '2', '90'), aTrade('buy', '1', '91')], '1')).toEqual([])
  })

  test('opening and adding end nothing', () => {
    expect(ends([aTrade('buy', '1', '90'), aTrade('buy', '2', '91')], '3')).toEqual([])
  })

  test('trades of other markets do not mix', () => {
    const all = [aTrade('sell', '1', '100'), aTrade('buy', '9', '7', { marketId: '1' })]
    const records = closeRecordsOf(fillsOf(all, '7', (marketId) => (marketId === '0' ? 0n : exact('9'))))
    expect(records.map(({ marketId }) => marketId)).toEqual(['0'])
  })
})

describe('by the word of the venue', () => {
  test.each([
    ['trade', false, 'closed'],
    ['liquidation', false, 'liquidated'],
    // The other side of somebody's liquidation.
    ['liquidation', true, 'closed'],
    ['liquidation', null, 'unknown'],
    ['deleverage', true, 'deleveraged'],
    ['market-settlement', false, 'settled'],
    ['something-new', false, 'unknown'],
  ])('%s with a waiting order: %s is %s', (kind, isMaker, how) => {
    const [record] = ends([aTrade('sell', '1', '100', { kind, isMaker })], '0')
    expect(record?.how).toBe(how)
  })

  test('only the trades of the last word share in its price', () => {
    const trades = [aTrade('sell', '1', '100'), aTrade('sell', '2', '80', { kind: 'liquidation' })]
    const [reduction, record] = ends(trades, '0')
    expect([reduction?.how, figures(reduction?.left ?? null)]).toEqual(['closed', 2])
    expect([record?.how, figures(record?.size ?? null), figures(record?.price ?? null)]).toEqual([
      ...['liquidated', 2, 80],
    ])
  })
})

describe('without the size that is left', () => {
  test('a sale that turned the position closed a long', () => {
    const [record] = ends([aTrade('sell', '2', '100', before('2', true))], null)
    expect([record?.side, figures(record?.size ?? null)]).toEqual(['long', 2])
  })

  test('a negative size before was a short', () => {
    const [record] = ends([aTrade('buy', '1', '100', before('-3'))], null)
    expect([record?.side, figures(record?.left ?? null)]).toEqual(['short', 2])
  })

  test.each([
    ['nothing says it', {}],
    ['it may have enlarged a short', before('2')],
    ['it opened', before('0')],
  ])('nothing ended where %s', (_, said) => {
    expect(ends([aTrade('sell', '1', '100', said)], null)).toEqual([])
  })

  test('a size that contradicts the trade is not believed', () => {
    // The frame says that nothing is left of 1, and the trade that it began at 5.
    expect(ends([aTrade('sell', '1', '100', before('5'))], '0')).toEqual([])
  })
})

describe('the result', () => {
  const sold = (over: Partial<Trade>) => ends([aTrade('sell', '2', '110', over)], '0')[0]

  test('is the venue’s own, where it says it', () => {
    expect(figures(sold({ realised: exact('19.5') })?.realisedPnlUsd ?? null)).toBe(19.5)
  })

  test('comes from the entry price before the trade', () => {
    expect(figures(sold(before('2', true, '100'))?.realisedPnlUsd ?? null)).toBe(20)
    const [short] = ends([aTrade('buy', '2', '110', before('2', true, '100'))], '0')
    expect(figures(short?.realisedPnlUsd ?? null)).toBe(-20)
  })

  test('is unknown where one trade does not say it', () => {
    const [, record] = ends(
      [aTrade('sell', '1', '110', before('3', false, '100')), aTrade('sell', '2', '110')],
      '0',
    )
    expect(record?.realisedPnlUsd).toBeNull()
  })

  test('has its fees beside it, but for a liquidation', () => {
    const fee = exact('0.0002')
    expect(figures(sold({ fee })?.feesUsd ?? null)).toBeCloseTo(0.044, 12)
    expect(sold({ fee, kind: 'liquidation' })?.feesUsd).toBeNull()
    expect(sold({})?.feesUsd).toBeNull()
  })
})
