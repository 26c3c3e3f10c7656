import { expect, test } from 'vitest'

import { isFresh } from '../../../../src/venues/hyperliquid/record/freshness.ts'

const HOUR = 3_600_000
const SECOND = 1_000
const HALF_PAST = 10.5 * HOUR
const KINDS = ['fill', 'funding', 'transfer'] as const

/** A list that was read `age` ago, at a quiet wallet whose trades are all heard. */
function fresh(
  of: 'fill' | 'funding' | 'transfer',
  age: number,
  more: Partial<Parameters<typeof isFresh>[2]> = {},
) {
  const [now, mono] = [HALF_PAST, 100 * HOUR]
  const quiet = { now, mono, isUnfinished: false, heardSince: 0, tradedMono: -Infinity, ...more }
  return isFresh(of, { until: quiet.now - age, mono: mono - age }, quiet)
}

test('whatever was read some seconds ago is not read again', () => {
  for (const kind of KINDS)
    expect([kind, fresh(kind, 9 * SECOND, { heardSince: null })]).toEqual([kind, true])
})

test('fills are read again after ten seconds, or after a minute where every trade is heard and none was the wallet’s', () => {
  expect(fresh('fill', 59 * SECOND)).toBe(true)
  expect(fresh('fill', 61 * SECOND)).toBe(false)
  expect(fresh('fill', 11 * SECOND, { heardSince: null })).toBe(false)
  // It was heard for a part of the time only.
  expect(fresh('fill', 30 * SECOND, { heardSince: 100 * HOUR - 29 * SECOND })).toBe(false)
  expect(fresh('fill', 30 * SECOND, { tradedMono: 100 * HOUR - 5 * SECOND })).toBe(false)
  // The venue may show a trade some seconds late.
  expect(fresh('fill', 30 * SECOND, { tradedMono: 100 * HOUR - 35 * SECOND })).toBe(false)
  expect(fresh('fill', 30 * SECOND, { tradedMono: 100 * HOUR - 45 * SECOND })).toBe(true)
})

test('funding is read again after the next full hour', () => {
  expect(fresh('funding', 20 * 60 * SECOND)).toBe(true)
  expect(fresh('funding', 31 * 60 * SECOND)).toBe(false)
  // So soon after the hour a payment may have been missing.
  expect(fresh('funding', 29 * 60 * SECOND)).toBe(false)
})

test('transfers are read again after a minute', () => {
  expect(fresh('transfer', 59 * SECOND)).toBe(true)
  expect(fresh('transfer', 61 * SECOND)).toBe(false)
})

test('a call that had no time for all lists is followed by one that reads the others alone', () => {
  const isUnfinished = true
  for (const kind of KINDS)
    expect([kind, fresh(kind, 110 * SECOND, { isUnfinished, heardSince: null })]).toEqual([kind, true])
  expect(fresh('fill', 121 * SECOND, { isUnfinished })).toBe(false)
})
