import { describe, expect, test } from 'vitest'

import { createFrozenPrices } from '../../src/polling/polling.ts'
import { aMarket, exact } from '../support/fixtures.ts'

const POLL_MS = 2_000

/** Looks at a venue whose price is each of these in turn, and says at which of them it was not believed. */
function doubtedAt(prices: readonly number[]): number[] {
  const look = createFrozenPrices()
  return prices.flatMap((price, index) =>
    look([aMarket({ price: exact(String(price)) })], index * POLL_MS) === null ? [] : [index],
  )
}

const moving = (count: number) => Array.from({ length: count }, (_, index) => 100 + index)
const standing = (count: number) => Array.from({ length: count }, () => 99)

describe('a venue that has moved at every look', () => {
  test('is not believed once it has shown the same for two minutes', () => {
    expect(doubtedAt([...moving(40), ...standing(63)])).toEqual([100, 101, 102])
  })

  test('is believed again with its first new figure, and has to be lively anew before it is doubted', () => {
    expect(doubtedAt([...moving(40), ...standing(61), ...moving(20), ...standing(90)])).toEqual([100])
  })

  test('is not doubted because of one market that stands', () => {
    const look = createFrozenPrices()
    const stands = aMarket({ id: '200' })
    const doubts = moving(120).map((price, index) =>
      look([stands, aMarket({ price: exact(String(price)) })], index * POLL_MS),
    )
    expect(doubts.every((doubt) => doubt === null)).toBe(true)
  })
})

test('a venue that often has nothing new is never doubted', () => {
  const slow = moving(60).flatMap((price) => [price, price])
  expect(doubtedAt([...slow, ...standing(300)])).toEqual([])
  expect(doubtedAt(standing(300))).toEqual([])
})
