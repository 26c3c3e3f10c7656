import { expect, test } from 'vitest'

import { createPerMinute } from '../../../src/lib/time/per-minute.ts'

const SECOND = 1_000

test('so many in any minute, and each person for themselves', () => {
  const commands = createPerMinute(3)
  const at = (key: string, ...seconds: number[]) =>
    seconds.map((second) => commands.allows(key, second * SECOND))
  expect(at('alice', 0, 10, 20, 30, 59)).toEqual([true, true, true, false, false])
  expect(at('bob', 59)).toEqual([true])
  // The first one is a minute ago now; what was refused did not count.
  expect(at('alice', 60, 61, 70, 80)).toEqual([true, false, true, true])
})

test('whoever said something within the minute is remembered, however many others there are', () => {
  const commands = createPerMinute(1)
  const crowd = (name: string, second: number) =>
    Array.from({ length: 500 }, (_, person) => commands.allows(`${name}${person}`, second * SECOND))
  expect(crowd('early', 0)).not.toContain(false)
  expect(crowd('late', 30)).not.toContain(false)
  expect(crowd('early', 59)).not.toContain(true)
  expect(commands.remembered()).toBe(1_000)
})

test('whoever was silent for a minute is forgotten, also when they began before others', () => {
  const commands = createPerMinute(2)
  commands.allows('alice', 0)
  commands.allows('bob', 1 * SECOND)
  commands.allows('carol', 2 * SECOND)
  commands.allows('alice', 40 * SECOND)
  commands.allows('dave', 62 * SECOND)
  // Alice and dave.
  expect(commands.remembered()).toBe(2)
  expect(commands.allows('alice', 63 * SECOND)).toBe(true)
  commands.allows('erin', 200 * SECOND)
  expect(commands.remembered()).toBe(1)
})
