import { expect, test } from 'vitest'

import { createStrangers } from '../../src/dialog/strangers.ts'

const MINUTE = 60_000

test('whoever was not invited hears that once in ten minutes, and three times that a code is wrong', () => {
  const strangers = createStrangers()
  const at = (what: 'refusal' | 'answer', minutes: number) => strangers.hears('sam', what, minutes * MINUTE)
  expect([at('refusal', 1), at('refusal', 1), at('refusal', 10)]).toEqual([true, false, false])
  expect([at('answer', 10), at('answer', 10), at('answer', 10), at('answer', 10)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect([at('refusal', 11), at('refusal', 11)]).toEqual([true, false])
})

test('a crowd of them is told as many sentences as cost nothing, and then one a second', () => {
  const strangers = createStrangers()
  const crowd = (name: string, mono: number) =>
    Array.from({ length: 300 }, (_, n) => strangers.hears(`${name}${n}`, 'refusal', mono)).filter(Boolean)
      .length
  expect(crowd('early', 0)).toBe(30)
  expect(crowd('late', 5_000)).toBe(5)
})

test('however many they are, no more than 10,000 are remembered', () => {
  const strangers = createStrangers()
  for (let n = 0; n < 20_000; n++) strangers.hears(`one of many ${n}`, 'refusal', n * 1_000)
  expect(strangers.remembered()).toBe(10_000)
})
