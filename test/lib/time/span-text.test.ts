import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { spanOf } from '../../../src/commands/money/span.ts'
import { dayIn, startOfDay } from '../../../src/lib/time/calendar.ts'
import { parseSpan, spansJoined } from '../../../src/lib/time/span-text.ts'

/** A Thursday at noon in Berlin. */
const NOW = Date.UTC(2026, 0, 15, 11)
const HOUR = 3_600_000

function meant(typed: string, zone = 'Europe/Berlin', now = NOW): string | null {
  const text = parseSpan(typed)
  const span = text && spanOf(text, { now, zone })
  if (!span) return null
  const at = (time: number) => new Date(time).toISOString().slice(0, 16)
  return `${span.is} ${at(span.since)}${span.until === null ? '' : ` to ${at(span.until)}`}`
}

test.each([
  ['day', 'today 2026-01-14T23:00'],
  ['heute', 'today 2026-01-14T23:00'],
  ['week', 'week 2026-01-11T23:00'],
  ['this week', 'week 2026-01-11T23:00'],
  ['diese woche', 'week 2026-01-11T23:00'],
  ['month', 'month 2025-12-31T23:00'],
  ['yesterday', 'yesterday 2026-01-13T23:00 to 2026-01-14T23:00'],
  ['since yesterday', 'since 2026-01-13T23:00'],
  ['last week', 'last-week 2026-01-04T23:00 to 2026-01-11T23:00'],
  ['letzten monat', 'last-month 2025-11-30T23:00 to 2025-12-31T23:00'],
  ['since 1 Nov', 'since 2025-10-31T23:00'],
  ['1. november', 'since 2025-10-31T23:00'],
  ['Nov 1st 2025', 'since 2025-10-31T23:00'],
  ['seit 1.11.', 'since 2025-10-31T23:00'],
  ['2025-11-01', 'since 2025-10-31T23:00'],
  ['since Monday', 'since 2026-01-11T23:00'],
  ['since thursday', 'since 2026-01-14T23:00'],
  ['seit Freitag', 'since 2026-01-08T23:00'],
  ['7d', 'since 2026-01-08T11:00'],
  ['2 weeks', 'since 2026-01-01T11:00'],
  ['24 stunden', 'since 2026-01-14T11:00'],
  // Summer time ended on 26 October: that day began two hours before UTC.
  ['since 26 Oct', 'since 2025-10-25T22:00'],
])('“%s” is %s', (typed, expected) => {
  expect(meant(typed)).toBe(expected)
})

test.each([
  '11/1',
  '31 Feb',
  '2026-13-01',
  'tomorrow',
  'since',
  'last',
  'main',
  'do',
  'mo',
  '2027-01-01',
  '400d',
])('“%s” is no time of the past', (typed) => {
  expect(meant(typed)).toBeNull()
})

test('words around a time stay words', () => {
  expect(spansJoined(['main', 'since', '1', 'Nov', 'csv'])).toEqual(['main', 'since 1 Nov', 'csv'])
  expect(spansJoined(['last', 'week', 'my', 'hedge'])).toEqual(['last week', 'my', 'hedge'])
})

test('what a button says again means the same', () => {
  for (const typed of ['since 1 nov', 'last week', 'yesterday', '7d', 'seit montag', '2 wochen']) {
    const text = parseSpan(typed)
    expect(text && meant(text.typed)).toBe(meant(typed))
  }
})

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'America/Havana',
]

test('a day begins at its first moment, in every zone and over changes of the clock', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000 }),
      fc.constantFrom(...ZONES, 'Pacific/Apia', 'Asia/Beirut', 'America/Sao_Paulo'),
      (days, zone) => {
        const day = dayIn(Date.UTC(2024, 0, 1, 12) + days * 24 * HOUR, 'UTC')
        const begun = startOfDay(day, zone)
        expect(dayIn(begun, zone)).toEqual(day)
        expect(dayIn(begun - 1, zone)).not.toEqual(day)
      },
    ),
  )
})
