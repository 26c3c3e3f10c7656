import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { between, minuteOfDay, nextTime, parseHours, timeText } from '../../../src/lib/time/daytime.ts'

const BERLIN = 'Europe/Berlin'
const utc = (text: string) => Date.parse(`${text}Z`)
const shown = (at: number) => new Date(at).toISOString().slice(0, 16)

describe('the time of day in a zone', () => {
  test.each([
    ['2026-01-15T12:00', BERLIN, 13 * 60],
    ['2026-07-15T12:00', BERLIN, 14 * 60],
    ['2026-01-15T23:30', 'Asia/Kolkata', 5 * 60],
    ['2026-01-15T00:00', 'UTC', 0],
  ])('at %s in %s is minute %d', (at, zone, minute) => expect(minuteOfDay(utc(at), zone)).toBe(minute))
})

describe('the next time of day', () => {
  test.each([
    ['is later today', '2026-01-15T12:00', 20 * 60, '2026-01-15T19:00'],
    ['or tomorrow', '2026-01-15T12:00', 13 * 60, '2026-01-16T12:00'],
    ['is the very next minute', '2026-01-15T12:00:30', 13 * 60 + 1, '2026-01-15T12:01'],
    ['is an hour sooner when summer time begins before it', '2026-03-28T22:00', 7 * 60, '2026-03-29T05:00'],
    ['is an hour later when it ends before it', '2026-10-24T22:00', 7 * 60, '2026-10-25T06:00'],
    [
      'is as soon as the clock has passed it on a day that leaves it out',
      '2026-03-28T22:00',
      150,
      '2026-03-29T01:00',
    ],
    ['to the minute', '2026-03-28T22:00', 151, '2026-03-29T01:00'],
    ['also when that is near', '2026-03-29T00:59', 179, '2026-03-29T01:00'],
    ['is the next day after a day that leaves it out', '2026-03-29T01:00', 150, '2026-03-30T00:30'],
    ['is the first of an hour that comes twice', '2026-10-24T22:00', 150, '2026-10-25T00:30'],
    ['and not the second one when the first is over', '2026-10-25T00:30', 150, '2026-10-26T01:30'],
  ])('%s', (_what, after, minute, found) => expect(shown(nextTime(minute, utc(after), BERLIN))).toBe(found))

  test('lies after now, within little more than a day, and a clock shows it', () => {
    const zones = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC')
    const times = fc.integer({ min: utc('2026-01-01T00:00'), max: utc('2027-12-31T00:00') })
    fc.assert(
      fc.property(zones, times, fc.integer({ min: 0, max: 1_439 }), (zone, after, minute) => {
        const at = nextTime(minute, after, zone)
        expect(at).toBeGreaterThan(after)
        expect(at - after).toBeLessThanOrEqual(25 * 3_600_000)
        const off = Math.abs(minuteOfDay(at, zone) - minute)
        expect(Math.min(off, 1_440 - off)).toBeLessThanOrEqual(60)
      }),
    )
  })
})

/** When clocks are put forward, in zones that do it in ways of their own: by half an hour, by two, at midnight. */
const FORWARD: [zone: string, at: string][] = [
  [BERLIN, '2026-03-29T01:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:30'],
  ['Antarctica/Troll', '2026-03-29T01:00'],
  ['Africa/Cairo', '2026-04-23T22:00'],
  ['America/Santiago', '2026-09-06T04:00'],
]

test.each(FORWARD)(
  'hours are over when their end comes, and not before: in %s, around %s',
  (zone, change) => {
    const QUARTER = 15 * 60_000
    const quarters = fc.integer({ min: 0, max: 95 })
    fc.assert(
      fc.property(quarters, quarters, fc.integer({ min: -96, max: 96 }), (first, last, place) => {
        const hours = { from: first * 15, to: last * 15 }
        const lasts = (hours.to - hours.from + 1_440) % 1_440
        fc.pre(lasts > 0 && lasts <= 20 * 60)
        const now = utc(change) + place * QUARTER
        const inside = (at: number) => between(minuteOfDay(at, zone), hours)
        fc.pre(inside(now))
        const end = nextTime(hours.to, now, zone)
        expect(inside(end)).toBe(false)
        for (let at = now; at < end; at += QUARTER) expect(inside(at)).toBe(true)
      }),
      { numRuns: 300 },
    )
  },
)

test.each([
  ['23:00-07:00', { from: 1_380, to: 420 }],
  ['23-7', { from: 1_380, to: 420 }],
  ['11pm – 7am', { from: 1_380, to: 420 }],
  ['22.30-06.15', { from: 1_350, to: 375 }],
  ['12am-12pm', { from: 0, to: 720 }],
  ['22-24', { from: 1_320, to: 0 }],
  ['24:00-07:00', { from: 0, to: 420 }],
  ['11pm to 7am', { from: 1_380, to: 420 }],
  ['from 23:00 until 7', { from: 1_380, to: 420 }],
  ['between 11 pm and 7 am', { from: 1_380, to: 420 }],
  ['23 to 7', { from: 1_380, to: 420 }],
  ['24:01-07:00', null],
  ['7-7', null],
  ['25:00-07:00', null],
  ['13pm-7am', null],
  ['0am-7am', null],
  ['22:60-07:00', null],
  ['late', null],
  ['1-2-3', null],
])('%s is read as hours', (typed, hours) => expect(parseHours(typed)).toEqual(hours))

test.each([
  [1_380, true],
  [0, true],
  [419, true],
  [420, false],
  [720, false],
])('minute %d lies in the night: %s', (minute, inside) =>
  expect(between(minute, { from: 1_380, to: 420 })).toBe(inside),
)

test.each([
  [599, false],
  [600, true],
  [719, true],
  [720, false],
])('minute %d lies in the forenoon: %s', (minute, inside) =>
  expect(between(minute, { from: 600, to: 720 })).toBe(inside),
)

test('a minute of the day is written as a clock shows it', () => expect(timeText(425)).toBe('07:05'))
