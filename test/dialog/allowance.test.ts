import { expect, test } from 'vitest'

import { createAllowance } from '../../src/dialog/dialog.ts'

const SECOND = 1_000

test('so many in any minute, and each person for themselves', () => {
  const allowance = createAllowance(3)
  const at = (key: string, ...seconds: number[]) =>
    seconds.map((second) => allowance.allows(key, second * SECOND))
  expect(at('alice', 0, 10, 20, 30, 59)).toEqual([true, true, true, false, false])
  expect(at('bob', 59)).toEqual([true])
  // The first one is a minute ago now; what was refused did not count.
  expect(at('alice', 60, 61, 70, 80)).toEqual([true, false, true, true])
})

test('whoever said something within the minute is remembered, however many others there are', () => {
  const allowance = createAllowance(1)
  const crowd = (name: string, second: number) =>
    Array.from({ length: 500 }, (_, person) => allowance.allows(`${name}${person}`, second * SECOND))
  expect(crowd('early', 0)).not.toContain(false)
  expect(crowd('late', 30)).not.toContain(false)
  expect(crowd('early', 59)).not.toContain(true)
  expect(allowance.remembered()).toBe(1_000)
})

test('whoever was silent for a minute is forgotten, also when they began before others', () => {
  const allowance = createAllowance(2)
  allowance.allows('alice', 0)
  allowance.allows('bob', 1 * SECOND)
  allowance.allows('carol', 2 * SECOND)
  allowance.allows('alice', 40 * SECOND)
  allowance.allows('dave', 62 * SECOND)
  // Alice and dave.
  expect(allowance.remembered()).toBe(2)
  expect(allowance.allows('alice', 63 * SECOND)).toBe(true)
  allowance.allows('erin', 200 * SECOND)
  expect(allowance.remembered()).toBe(1)
})
