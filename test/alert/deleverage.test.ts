import { describe, expect, test } from 'vitest'

import {
  accountClosingLines,
  accountMarginLine,
  closingLines,
  reduceOptionsOf,
  marginLine,
} from '../../src/alert/deleverage.ts'
import { plainText } from '../../src/message/message.ts'
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
const said = (lines: ReturnType<typeof closingLines>) => lines.map((line) => plainText(line, reader))

describe('what closing a quarter does, by what the venue answers', () => {
  test.each<[string, Partial<Preview>, string]>([
    ['all that there is', {}, 'liquidation $1,800.00 (14.3% away), PnL -$205, fees $1.50'],
    ['no line any more', { liquidationPrice: 'none' }, 'no liquidation price, PnL -$205, fees $1.50'],
    ['no word of it', { liquidationPrice: null }, 'liquidation ?, PnL -$205, fees $1.50'],
    [
      'a line that the price has passed',
      { liquidationPrice: exact('2200') },
      'liquidation $2,200.00 (past the price), PnL -$205, fees $1.50',
    ],
    ['no fill', { fillPrice: null }, 'liquidation $1,800.00 (14.3% away), PnL ?, fees $1.50'],
    ['no fees', { totalFeesUsd: null }, 'liquidation $1,800.00 (14.3% away), PnL -$205, fees ?'],
    [
      'fees that are paid back',
      { totalFeesUsd: exact('-1.5') },
      'liquidation $1,800.00 (14.3% away), PnL -$205, fees -$1.50',
    ],
    ['that it cannot be', { feasible: false, refusal: 'paused' }, 'not possible: paused'],
    ['that it cannot be, and no more', { feasible: false }, 'not possible: the venue does not say why'],
    ['nothing at all', { fillPrice: null, totalFeesUsd: null }, 'the venue does not say'],
    [
      'figures of another market',
      { fillPrice: exact('97000') },
      'the venue’s answer does not fit the price: I do not trust it',
    ],
    [
      'figures of another scale',
      { fillPrice: exact('0.00209') },
      'the venue’s answer does not fit the price: I do not trust it',
    ],
    ['a long story', { feasible: false, refusal: 'x'.repeat(500) }, `not possible: ${'x'.repeat(59)}…`],
  ])('%s', (_what, over, line) => {
    expect(said(closingLines(closed, quotes(over)))[1]).toBe(`25%: ${line}`)
  })

  test('of an account it is what becomes of its ratio, and the line where nothing tells that', () => {
    const lines = said(accountClosingLines(closed, quotes()))
    expect(lines[0]).toBe('closing ETH long at $2,100.00, 12:00 UTC, by the venue’s preview:')
    expect(lines.at(-1)).toBe('all: margin ratio 25%, PnL -$820, fees $1.50')
    const without = said(accountClosingLines(closed, quotes({ marginRatio: null })))
    expect(without.slice(1)).toEqual(said(closingLines(closed, quotes())).slice(1))
  })

  test('what has not come is named, and an estimate is called one', () => {
    const [half] = quotes({ estimate: true })
    expect(said(closingLines(closed, half ? [half] : []))).toEqual([
      'closing at $2,100.00, 12:00 UTC, by my estimate:',
      '25%: the venue has not answered',
      '50%: liquidation $1,800.00 (14.3% away), PnL -$410, fees $1.50',
      'all: the venue has not answered',
    ])
  })
})

describe('what added margin does', () => {
  const words = (line: ReturnType<typeof marginLine>) => line && plainText(line, reader)

  test.each<[string, string | null, string | null]>([
    ['near', '2000', '$215 more margin → 10% away, $624 → 20% (estimate, ±5%)'],
    ['nearly far enough', '1885', '$400 more margin → 20% away (estimate, ±5%)'],
    ['at its end', '2100', '$410 more margin → 10% away, $819 → 20% (estimate, ±5%)'],
    ['far', '1000', null],
    ['without a line', null, null],
  ])('to a position that is %s', (_what, liquidation, line) => {
    const liquidationPrice = liquidation === null ? null : exact(liquidation)
    expect(words(marginLine({ ...position, liquidationPrice }, market))).toBe(line)
  })

  test('of a market that is delisted nothing is said', () => {
    expect(marginLine(position, { ...market, delisted: true })).toBe(null)
  })

  test.each<[string, Parameters<typeof anAccount>[0], string | null]>([
    ['near', { marginRatio: 0.8 }, '$375 more margin → ratio 50%, $1,042 → 30%'],
    ['between the lines', { marginRatio: 0.4 }, '$417 more margin → ratio 30%'],
    ['far', { marginRatio: 0.2 }, null],
    ['at its end', { marginRatio: 1 }, 'at least $500 more margin → ratio 50%, $1,167 → 30%'],
    [
      'below zero',
      { marginRatio: 1, equityUsd: exact('-1286') },
      'at least $2,286 more margin → ratio 50%, $2,953 → 30%',
    ],
    ['of which nothing is known', { marginRatio: null }, null],
    ['whose needs are not known', { marginRatio: 0.8, maintenanceUsd: null }, null],
    ['measured as a portfolio', { marginRatio: 0.8, mode: 'portfolio' }, null],
  ])('to an account that is %s', (_what, over, line) => {
    expect(words(accountMarginLine(anAccount(over)))).toBe(line)
  })
})
