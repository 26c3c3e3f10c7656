import { describe, expect, test } from 'vitest'

import type { MarketSubject } from '../../../src/alert/subject.ts'
import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, aPosition, exact, rateOf } from '../../support/fixtures.ts'

const kind = eventNamed('price-move')
const reader = { now: NOON, zone: 'UTC' }
const MINUTE_MS = 60_000
const either = { way: 'either', share: 0.05, within: 60 * MINUTE_MS }

/** A price a minute, as it is seen at each of them; null is a minute in which it was not. */
function minutes(prices: readonly (number | null)[], darkBefore = 0): MarketSubject[] {
  return prices.flatMap((price, now) => {
    if (price === null) return []
    const at = (minute: number) => NOON + minute * MINUTE_MS
    const range = (ms: number) => {
      const first = Math.max(now - ms / MINUTE_MS, 0)
      const window = prices.map((one, minute) => ({ one, minute })).slice(first, now + 1)
      const seen = window.flatMap(({ one, minute }) => (one === null ? [] : [{ price: one, at: at(minute) }]))
      const low = seen.reduce((a, b) => (b.price <= a.price ? b : a))
      const high = seen.reduce((a, b) => (b.price >= a.price ? b : a))
      const before = Math.min(Math.max(ms / MINUTE_MS - now, 0), darkBefore)
      return { low, high, darkMs: (window.length - seen.length + before) * MINUTE_MS }
    }
    const market = aMarket({ price: exact(String(price)) })
    return [
      rateOf('0.0005', [], { market, samples: { range, rates: () => [] }, now: at(now), marketAt: at(now) }),
    ]
  })
}

const told = (params: unknown, prices: (number | null)[], darkBefore = 0) =>
  occurrences(kind, params, minutes(prices, darkBefore))
const still = (minutesLong: number, price: number) => Array.from({ length: minutesLong }, () => price)

describe('a price that moves', () => {
  test.each([
    ['up is told, once, when two readings show it', either, [100, 103, 105, 106, 107, 106], '3:up'],
    ['down is told', either, [100, 97, 95, 95], '3:down'],
    ['too little is not', either, [100, 104.9, 104.9, 99.7, 99.7], ''],
    ['hardly at all is not', either, [100, 101, 99, 102, 98], ''],
    [
      'for one reading alone is not told, which may be a mistake: its way back is',
      either,
      [100, 50, 100, 100],
      '3:up',
    ],
    ['is told each way, the turn as well', either, [100, 106, 106, 99, 99], '2:up 4:down'],
    ['is told once while it trembles at the line', either, [100, 105, 105, 104, 105, 104, 105], '2:up'],
    ['is told again when most of it was gone', either, [100, 105, 105, 103, 105, 105], '2:up 5:up'],
    [
      'is told again when it has gone as far again, as two readings show',
      either,
      [100, 95, 95, 92, 90.3, 90.2, 90.1, 85, 95, 90.1, 85, 85],
      '2:down 6:down 9:up 11:down',
    ],
    ['only up says nothing of a fall', { ...either, way: 'up' }, [100, 90, 90, 90], ''],
    ['only down says nothing of a rise', { ...either, way: 'down' }, [100, 110, 110, 110], ''],
    ['goes on as far again is told when the time is over', either, [...still(5, 100), 105, 105], '6:up'],
  ])('%s', (_what, params, prices, what) => expect(told(params, prices)).toBe(what))

  test('slowly is not told: its time is over before it has come so far', () => {
    const slow = Array.from({ length: 200 }, (_, minute) => 100 * 1.0005 ** minute)
    expect(told(either, slow)).toBe('')
  })

  test('is told anew an hour after it, when it moves as far again', () => {
    expect(told(either, [100, 105, 105, ...still(70, 105), 111, 111])).toBe('2:up 74:up')
  })

  test('while nobody looked is told with the first prices of the return', () => {
    expect(told(either, [100, ...Array.from({ length: 20 }, () => null), 94, 94])).toBe('2:down')
  })

  test('is not told a second time because a restart knows nothing of it', () => {
    const [, , , after] = minutes([100, 106, 106, 106])
    const restarted = minutes(still(30, 106), 60)
    const before = kind.detect(either, { up: 'told', down: 'calm' }, after as MarketSubject).state
    for (const subject of restarted) expect(kind.detect(either, before, subject).state).toEqual(before)
  })
})

test('nothing is known of a market that was not seen: what was told stays told', () => {
  const [subject] = minutes([100])
  const memo = { up: 'told', down: 'calm' }
  const unseen = { ...(subject as MarketSubject), samples: { range: () => null, rates: () => [] } }
  expect(kind.detect(either, memo, unseen)).toEqual({ state: memo, occurrences: [] })
})

test('it is looked at again at a new extreme, and where the move would be made', () => {
  const boundsAt = (params: unknown, prices: number[]) =>
    kind.detect(params, undefined, minutes(prices).at(-1) as MarketSubject).stableWithin
  expect(boundsAt(either, [100, 102, 101])).toEqual({ of: 'price', below: 100, above: 102 })
  expect(boundsAt(either, [100, 104.9, 104])).toEqual({ of: 'price', below: 100, above: 104.9 })
  expect(boundsAt({ ...either, share: 0.01 }, [100, 104.9, 100.5])).toBeUndefined()
})

test.each([
  [{ share: 0.0001, within: 3_600_000 }],
  [{ share: 11, within: 3_600_000 }],
  [{ share: 0.05, within: 59_000 }],
  [{ share: 0.05, within: 86_400_001 }],
  [{ share: 0.05 }],
])('%j is refused', (params) => expect(kind.params.safeParse(params).success).toBe(false))

describe('the words', () => {
  const words = (prices: (number | null)[], held = [aPosition()], over: Partial<MarketSubject> = {}) => {
    let memo: unknown
    const said: string[] = []
    for (const seen of minutes(prices)) {
      const subject = { ...seen, ...over, positions: held.map((position) => ({ position, label: 'main' })) }
      const detected = kind.detect(either, memo, subject)
      memo = detected.state
      for (const one of detected.occurrences)
        said.push(...plainLines(message([kind.tell(either, one, subject)]), reader))
    }
    return said
  }

  test('say how far, how fast, from where, and what is held there', () => {
    expect(words([2500, 2480, 2370, 2370])).toEqual([
      '[WARNING] ETH fell 5.2% in 3 min, to $2,370.00',
      '  down from $2,500.00 at 12:00 UTC, past your 5% within 1h',
      '  long 2 ETH, $4,740 · PnL -$260 · main',
    ])
  })

  test('say how little of that time was seen', () => {
    const gap = Array.from({ length: 20 }, () => null)
    const [title, , dark] = words([2500, ...gap, 2650, 2650], [])
    expect(title).toBe('[WARNING] ETH rose 6% in 22 min, to $2,650.00')
    expect(dark).toBe('  I saw only 40 min of that time')
  })

  test('of the rule are those that were typed', () => {
    expect(plainText(kind.describe(either), reader)).toBe('5% within 1h')
    expect(plainText(kind.describe({ ...either, way: 'down' }), reader)).toBe('down 5% within 1h')
    expect(kind.typed({ ...either, way: 'down' })).toBe('down 5% 1h')
  })
})
