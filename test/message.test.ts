import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  age,
  ago,
  bounded,
  clockTime,
  codePoints,
  item,
  ITEM_CODE_POINTS,
  message,
  plainLines,
  plainText,
  say,
  tableLines,
} from '../src/message.ts'
import type { Span, Text } from '../src/message.ts'
import { NOON } from './support/clock.ts'

const reader = { now: NOON, zone: 'UTC' }
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('how old something is', () => {
  test.each([
    [-5, '0.0 s'],
    [0, '0.0 s'],
    [240, '0.2 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [45 * SECOND, '45 s'],
    [89_400, '89 s'],
    [7 * MINUTE, '7 min'],
    [59.4 * MINUTE, '59 min'],
    [59.6 * MINUTE, '1 h'],
    [HOUR, '1 h'],
    [200 * MINUTE, '3 h 20 min'],
    [DAY - MINUTE, '23 h 59 min'],
    [DAY - 1, '1 d'],
    [52 * HOUR, '2 d 4 h'],
    [400 * DAY, '400 d'],
  ])('%d ms is %s', (ms, text) => expect(age(ms)).toBe(text))

  test('is a figure with a unit, whatever the time', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (ms) => {
        expect(age(ms)).toMatch(
          /^(\d\.\d s|\d{2} s|\d{1,2} min|\d{1,2} h( \d{1,2} min)?|\d+ d( \d{1,2} h)?)$/,
        )
      }),
    )
  })

  test('what lies ahead, or a moment back, is now', () => {
    expect(ago(-5_000)).toBe('just now')
    expect(ago(999)).toBe('just now')
    expect(ago(3_000)).toBe('3.0 s ago')
  })
})

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

test('a message works as plain lines', () => {
  const alert = item(
    'critical',
    'ETH long is 4.8 % from liquidation',
    ['price $2,634.97'],
    [{ label: 'Snooze 1h', line: '/snooze A41 1h', replace: true }],
  )
  const table = { columns: [{ title: 'x', align: 'left' as const }], rows: [['y']] }
  const buttons = [{ label: 'Status', line: '/status', replace: false }]
  expect(
    plainLines(message([alert, item('plain', 'Hello')], { table, buttons, footnote: 'small print' }), reader),
  ).toEqual([
    '[CRITICAL] ETH long is 4.8 % from liquidation',
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
    expect(tableLines({ columns, rows: [['ETH', '4.8 %'], ['🦆COIN', '12 %'], ['BTC']] })).toEqual([
      'market  left',
      'ETH    4.8 %',
      '🦆COIN   12 %',
      'BTC',
    ])
  })

  test('has a head when it has no rows', () => {
    expect(tableLines({ columns: [{ title: 'a', align: 'left' }], rows: [] })).toEqual(['a'])
  })
})

describe('an item', () => {
  test('that fits is left as it is', () => {
    const short = item('info', ['ETH ', { strong: 'long' }], ['opened', ['at ', { time: NOON, as: 'clock' }]])
    expect(bounded(short)).toEqual(short)
  })

  test('that is too long is cut in its names and its last lines, with an ellipsis', () => {
    const long = bounded(item('info', 'x'.repeat(500), ['y'.repeat(200), 'z'.repeat(200), 'gone']))
    expect(long.title).toBe(`${'x'.repeat(119)}…`)
    expect(long.lines).toEqual(['y'.repeat(200), `${'z'.repeat(57)}…`])
  })

  test('is never longer than a tenth of any platform’s message, and never cut inside a letter', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 400 })
    const span: fc.Arbitrary<Span> = fc.oneof(
      words,
      fc.record({ strong: words }),
      fc.record({ code: words }),
      fc.constant({ time: NOON, as: 'clock' as const }),
    )
    const text: fc.Arbitrary<Text> = fc.oneof(words, fc.array(span, { maxLength: 6 }))
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 8 }), fc.nat(10), (title, lines, spare) => {
        const { title: head, lines: body } = bounded(item('info', title, lines), spare)
        const shown = [head, ...body].map((line) => plainText(line, { now: 0, zone: 'UTC' }))
        expect([...shown.join('\n')].length + spare).toBeLessThanOrEqual(ITEM_CODE_POINTS)
        expect(shown.join('').isWellFormed()).toBe(true)
        expect([head, ...body].reduce((sum, line) => sum + codePoints(line), 0)).toBeLessThanOrEqual(
          ITEM_CODE_POINTS,
        )
      }),
    )
  })
})
