import { expect, test } from 'vitest'

import { createJumpedPrices } from '../../src/polling/doubted-prices.ts'
import { aMarket, exact } from '../support/fixtures.ts'

const POLL_MS = 2_000

/** At which of these looks, one a poll, the price is not believed. */
function doubtedAt(prices: readonly number[], everyMs = POLL_MS): number[] {
  const look = createJumpedPrices()
  return prices.flatMap((price, index) =>
    look([aMarket({ price: exact(String(price)) })], index * everyMs).size === 0 ? [] : [index],
  )
}

const many = (price: number, count: number) => Array.from({ length: count }, () => price)

test.each([
  ['that is a tenth at one look', [100, 10, 100, 101], [1]],
  ['that is a hundred times as high at two', [100, 10_000, 10_000, 100], [1, 2]],
  ['that falls by half', [100, 50, 25], []],
  ['that falls to a tenth step by step', [100, 40, 16, 9], []],
  ['that is off in another way each time', [100, 10, 1_000, 100], [1, 2]],
])('a price %s', (_what, prices, doubted) => expect(doubtedAt(prices)).toEqual(doubted))

test('a new level is believed once it has stayed for a minute', () => {
  const doubted = doubtedAt([100, ...many(10, 40)])
  expect(doubted).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

test('after a minute without a look a price may be anywhere', () => {
  expect(doubtedAt([100, 10], 61_000)).toEqual([])
})
