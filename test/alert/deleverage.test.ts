import { describe, expect, test } from 'vitest'

import {
  accountMarginWays,
  closingLines,
  reduceOptionsOf,
  waysOut,
  marginDoubt,
  marginWays,
} from '../../src/alert/deleverage.ts'
import { plainText, type Text } from '../../src/message/message.ts'
import type { Preview } from '../../src/venue/order.ts'
import { NOON } from '../support/clock.ts'
import { aMarket, anAccount, aPosition, exact } from '../support/fixtures.ts'

const reader = { now: NOON, zone: 'UTC' }
const market = aMarket({ price: exact('2100') })
/** Two ETH at 2,500. */
const position = aPosition({ entryPrice: exact('2500'), liquidationPrice: exact('2000') })
const closed = { position, market, at: NOON }

const preview = (over: Partial<Preview> = {}): Preview => ({
  ...{ estimate: false, fillPrice: exact('2090'), liquidationPrice: exact('1800'), marginRatio: 0.25 },
  ...{ totalFeesUsd: exact('1.5'), marginUsagePercent: null, feasible: true, refusal: null, ...over },
})
const quotes = (over: Partial<Preview> = {}) =>
  reduceOptionsOf(position).map((closing) => ({ ...closing, preview: preview(over) }))
const own = { ...closed, isOfAccount: false }
const shared = { ...closed, isOfAccount: true }
const said = (lines: readonly Text[]) => lines.map((line) => plainText(line, reader))

describe('what closing a quarter does, by what the venue answers', () => {
  test.each<[string, Partial<Preview>, string, string]>([
    ['all that there is', {}, '14.3% away (-$205)', '14.3% away · PnL -$205 · fee $1.50'],
    [
      'no line any more',
      { liquidationPrice: 'none' },
      'no liquidation price (-$205)',
      'no liquidation price · PnL -$205 · fee $1.50',
    ],
    [
      'no word of it',
      { liquidationPrice: null },
      'distance unknown (-$205)',
      'distance unknown · PnL -$205 · fee $1.50',
    ],
    [
      'a line that the price has passed',
      { liquidationPrice: exact('2200') },
      'still past liquidation (-$205)',
      'still past liquidation · PnL -$205 · fee $1.50',
    ],
    ['no fill', { fillPrice: null }, '14.3% away (?)', '14.3% away · PnL ? · fee $1.50'],
    ['no fees', { totalFeesUsd: null }, '14.3% away (-$205)', '14.3% away · PnL -$205 · fee ?'],
    [
      'fees that are paid back',
      { totalFeesUsd: exact('-1.5') },
      '14.3% away (-$205)',
      '14.3% away · PnL -$205 · fee -$1.50',
    ],
    ['that it cannot be', { feasible: false, refusal: 'paused' }, 'not possible', 'not possible: paused'],
    [
      'that it cannot be, and no more',
      { feasible: false },
      'not possible',
      'not possible: the venue doesn’t say why',
    ],
    [
      'nothing at all',
      { fillPrice: null, totalFeesUsd: null },
      'the venue doesn’t say',
      'the venue doesn’t say',
    ],
    [
      'figures of another market',
      { fillPrice: exact('97000') },
      'no quote that I trust',
      'the venue’s quote doesn’t fit the price: I don’t trust it',
    ],
    [
      'figures of another scale',
      { fillPrice: exact('0.00209') },
      'no quote that I trust',
      'the venue’s quote doesn’t fit the price: I don’t trust it',
    ],
    [
      'a long story',
      { feasible: false, refusal: 'x'.repeat(500) },
      'not possible',
      `not possible: ${'x'.repeat(59)}…`,
    ],
  ])('%s', (_what, over, short, long) => {
    const lines = closingLines(own, quotes(over))
    expect(said(lines.short)[0]).toBe(`Close 25% → ${short}`)
    expect(said(lines.long)[0]).toBe(`Close 25% → ${long}`)
  })

  test('of an account it is what becomes of its ratio, and the distance where nothing tells that', () => {
    const lines = closingLines(shared, quotes())
    expect(said(lines.short)).toEqual([
      'Close 25% of ETH → ratio 25% (-$205)',
      'Close 50% of ETH → ratio 25% (-$410)',
    ])
    expect(said(lines.long).at(-1)).toBe('Close all of ETH → ratio 25% · PnL -$820 · fee $1.50')
    const without = closingLines(shared, quotes({ marginRatio: null }))
    expect(said(without.short)[0]).toBe('Close 25% of ETH → 14.3% away (-$205)')
  })

  test('what has not come is named, and an estimate is called one', () => {
    const [half] = quotes({ estimate: true })
    const lines = closingLines(own, half ? [half] : [])
    expect(said([lines.basis])).toEqual(['my estimate at $2,100.00, 12:00 UTC'])
    expect(said(lines.short)).toEqual(['Close 25% → no answer yet', 'Close 50% → 14.3% away (-$410)'])
    expect(said(lines.long)).toEqual([
      'Close 25% → no answer from the venue',
      'Close 50% → 14.3% away · PnL -$410 · fee $1.50',
      'Close all → no answer from the venue',
    ])
    expect(said([closingLines(own, quotes()).basis])).toEqual(['venue’s quote at $2,100.00, 12:00 UTC'])
  })
})

