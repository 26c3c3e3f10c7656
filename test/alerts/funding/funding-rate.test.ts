import { describe, expect, test } from 'vitest'

import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed, story } from '../../support/engine.ts'
import { aPosition, exact, rateOf } from '../../support/fixtures.ts'

const kind = levelNamed('funding-rate')
const reader = { now: NOON, zone: 'UTC' }
const above = { way: 'above', line: 0.73 }
const below = { way: 'below', line: -0.73 }
const zero = { way: 'above', line: 0 }

/** Rates per day: 0.2% a day is 73% a year. */
const told = (params: unknown, rates: string[]) =>
  story(
    kind,
    params,
    rates.map((rate) => rateOf(rate)),
  )

describe('a funding rate', () => {
  test.each([
    ['above the line is told once', above, ['0.001', '0.0021', '0.003', '0.0021'], '1:0>1'],
    [
      'is told when it passes the line, not when it touches it',
      above,
      ['0.0019', '0.002', '0.0021'],
      '2:0>1',
    ],
    ['of exactly zero is not above zero', zero, ['0', '0.00001'], '1:0>1'],
    ['is told at the first look as well', above, ['0.003'], '0:0>1'],
    ['below a line that lies above is not told', above, ['0.0019', '-0.003', '0'], ''],
    ['that trembles at the line is one message', above, ['0.0021', '0.0019', '0.0021', '0.0019'], '0:0>1'],
    ['is over a tenth below its line', above, ['0.0021', '0.00181', '0.00179'], '0:0>1 2:1>0'],
    ['that shorts pay is told below a line of theirs', below, ['0.003', '-0.0019', '-0.0021'], '2:0>1'],
    ['of shorts is over a tenth above its line', below, ['-0.0021', '-0.00181', '-0.00179'], '0:0>1 2:1>0'],
    ['around zero is one message', zero, ['0.00001', '-0.00004', '0.00001', '-0.00006'], '0:0>1 3:1>0'],
  ])('%s', (_what, params, rates, what) => expect(told(params, rates)).toBe(what))
})

test.each([
  ['far beyond the line', above, '0.003', { below: 0.0022 }],
  ['in the band', above, '0.0019', { below: 0.0018, above: 0.002 }],
  ['far from it', above, '-0.001', { above: 0.0018 }],
  ['far beyond a line of shorts', below, '-0.003', { above: -0.0022 }],
  ['in the band of a line of shorts', below, '-0.0019', { below: -0.002, above: -0.0018 }],
  ['far from a line of shorts', below, '0.001', { below: -0.0018 }],
])('a rate %s is looked at again when it touches what would change it', (_what, params, rate, bounds) => {
  expect(kind.judge(params, rateOf(rate))).toMatchObject({ stableWithin: { of: 'fundingRate', ...bounds } })
})

test.each([[-101], [101], [Number.NaN]])('a line of %d times a year is refused', (line) => {
  expect(kind.params.safeParse({ way: 'above', line }).success).toBe(false)
})

test('lines stand side by side', () => {
  expect(new Set([above, below, zero].map((params) => kind.identity(params))).size).toBe(3)
})

describe('the words', () => {
  const words = (params: unknown, rate: string, [from, to]: [number, number], held = [aPosition()]) => {
    const value = Number(rate) * 365
    const change = { from, to, value, reason: 'fired', at: NOON, alertId: 1, reminders: 0 } as const
    return plainLines(message([kind.tell(params, change, rateOf(rate, held))]), reader)
  }

  test('say what it is a year, who pays, and what that is to me', () => {
    expect(words(above, '0.003', [0, 1])).toEqual([
      '[WARNING] ETH funding: 110% a year, above your 73%',
      '  Longs pay shorts 0.3% a day: you pay $15.00 a day',
      '  long 2 ETH, $5,000 · PnL $0.00 · main',
    ])
  })

  test('say it of shorts, of nobody’s money, and of what is over', () => {
    expect(words(below, '-0.003', [0, 1])[1]).toBe('  Shorts pay longs 0.3% a day: you receive $15.00 a day')
    expect(words(below, '-0.003', [0, 1], [])[1]).toBe('  Shorts pay longs 0.3% a day')
    expect(words(below, '0', [1, 0], [])[0]).toBe('[RESOLVED] ETH funding: 0% a year, back above -73%')
    expect(words(above, '0.001', [1, 0], [])[0]).toBe('[RESOLVED] ETH funding: 36.5% a year, back below 73%')
  })

  test('said again while the rate trembles beside the line claim no more than that', () => {
    const lines = words(above, '0.0019', [0, 1], [])
    expect(lines[0]).toBe('[WARNING] ETH funding: 69.3% a year, just below your 73%')
    expect(lines[1]).toBe('  clears at 65.7% a year')
    expect(words(below, '-0.0019', [0, 1], [])[0]).toContain('just above your -73%')
  })

  test('of the rule are those that were typed', () => {
    expect(plainText(kind.describe(above), reader)).toBe('above 73% a year')
    expect(kind.typed(below)).toBe('below -73%/y')
  })
})

test('what somebody holds in another size counts as it is', () => {
  const both = [aPosition({ size: exact('2') }), aPosition({ size: exact('-3'), accountId: '2' })]
  const change = { from: 0, to: 1, value: 1.1, reason: 'fired', at: NOON, alertId: 1, reminders: 0 } as const
  const [, line] = plainLines(message([kind.tell(above, change, rateOf('0.003', both))]), reader)
  expect(line).toBe('  Longs pay shorts 0.3% a day: you receive $7.50 a day')
})
