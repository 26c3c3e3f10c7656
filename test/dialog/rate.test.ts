import { expect, test } from 'vitest'

import { createRate } from '../../src/dialog/rate.ts'

const SECOND = 1_000

test('so many in any minute, and each person for themselves', () => {
  const rate = createRate(3)
  const at = (key: string, ...seconds: number[]) => seconds.map((second) => rate.allows(key, second * SECOND))
  expect(at('alice', 0, 10, 20, 30, 59)).toEqual([true, true, true, false, false])
  expect(at('bob', 59)).toEqual([true])
  // The first one is a minute ago now; what was refused did not count.
  expect(at('alice', 60, 61, 70, 80)).toEqual([true, false, true, true])
})

test('a crowd does not stay in memory, and nobody in it is let off', () => {
  const rate = createRate(1)
  for (let person = 0; person < 20_000; person++) rate.allows(`p${person}`, 0)
  expect(rate.allows('p19999', 59 * SECOND)).toBe(false)
  for (let person = 0; person < 20_000; person++) rate.allows(`q${person}`, 61 * SECOND)
  expect(rate.allows('p19999', 61 * SECOND)).toBe(true)
})
