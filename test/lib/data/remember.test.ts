import { expect, test } from 'vitest'

import { remember } from '../../../src/lib/data/remember.ts'

test('the newest are kept, and what is set again is new again', () => {
  const map = new Map<string, number>()
  for (const [at, key] of ['a', 'b', 'c', 'a', 'd'].entries()) remember(map, key, at, 3)
  expect([...map]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ])
})
