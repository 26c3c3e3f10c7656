import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { figureText, NUMBER_STYLES } from '../../src/lib/text/format.ts'
import { clockTime } from '../../src/lib/time/daytime.ts'
import { type Figure, percentAway, price, threshold, usd } from '../../src/message/figure.ts'
import { codePoints } from '../../src/message/fit.ts'
import {
  item,
  joined,
  message,
  plainLines,
  plainText,
  say,
  type Span,
  tableLines,
  type Text,
  text,
  words,
  written,
} from '../../src/message/message.ts'
import { LANGUAGES } from '../../src/words/words.ts'
import { NOON } from '../support/clock.ts'
import { anyFigure } from '../support/figures.ts'

const reader = { now: NOON, zone: 'UTC' }
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('a time is shown in the reader’s own zone', () => {
  const at = Date.UTC(2026, 0, 15, 23, 30)
  test.each([
    ['UTC', at, at, '23:30 UTC'],
    ['Europe/Berlin', at, at, '00:30'],
    ['America/New_York', at, at, '18:30'],
    ['Asia/Kathmandu', at, at, '05:15'],
    ['the day before is named', at, at + HOUR, '15 Jan 23:30 UTC'],
    ['the day ahead is named', at + HOUR, at, '16 Jan 00:30 UTC'],
    ['the same day a year ago is not today', at - 365 * DAY, at, '15 Jan 23:30 UTC'],
  ])('%s', (zone, when, now, text) => {
    expect(clockTime(when, { now, zone: zone.includes(' ') ? 'UTC' : zone })).toBe(text)
  })

  test('one and the same instant can be today for one reader and yesterday for another', () => {
    const [evening, night] = [Date.UTC(2026, 0, 15, 22, 30), Date.UTC(2026, 0, 15, 23, 30)]
    expect(clockTime(evening, { now: night, zone: 'Europe/London' })).toBe('22:30')
    expect(clockTime(evening, { now: night, zone: 'Europe/Berlin' })).toBe('15 Jan 23:30')
  })

  test('summer time moves the hour', () => {
    const noon = Date.UTC(2026, 6, 1, 12)
    expect(clockTime(noon, { now: noon, zone: 'Europe/Berlin' })).toBe('14:00')
  })
})

test('emphasis and times are gone from plain text, the words are not', () => {
  const text: Text = [
    'I ',
    { strong: 'saw' },
    ' it at ',
    { time: NOON, as: 'clock' },
    ', ',
    { time: NOON - 90_000, as: 'ago' },
  ]
  expect(plainText([...text, ': ', { code: '/why A41' }], reader)).toBe(
    'I saw it at 12:00 UTC, 2 min ago: /why A41',
  )
  expect(plainText('just words', reader)).toBe('just words')
})

describe('a text is written with its figures in their places', () => {
  const near = text`ETH long is ${percentAway(0.048)} from liquidation at ${price(2_634.97)}`

  test('and each of them stays a number with its unit', () => {
    expect(near).toEqual([
      'ETH long is ',
      { figure: 0.048, as: 'distance' },
      ' from liquidation at ',
      { figure: 2_634.97, as: 'price' },
    ])
    expect(plainText(near, reader)).toBe('ETH long is 4.8% from liquidation at $2,634.97')
  })

  test('in whatever style they are read', () => {
    expect(written(near, '1.234,5')).toBe('ETH long is 4,8% from liquidation at $2.634,97')
    expect(written(near, '1 234,5')).toBe('ETH long is 4,8% from liquidation at $2 634,97')
  })

  test('texts in texts are one text, mere words a string, and counts are words', () => {
    expect(text`${2} of ${'them'}`).toBe('2 of them')
    expect(text`a ${text`b ${usd(5)}`} c`).toEqual(['a b ', { figure: 5, as: 'usd' }, ' c'])
    expect(text`at ${{ time: NOON, as: 'clock' }}`).toEqual(['at ', { time: NOON, as: 'clock' }])
    expect(text``).toBe('')
    expect(joined(['a', ['b ', { code: 'c' }], 'd'], ', ')).toEqual(['a, b ', { code: 'c' }, ', d'])
    expect(joined([], ', ')).toBe('')
  })

  test('what is no number is not known, and what is infinite is more than anything: JSON has neither', () => {
    expect(plainText(text`${usd(NaN)} ${usd(Infinity)} ${usd(-Infinity)}`, reader)).toBe(
      '? >$1,000,000B ->$1,000,000B',
    )
    expect(plainText([percentAway(Infinity)], reader)).toBe('far')
    fc.assert(
      fc.property(anyFigure, (figure) => {
        expect(JSON.parse(JSON.stringify(figure))).toEqual(figure)
      }),
    )
  })
})

