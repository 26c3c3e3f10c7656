import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { Position } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, aPosition, exact, seenAt } from '../../support/fixtures.ts'

const kind = eventNamed('break-even')
const usual = { band: 0.01 }

/** Bought or sold at 990 or 1010: with all fees it is even at 1000. */
const long = aPosition({ size: exact('2'), entryPrice: exact('990'), breakEvenPrice: exact('1000') })
const short = aPosition({ ...long, size: exact('-2'), entryPrice: exact('1010') })

const story = (position: Position, prices: number[], params = usual) =>
  occurrences(
    kind,
    params,
    prices.map((price) => seenAt(price, position)),
  )
/** The same on the other side. */
const mirrored = (prices: number[]) => prices.map((price) => 2000 - price)

test('without an entry and a break-even price there is no crossing, until the venue shows one', () => {
  const bare = { ...long, entryPrice: null, breakEvenPrice: null }
  const readings = [900, 1100].map((price) => seenAt(price, bare))
  expect(occurrences(kind, usual, readings)).toBe('')
  expect(occurrences(kind, usual, [...readings, seenAt(900, long), seenAt(1100, long)])).toBe('3:past it')
})

describe('a crossing of break-even', () => {
  test.each([
    ['is not the first look, on either side', [900], ''],
    ['is told when the price is past it by the dead band', [990, 1005, 1009, 1010, 1020], '3:past it'],
    ['is told on the way back', [1100, 1000, 995, 990, 900], '3:behind it'],
    ['is told each way', [900, 1100, 900], '1:past it 2:behind it'],
    ['is not a price that trembles around it', [999, 1001, 999, 1001, 1009, 991], ''],
    ['is not told twice for a swing into the band', [990, 1010, 995, 1010], '1:past it'],
  ])('%s', (_what, prices, told) => {
    expect(story(long, prices)).toBe(told)
    expect(story(short, mirrored(prices))).toBe(told)
  })

  test('without a band is each change of the side, and not the very price', () => {
    expect(story(long, [999, 1000, 1001, 1000, 1000, 999], { band: 0 })).toBe('2:past it 5:behind it')
  })

  test('is measured from the entry where the venue gives no break-even', () => {
    expect(story({ ...long, breakEvenPrice: null }, [980, 995, 1000])).toBe('2:past it')
  })

  test('is told when the break-even moves past the price, as when it is bought more of', () => {
    const cheaper = { ...long, breakEvenPrice: exact('900') }
    expect(occurrences(kind, usual, [seenAt(950, long), seenAt(950, cheaper)])).toBe('1:past it')
  })

  test('is none in a market that is delisted', () => {
    const market = aMarket({ delisted: true })
    expect(occurrences(kind, usual, [seenAt(900, long), seenAt(1100, long, { market })])).toBe('')
  })
})

test.each([
  ['a long behind it', long, 900, { above: 1010 }],
  ['a long past it', long, 1100, { below: 990 }],
  ['a short behind it', short, 1100, { below: 990 }],
  ['a short past it', short, 900, { above: 1010 }],
])('%s is looked at again at the other end of the band', (_what, position, price, bound) => {
  expect(kind.detect(usual, undefined, seenAt(price, position)).stableWithin).toEqual({
    of: 'price',
    ...bound,
  })
})

test.each([[-0.1], [0.2], [Number.NaN]])('a dead band of %d is refused', (band) => {
  expect(kind.params.safeParse({ band }).success).toBe(false)
})

test('of several dead bands the smallest counts', () => {
  expect(kind.merge([usual, { band: 0.002 }])).toEqual({ band: 0.002 })
})

describe('the words', () => {
  const told = (position: Position, [from, to]: [number, number], over = {}) => {
    const { state: memo } = kind.detect(usual, undefined, seenAt(from, position))
    const subject = seenAt(to, position, over)
    const [occurrence] = kind.detect(usual, memo, subject).occurrences
    if (!occurrence) throw new Error('nothing has happened')
    expect(kind.severity(usual, occurrence)).toBe('info')
    return plainLines(message([kind.tell(usual, occurrence, subject)]), { now: NOON, zone: 'UTC' })
  }

  test('say what closing would leave', () => {
    expect(told(long, [900, 1010])).toEqual([
      '[INFO] ETH long is past its break-even: +$20.00',
      '  2 ETH, $2,020 · main',
      '  $1,010.00, break-even $1,000.00',
      '  index price; break-even includes the closing fee',
      '  Closing now: about +$20.00, before unpaid funding',
      '  price live, position live',
    ])
  })

  test('say when it is only the entry', () => {
    const lines = told({ ...short, breakEvenPrice: null }, [900, 1030])
    expect(lines[0]).toBe('[INFO] ETH short is behind its entry: -$40.00')
    expect(lines[2]).toBe('  $1,030.00, entry $1,010.00')
    expect(lines).toContain('  index price; this venue doesn’t say what fees come to')
  })

  test('say what happened while the bot was away', () => {
    expect(told(long, [900, 1010], { awaySince: NOON - 420_000 })).toContain(
      '  while I was away, 11:53 UTC to 12:00 UTC',
    )
  })
})
