import { describe, expect, test } from 'vitest'

import type { MarketSubject } from '../../../src/alert/subject.ts'
import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, aPosition, exact, rateOf } from '../../support/fixtures.ts'

const kind = eventNamed('funding-forecast')
const reader = { now: NOON, zone: 'UTC' }
const usual = { ahead: 3 * 3_600_000 }
const MINUTE_MS = 60_000
const PER_DAY = 1_440

/** A look every ten minutes, at a rate that was seen in each minute; the venue says its own velocity. */
function looks(rateAt: (minute: number) => number, minutes: number, velocity: number | null, from = 0) {
  const looked = Array.from({ length: Math.floor(minutes / 10) + 1 }, (_, n) => n * 10)
  return looked.map((minute): MarketSubject => {
    const now = NOON + minute * MINUTE_MS
    const first = Math.max(minute - 60, from)
    const seen = Array.from({ length: Math.max(minute - first, 0) }, (_, n) => first + n)
    const rates = () => seen.map((one) => ({ rate: rateAt(one), at: NOON + one * MINUTE_MS }))
    const market = aMarket({
      fundingRatePerDay: exact(rateAt(minute).toFixed(18)),
      fundingVelocityPerDay: velocity === null ? null : exact(velocity.toFixed(18)),
    })
    const seenPrice = { price: 2500, at: now }
    const samples = { rates, range: () => ({ low: seenPrice, high: seenPrice, darkMs: 0 }) }
    return rateOf(rateAt(minute).toFixed(18), [], { market, samples, now, marketAt: now })
  })
}

/** From this rate, by so much a day. */
const falling =
  (from: number, perDay = -0.024) =>
  (minute: number) =>
    from + (perDay * minute) / PER_DAY
const told = (subjects: MarketSubject[], params: unknown = usual) => occurrences(kind, params, subjects)

describe('a rate on its way to zero', () => {
  test.each([
    // 0.005 is zero after five hours: it is near enough after two.
    ['is told once, three hours before', looks(falling(0.005), 290, -0.024), '12:about to flip'],
    ['is told of shorts too', looks(falling(-0.005, 0.024), 290, 0.024), '12:about to flip'],
    ['is not told while the venue says no velocity', looks(falling(0.005), 290, null), ''],
    ['is not told where what was seen is much slower', looks(falling(0.005, -0.012), 290, -0.024), ''],
    ['is not told where what was seen is much faster', looks(falling(0.005), 290, -0.01), ''],
    ['is not told where it was seen to move away', looks(falling(0.001, 0.01), 290, -0.024), ''],
    ['is not told where it stands still', looks(falling(0.001, 0), 290, -0.024), ''],
    [
      'is told only when it was seen for twenty minutes',
      looks(falling(0.002), 60, -0.024),
      '2:about to flip',
    ],
    [
      'is not told so near zero that a flip means nothing',
      looks(falling(0.00004, -0.0003), 290, -0.0003),
      '',
    ],
    [
      'is not told where it has begun to move this minute alone',
      looks((minute) => (minute < 118 ? 0.002 : 0.002 - (minute - 118) * 0.0001), 120, -0.024),
      '',
    ],
  ])('%s', (_what, subjects, what) => expect(told(subjects)).toBe(what))

  test('is told again after it has flipped, and when it had gone back to twice of what it was', () => {
    const there = looks(falling(0.003), 60, -0.024)
    const away = looks(() => 0.0061, 0, 0.024)
    const flipped = looks(() => -0.003, 0, -0.024)
    expect(told([...there, ...there])).toBe('2:about to flip')
    expect(told([...there, ...away, ...there])).toBe('2:about to flip 10:about to flip')
    expect(told([...there, ...flipped, ...there])).toBe('2:about to flip 10:about to flip')
  })

  test('that trembles in its velocity is told once', () => {
    const there = looks(falling(0.003), 60, -0.024)
    expect(told([...there, ...looks(falling(0.002), 0, 0.024), ...there])).toBe('2:about to flip')
  })
})

test('it is looked at again where it would be near enough, halfway there, and twice as far', () => {
  const until = (rate: number, velocity: number | null, memo?: unknown) =>
    kind.detect(usual, memo, looks(() => rate, 0, velocity)[0] as MarketSubject).stableWithin
  const of = 'fundingRate'
  expect(until(0.008, -0.048)).toEqual({ of, below: 0.006, above: 0.016 })
  expect(until(0.008, -0.008)).toEqual({ of, below: 0.004, above: 0.016 })
  expect(until(0.008, 0.008)).toEqual({ of, below: 0.004, above: 0.016 })
  expect(until(-0.008, null)).toEqual({ of, below: -0.016, above: -0.004 })
  expect(until(0, -0.008)).toEqual({ of, below: -0.00005, above: 0.00005 })
  expect(until(0.00001, -0.008)).toEqual({ of, below: -0.00005, above: 0.00005 })
  expect(until(0.002, -0.024)).toEqual({ of, below: 0.00196, above: 0.00204 })
  expect(until(0.002, -0.024, { toldAt: 0.003 })).toEqual({ of, below: 0, above: 0.006 })
})

test.each([[9 * MINUTE_MS], [25 * 60 * MINUTE_MS]])('%d ms ahead are refused', (ahead) => {
  expect(kind.params.safeParse({ ahead }).success).toBe(false)
})

test('of several rules the one that looks furthest ahead counts', () => {
  expect(kind.merge([usual, { ahead: 60 * MINUTE_MS }])).toEqual(usual)
  expect(kind.params.parse({})).toEqual(usual)
  expect(plainText(kind.describe(usual), reader)).toBe('up to 3h ahead')
})

describe('the words', () => {
  test.each([
    [1, 'Now longs pay shorts, 0.27% a day. After that the other way round, if this goes on.'],
    [-1, 'Now shorts pay longs, 0.27% a day. After that the other way round, if this goes on.'],
  ])('say when, who pays until then, and how that is known', (sign, line) => {
    const subject = looks((minute) => sign * falling(0.003)(minute), 20, sign * -0.025).at(
      -1,
    ) as MarketSubject
    const held = { ...subject, positions: [{ position: aPosition(), label: 'main' }] }
    const [occurrence] = kind.detect(usual, undefined, held).occurrences
    if (!occurrence) throw new Error('nothing happened')
    expect(plainLines(message([kind.tell(usual, occurrence, held)]), reader)).toEqual([
      '[INFO] ETH funding will probably flip in about 2 h 30 min',
      `  ${line}`,
      '  By the venue’s figures in 2 h 30 min, by the rates I saw in 2 h 40 min.',
      '  long 2 ETH, $5,000 · PnL $0.00 · main',
    ])
  })
})