describe('what added margin does', () => {
  test.each<[string, string | null, string[]]>([
    ['near', '2000', ['Add $215 margin → 10% away', 'Add $624 margin → 20% away']],
    ['nearly far enough', '1885', ['Add $400 margin → 20% away']],
    ['at its end', '2100', ['Add $410 margin → 10% away', 'Add $819 margin → 20% away']],
    ['far', '1000', []],
    ['without a line', null, []],
  ])('to a position that is %s', (_what, liquidation, lines) => {
    const liquidationPrice = liquidation === null ? null : exact(liquidation)
    expect(said(marginWays({ ...position, liquidationPrice }, market))).toEqual(lines)
  })

  test('is an estimate, and says so to whoever reads the long form', () => {
    const doubt = (over: Partial<typeof position> = {}) => {
      const text = marginDoubt({ ...position, ...over }, market)
      return text && plainText(text, reader)
    }
    expect(doubt({ liquidationPrice: exact('2000') })).toBe('Margin: my estimate, ±5%')
    expect(doubt({ size: exact('0.01'), liquidationPrice: exact('2000') })).toBe('Margin: a rough estimate')
    expect(doubt({ liquidationPrice: exact('1000') })).toBeNull()
  })

  test('of a market that is delisted nothing is said', () => {
    expect(marginWays(position, { ...market, delisted: true })).toEqual([])
    expect(marginDoubt(position, { ...market, delisted: true })).toBeNull()
  })

  test('keeps a line for what closing does, which comes later', () => {
    expect(said(waysOut({ ...position, liquidationPrice: exact('2000') }, market))).toEqual([
      'Add $215 margin → 10% away',
      'Add $624 margin → 20% away',
      'Or close a part of it',
    ])
    expect(said(waysOut({ ...position, liquidationPrice: exact('1000') }, market))).toEqual([
      'Add margin, or close a part of it',
    ])
  })

  test.each<[string, Parameters<typeof anAccount>[0], string[]]>([
    ['near', { marginRatio: 0.8 }, ['Add $375 margin → ratio 50%', 'Add $1,042 margin → ratio 30%']],
    ['between the lines', { marginRatio: 0.4 }, ['Add $417 margin → ratio 30%']],
    ['far', { marginRatio: 0.2 }, []],
    [
      'at its end',
      { marginRatio: 1 },
      ['Add at least $500 margin → ratio 50%', 'Add at least $1,167 margin → ratio 30%'],
    ],
    [
      'below zero',
      { marginRatio: 1, equityUsd: exact('-1286') },
      ['Add at least $2,286 margin → ratio 50%', 'Add at least $2,953 margin → ratio 30%'],
    ],
    ['of which nothing is known', { marginRatio: null }, []],
    ['whose needs are not known', { marginRatio: 0.8, maintenanceUsd: null }, []],
    ['measured as a portfolio', { marginRatio: 0.8, mode: 'portfolio' }, []],
  ])('to an account that is %s', (_what, over, lines) => {
    expect(said(accountMarginWays(anAccount(over)))).toEqual(lines)
  })
})
