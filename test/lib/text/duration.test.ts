import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { durationText, parseDuration } from '../../../src/lib/text/duration.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('a time as people type it is milliseconds', () => {
  test.each([
    ['1h', HOUR],
    ['1h30m', 90 * MINUTE],
    ['1h 30m', 90 * MINUTE],
    ['90 m', 90 * MINUTE],
    ['45s', 45 * SECOND],
    ['2d', 2 * DAY],
    ['2 Days', 2 * DAY],
    ['1 hour 5 minutes', 65 * MINUTE],
    ['10min', 10 * MINUTE],
    ['3 hrs', 3 * HOUR],
    ['2 Stunden', 2 * HOUR],
    ['1 Tag 30 Minuten', DAY + 30 * MINUTE],
    ['45 sekunden', 45 * SECOND],
    ['1.5h', 90 * MINUTE],
    ['1,5h', 90 * MINUTE],
    ['366d', 366 * DAY],
    ['1,500s', 1_500 * SECOND],
  ])('%j', (text, ms) => expect(parseDuration(text, '1,234.5')).toBe(ms))

  test.each([
    '',
    ' ',
    '90',
    'h',
    '1x',
    '1h30',
    '10ms',
    '-1h',
    '1h-30m',
    '0h',
    '0.0001s',
    '367d',
    '1e3s',
    'one hour',
    '1.h',
    '9'.repeat(400) + 'h',
  ])('%j is none', (text) => expect(parseDuration(text, '1,234.5')).toBeNull())
})

test.each([
  [0, '0s'],
  [SECOND, '1s'],
  [90 * MINUTE, '1h30m'],
  [DAY, '1d'],
  [DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND, '1d2h3m4s'],
])('%d ms reads %s', (ms, text) => expect(durationText(ms)).toBe(text))

test.each([
  ['1,5h', 1.5 * HOUR],
  ['1.5h', 1.5 * HOUR],
  ['1.500s', 1_500 * SECOND],
] as const)('in the style 1.234,5, %s is so many milliseconds: %d', (text, ms) =>
  expect(parseDuration(text, '1.234,5')).toBe(ms),
)

test('what is written reads back, to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 366 * 86_400 }), (seconds) => {
      expect(parseDuration(durationText(seconds * SECOND), '1,234.5')).toBe(seconds * SECOND)
    }),
    { numRuns: 2_000 },
  )
})

test('whatever is typed is a time within a year, or none, and at once', () => {
  const nearly = fc.stringMatching(/^(\d{1,15}[.,]?\d{0,8} ?(d|h|m|s|min|hours) ?){0,6}$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      const ms = parseDuration(text, '1,234.5')
      expect(ms === null || (ms > 0 && ms <= 366 * DAY && Number.isInteger(ms))).toBe(true)
    }),
  )
  expect(parseDuration('1h'.repeat(100_000), '1,234.5')).toBeNull()
})
