import { expect, test } from 'vitest'

import { createDay, lookBack } from '../../../../src/venues/sim/exchange/day.ts'
import { stage, units } from '../../../support/exchange.ts'

const HOUR = 3_600

test('a market knows the trades of its last 24 hours, their volume, and the price before them', () => {
  const { exchange, trader, trade, eth, wait } = stage({ eth: { skewScale: 0n } })
  const anna = trader(10_000)
  const day = () => lookBack(eth.day, exchange.nowSeconds)
  expect(day()).toEqual({ count: 0, volumeUsd: 0n, price: units(2_000) })
  trade(anna, eth, 1)
  wait(HOUR, { eth: 2_100 })
  trade(anna, eth, -2)
  expect(day()).toEqual({ count: 2, volumeUsd: units(6_200), price: units(2_000) })
  wait(23 * HOUR)
  expect(day()).toEqual({ count: 1, volumeUsd: units(4_200), price: units(2_000) })
  wait(HOUR, { eth: 2_200 })
  expect(day()).toEqual({ count: 0, volumeUsd: 0n, price: units(2_100) })
})

test('what was traded before its start was traded all over that day, and is over as the day goes on', () => {
  const before = { count: 3_000, volumeUsd: units(777), price: units(2_000) }
  const day = createDay(before, 1_000_000)
  expect(lookBack(day, 1_000_000)).toEqual(before)
  const half = lookBack(day, 1_000_000 + 12 * HOUR)
  expect(half.count).toBe(1_500)
  expect(half.volumeUsd).toBe(units('388.5'))
  expect(lookBack(day, 1_000_000 + 24 * HOUR)).toEqual({ ...before, count: 0, volumeUsd: 0n })
})

test('however often it is traded and its price is set, it keeps an entry a minute', () => {
  const { trader, limit, eth, wait } = stage({ eth: { skewScale: 0n } })
  const anna = trader(10_000)
  for (let count = 0; count < 3_000; count++) {
    limit(anna, eth, count % 2 ? '-0.1' : '0.1', 2_000)
    wait(30, { eth: 2_000 })
  }
  expect(eth.day.trades.length).toBeLessThanOrEqual(1_441)
  expect(eth.day.prices.length).toBeLessThanOrEqual(1_441)
  expect(eth.day.count).toBeGreaterThan(2_870)
  expect(eth.day.count).toBeLessThanOrEqual(2_882)
})
