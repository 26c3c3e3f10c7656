import { expect, test } from 'vitest'

import { backoffMs, doubledMs } from '../../../src/lib/time/backoff.ts'

const LAW = { firstMs: 500, longestMs: 30_000 }

test('the wait doubles with each failure, up to the longest, however many there are', () => {
  const waits = [1, 2, 3, 6, 7, 8, 5_000].map((failures) => doubledMs(failures, LAW))
  expect(waits).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000])
})

test('those who failed together come back spread over half of it', () => {
  expect([0, 0.5, 0.9999].map((random) => backoffMs(3, random, LAW))).toEqual([1_000, 1_500, 2_000])
})