test('a figure is as long in every style, so that no bound depends on the reader', () => {
  fc.assert(
    fc.property(anyFigure, (figure) => {
      for (const style of NUMBER_STYLES) {
        expect(figureText(figure.figure, figure.as, style)).toHaveLength(codePoints([figure]))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a sentence is as long as it is in the language that needs most for it, with its figures and inner sentences', () => {
  const inner = words('danger.past', { line: threshold(0.05) })
  const said = words('danger.basis', { price: 'Index 🙂', state: inner })
  const lengths = LANGUAGES.map((language) => [...plainText(said, { now: 0, zone: 'UTC', language })].length)
  expect(new Set(lengths).size).toBe(LANGUAGES.length)
  expect(codePoints(said)).toBe(Math.max(...lengths))
})

test('no text outside figures is ever changed by the style', () => {
  const someWords = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('sub-account 1.5', '1,234.5', '$157.8k', '127.0.0.1:8080', 'v1.2.3', '0x5290.5,000'),
  )
  const span: fc.Arbitrary<Span> = fc.oneof(
    someWords,
    fc.record({ strong: someWords }),
    fc.record({ code: someWords }),
    fc.constant({ time: NOON, as: 'ago' as const }),
    anyFigure,
  )
  const isFigure = (one: Span): one is Figure => typeof one === 'object' && 'figure' in one
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), fc.constantFrom(...NUMBER_STYLES), (spans, style) => {
      const instead = spans.map((one) => (isFigure(one) ? figureText(one.figure, one.as, style) : one))
      expect(plainText(written(spans, style), reader)).toBe(plainText(instead, reader))
      const rest = spans.filter((one) => !isFigure(one))
      expect(joined([written(rest, style)], '')).toEqual(joined([rest], ''))
    }),
    { numRuns: 2_000 },
  )
})

test('a message works as plain lines', () => {
  const alert = item(
    'critical',
    'ETH long is 4.8% from liquidation',
    ['price $2,634.97'],
    [{ label: 'Snooze 1h', line: '/snooze A41 1h', replace: true }],
  )
  const table = { columns: [{ title: 'x', align: 'left' as const }], rows: [['y']] }
  const buttons = [{ label: 'Status', line: '/status', replace: false }]
  expect(
    plainLines(message([alert, item('plain', 'Hello')], { table, buttons, footnote: 'small print' }), reader),
  ).toEqual([
    '[CRITICAL] ETH long is 4.8% from liquidation',
    '  price $2,634.97',
    '  [Snooze 1h: /snooze A41 1h]',
    'Hello',
    'x',
    'y',
    '[Status: /status]',
    'small print',
  ])
  expect(plainLines(say('Hello', 'and more'), reader)).toEqual(['Hello', '  and more'])
})

describe('a table', () => {
  test('has its columns aligned, also under wide letters', () => {
    const columns = [
      { title: 'market', align: 'left' as const },
      { title: 'left', align: 'right' as const },
    ]
    expect(tableLines({ columns, rows: [['ETH', '4.8%'], ['🦆COIN', '12%'], ['BTC']] })).toEqual([
      'market left',
      'ETH    4.8%',
      '🦆COIN   12%',
      'BTC',
    ])
  })

  test('holds figures', () => {
    const columns = [{ title: 'price', align: 'right' as const }]
    expect(tableLines({ columns, rows: [[{ figure: 2_634.97, as: 'price' }], ['?']] })).toEqual([
      '    price',
      '$2,634.97',
      '        ?',
    ])
  })

  test('has a head when it has no rows', () => {
    expect(tableLines({ columns: [{ title: 'a', align: 'left' }], rows: [] })).toEqual(['a'])
  })
})
