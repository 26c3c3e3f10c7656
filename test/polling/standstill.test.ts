import { describe, expect, test } from 'vitest'

import { createFrozenPrices } from '../../src/polling/doubted-prices.ts'
import { aMarket, exact } from '../support/fixtures.ts'

const POLL_MS = 2_000

/** Looks at a venue whose price is each of these in turn, and says at which of them it was not believed. */
function doubtedAt(prices: readonly number[]): number[] {
  const look = createFrozenPrices()
  return prices.flatMap((price, index) =>
    look([aMarket({ price: exact(String(price)) })], index * POLL_MS).all === null ? [] : [index],
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
    expect(doubts.every(({ all, some }) => all === null && some.size === 0)).toBe(true)
  })
})

describe('one market of a venue that goes on moving', () => {
  const doubtedAmong = (prices: readonly number[]) => {
    const look = createFrozenPrices()
    return prices.flatMap((price, index) => {
      const one = aMarket({ id: '200', price: exact(String(price)) })
      const other = aMarket({ price: exact(String(index + 1)) })
      const { all, some } = look([one, other], index * POLL_MS)
      expect(all).toBeNull()
      return some.has('200') ? [index] : []
    })
  }

  test('is not believed once it has stood for two minutes after it had moved at every look', () => {
    expect(doubtedAmong([...moving(40), ...standing(63), 1])).toEqual([100, 101, 102])
  })

  test('is believed if it often has nothing new', () => {
    const slow = moving(60).flatMap((price) => [price, price])
    expect(doubtedAmong([...slow, ...standing(300)])).toEqual([])
  })
})

test('a venue that pushes every second is lively though a frame now and then shows nothing new', () => {
  const look = createFrozenPrices()
  const prices = [...moving(60).flatMap((price) => [price, price]), ...standing(130)]
  const doubts = prices.flatMap((price, second) =>
    look([aMarket({ price: exact(String(price)) })], second * 1_000).all === null ? [] : [second],
  )
  expect(doubts[0]).toBe(240)
})

test('a venue that often has nothing new is never doubted', () => {
  const slow = moving(60).flatMap((price) => [price, price])
  expect(doubtedAt([...slow, ...standing(300)])).toEqual([])
  expect(doubtedAt(standing(300))).toEqual([])
})
