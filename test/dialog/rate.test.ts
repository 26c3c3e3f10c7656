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

test('whoever said something within the minute is remembered, however many others there are', () => {
  const rate = createRate(1)
  const crowd = (name: string, second: number) =>
    Array.from({ length: 500 }, (_, person) => rate.allows(`${name}${person}`, second * SECOND))
  expect(crowd('early', 0)).not.toContain(false)
  expect(crowd('late', 30)).not.toContain(false)
  expect(crowd('early', 59)).not.toContain(true)
  expect(rate.remembered()).toBe(1_000)
})

test('whoever was silent for a minute is forgotten, also when they began before others', () => {
  const rate = createRate(2)
  rate.allows('alice', 0)
  rate.allows('bob', 1 * SECOND)
  rate.allows('carol', 2 * SECOND)
  rate.allows('alice', 40 * SECOND)
  rate.allows('dave', 62 * SECOND)
  // Alice and dave.
  expect(rate.remembered()).toBe(2)
  expect(rate.allows('alice', 63 * SECOND)).toBe(true)
  rate.allows('erin', 200 * SECOND)
  expect(rate.remembered()).toBe(1)
})
