import { describe, expect, test } from 'vitest'

import type { Transition } from '../../../src/alert/alert.ts'
import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed, story } from '../../support/engine.ts'
import { aMarket, aPosition, exact, seenAt } from '../../support/fixtures.ts'
import { set } from '../../support/kinds.ts'

const kind = levelNamed('funding-cost')
const reader = { now: NOON, zone: 'UTC' }
const asked = (line: string) => set(kind, `funding-cost ${line}`).params

/** Four ETH: $10,000 at 2500, so that 0.001 a day is $10. */
const at = (rate: string, size = '4', over = {}) =>
  seenAt(2500, aPosition({ size: exact(size) }), {
    market: aMarket({ fundingRatePerDay: exact(rate), ...over }),
  })

describe('what funding costs a day', () => {
  test.each([
    ['is told once', '$10', ['0.0005', '0.00099', '0.001', '0.002'], '2:0>1'],
    ['is told line by line', '$10 $50', ['0.001', '0.005', '0.001'], '0:0>1 1:1>2 2:2>1'],
    ['clears at 85% of the line', '$10', ['0.001', '0.00086', '0.00085'], '0:0>1 2:1>0'],
    ['is nothing where it is received', '$10', ['-0.001', '-0.5'], ''],
    ['clears when it turns', '$10', ['0.001', '-0.001'], '0:0>1 1:1>0'],
  ])('of a long: %s', (_what, line, rates, told) => {
    expect(
      story(
        kind,
        asked(line),
        rates.map((rate) => at(rate)),
      ),
    ).toBe(told)
  })

  test.each([
    ['is told where shorts pay', '$10', ['-0.0005', '-0.001'], '1:0>1'],
    ['is nothing where longs pay', '$10', ['0.5'], ''],
  ])('of a short: %s', (_what, line, rates, told) => {
    expect(
      story(
        kind,
        asked(line),
        rates.map((rate) => at(rate, '-4')),
      ),
    ).toBe(told)
  })

  test('is more when the price or the position grows', () => {
    const dear = seenAt(5000, aPosition({ size: exact('4') }), {
      market: aMarket({ price: exact('5000'), fundingRatePerDay: exact('0.0006') }),
    })
    expect(story(kind, asked('$10'), [at('0.0006'), dear])).toBe('1:0>1')
    expect(story(kind, asked('$10'), [at('0.0006'), at('0.0006', '8')])).toBe('1:0>1')
  })

  test('is nothing in a market that is delisted, and unknown until its wallet is read', () => {
    const delisted = at('0.5', '4', { delisted: true })
    expect(kind.judge(asked('$10'), { ...delisted, marketAt: NOON })).toBe('unknown')
    expect(kind.judge(asked('$10'), { ...delisted, positionAt: NOON })).toMatchObject({ enter: 0, stay: 0 })
  })
})

describe('what people ask for', () => {
  test.each([
    ['10', 'from $10.00 a day'],
    ['$50 $10', 'from $10.00 / $50.00 a day'],
  ])('%s', (line, words) => expect(plainText(kind.describe(asked(line)), reader)).toBe(words))

  test.each([['-10'], ['5%'], ['0']])('“%s” is refused', (line) => {
    expect(() => asked(line)).toThrow('in dollars a day and above zero')
  })

  test('goes together with what another rule asks for', () => {
    expect(kind.merge([asked('$10'), asked('$5 $10')])).toEqual(asked('$5 $10'))
    expect(kind.tierUnder(asked('$10'), 1, asked('$5 $10'))).toBe(2)
  })
})

describe('the words', () => {
  const told = (change: Partial<Transition>, over = {}) => {
    const step = { reason: 'fired', from: 0, to: 1, value: 12, at: NOON, alertId: 41, reminders: 0 } as const
    const subject = { ...at('0.0012', '4', over) }
    return plainLines(message([kind.tell(asked('$10 $50'), { ...step, ...change }, subject)]), reader)
  }

  test('say what it costs, and what that is in a year', () => {
    expect(told({})).toEqual([
      '[WARNING] ETH long: funding costs $12.00 a day',
      '  4 ETH, $10k · main',
      '  past your $10.00 a day · 43.8% of its value a year',
      '  rate 0.12% a day',
    ])
  })

  test('say when it is paid next, where it is paid at times', () => {
    expect(told({}, { fundingEveryMs: 3_600_000 })[3]).toBe('  rate 0.12% a day, next at 13:00 UTC')
  })

  test.each([
    [
      { from: 2, to: 1 },
      '[INFO] ETH long: funding still costs $12.00 a day',
      '$50.00 a day cleared, still past your $10.00 a day',
    ],
    [
      { value: 9 },
      '[WARNING] ETH long: funding costs $9.00 a day',
      'just below your $10.00 a day, clears at $8.50',
    ],
    [
      { from: 2, to: 1, value: 9 },
      '[INFO] ETH long: funding still costs $9.00 a day',
      '$50.00 a day cleared, just below your $10.00 a day, clears at $8.50',
    ],
    [
      { from: 1, to: 0, value: 5 },
      '[RESOLVED] ETH long: funding costs $5.00 a day',
      'below your $10.00 a day',
    ],
    [
      { from: 1, to: 0, value: -5 },
      '[RESOLVED] ETH long: funding brings $5.00 a day',
      'below your $10.00 a day',
    ],
    [
      { from: 1, to: 0, value: 0 },
      '[RESOLVED] ETH long: funding costs nothing now',
      'below your $10.00 a day',
    ],
  ])('of %o', (change, title, stands) => {
    const lines = told(change)
    expect(lines[0]).toBe(title)
    expect(lines[2]).toBe(`  ${stands}`)
  })
})
