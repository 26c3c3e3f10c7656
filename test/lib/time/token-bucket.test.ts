import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  fullBucket,
  nextAt,
  type Rate,
  take,
  type TokenBucket,
  tokensAt,
} from '../../../src/lib/time/token-bucket.ts'

const rates = fc.record({
  perSecond: fc.double({ min: 0.001, max: 2_000, noNaN: true }),
  burst: fc.double({ min: 1, max: 1_200, noNaN: true }),
})
const waits = fc.oneof(fc.nat(5_000), fc.double({ min: 0, max: 5_000, noNaN: true }))

describe('a token bucket', () => {
  const rate = { burst: 3, perSecond: 10 }

  test('lets a burst go at once, and then one at a time', () => {
    let bucket = fullBucket(rate, 0)
    for (let taken = 0; taken < 3; taken++) bucket = take(bucket, rate, 0)
    expect(tokensAt(bucket, rate, 0)).toBe(0)
    expect(nextAt(bucket, rate, 0)).toBe(100)
    expect([100, 200, 60_000].map((mono) => tokensAt(bucket, rate, mono))).toEqual([1, 2, 3])
  })

  test('may owe tokens, and pays them back first', () => {
    const bucket = take(fullBucket(rate, 0), rate, 0, 13)
    expect(tokensAt(bucket, rate, 0)).toBe(-10)
    expect(nextAt(bucket, rate, 0)).toBe(1_100)
  })

  test('whose time lies in the future gets nothing back before', () => {
    const bucket = { tokens: 0, mono: 5_000 }
    expect([4_999, 5_000, 5_100].map((mono) => tokensAt(bucket, rate, mono))).toEqual([0, 0, 1])
    expect(nextAt(bucket, rate, 0)).toBe(5_100)
    expect(take(bucket, rate, 1_000)).toEqual({ tokens: -1, mono: 5_000 })
  })

  test('never holds more than its burst', () => {
    expect(nextAt(fullBucket(rate, 0), rate, 0, 4)).toBe(Infinity)
  })

  test('keeps what came back before its rate changed', () => {
    const empty = take(fullBucket(rate, 0), rate, 0, 3)
    const slower = { burst: 3, perSecond: 1 }
    expect(tokensAt(take(empty, rate, 100, 0), slower, 1_100)).toBe(2)
  })
})

test('in any stretch of time no more than burst + rate · time is taken, whoever takes as soon as there is one', () => {
  const step = fc.record({ wait: waits, wanted: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(rates, fc.array(step, { maxLength: 80 }), (rate, steps) => {
      const taken = taking(rate, steps)
      for (let first = 0; first < taken.length; first++) {
        let sum = 0
        for (const { at, count } of taken.slice(first)) {
          sum += count
          const seconds = (at - (taken[first]?.at ?? 0)) / 1_000
          expect(sum).toBeLessThanOrEqual(rate.burst + rate.perSecond * seconds + 1e-6)
        }
      }
    }),
  )
})

function taking(rate: Rate, steps: readonly { wait: number; wanted: number }[]) {
  let bucket = fullBucket(rate, 0)
  let mono = 0
  const taken: { at: number; count: number }[] = []
  for (const { wait, wanted } of steps) {
    mono += wait
    const count = Math.min(wanted, Math.floor(tokensAt(bucket, rate, mono)))
    if (count < 1) continue
    bucket = take(bucket, rate, mono, count)
    taken.push({ at: mono, count })
  }
  return taken
}

test('the next time is the earliest at which there are so many, whichever reading of the clock asks', () => {
  const buckets: fc.Arbitrary<TokenBucket> = fc.record({
    tokens: fc.double({ min: -1_000, max: 1_200, noNaN: true }),
    mono: fc.oneof(fc.nat(2 ** 31), fc.double({ min: 0, max: 1e11, noNaN: true })),
  })
  const counts = fc.oneof(fc.constant(1), fc.double({ min: 0.1, max: 1_200, noNaN: true }))
  fc.assert(
    fc.property(rates, buckets, counts, waits, waits, (rate, bucket, wanted, early, late) => {
      const count = Math.min(wanted, rate.burst)
      const asked = bucket.mono + early - 2_500
      const at = nextAt(bucket, rate, asked, count)
      expect(at).toBeGreaterThanOrEqual(asked)
      expect(tokensAt(bucket, rate, at)).toBeGreaterThanOrEqual(count)
      expect(tokensAt(bucket, rate, at + late)).toBeGreaterThanOrEqual(count)
      // Sooner there are not: but for a hundredth of a millisecond, which is what rounding may cost.
      if (at > asked) expect(tokensAt(bucket, rate, Math.max(at - 0.01, asked))).toBeLessThan(count)
      // A reading that is older than this one leads to the same alarm, or to one that has rung.
      expect(nextAt(bucket, rate, asked - late, count)).toBeLessThanOrEqual(at)
    }),
  )
})
