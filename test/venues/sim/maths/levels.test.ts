import { expect, test } from 'vitest'

import { createLevels } from '../../../../src/venues/sim/maths/levels.ts'

test('a price finds who waits for it, on its side and in its market alone, and they go on waiting', () => {
  const levels = createLevels<string>()
  levels.arm(levels.add('a fall to 90'), 'ETH', 'falls', 90)
  levels.arm(levels.add('a fall to 80'), 'ETH', 'falls', 80)
  levels.arm(levels.add('a rise to 110'), 'ETH', 'rises', 110)
  levels.arm(levels.add('another market'), 'BTC', 'falls', 1_000)
  expect(levels.reached('ETH', 100)).toEqual([])
  expect(levels.reached('ETH', 90)).toEqual(['a fall to 90'])
  expect(levels.reached('ETH', 70).toSorted()).toEqual(['a fall to 80', 'a fall to 90'])
  expect(levels.reached('ETH', 110)).toEqual(['a rise to 110'])
  expect(levels.reached('DOGE', 1)).toEqual([])
})

test('who is armed anew waits for that alone, and who is dropped for nothing', () => {
  const levels = createLevels<string>()
  const [one, other] = [levels.add('one'), levels.add('other')]
  levels.arm(one, 'ETH', 'falls', 90)
  levels.arm(other, 'ETH', 'falls', 90)
  levels.arm(one, 'ETH', 'rises', 110)
  levels.drop(other)
  expect(levels.reached('ETH', 1)).toEqual([])
  expect(levels.reached('ETH', 110)).toEqual(['one'])
  const third = levels.add('third')
  expect(third).toBe(other)
  expect(levels.reached('ETH', 1)).toEqual([])
})
