import { expect, test } from 'vitest'

import { setFundingRate } from '../../../../src/venues/sim/exchange/exchange.ts'
import { fundingAt, resize, velocityOf } from '../../../../src/venues/sim/exchange/market.ts'
import { stage, units } from '../../../support/exchange.ts'

test('funding runs towards the side that holds more, as fast as it holds more', () => {
  const { exchange, trader, trade, eth, wait } = stage()
  trade(trader(1_000_000), eth, 100)
  // 100 of 100,000, nine times a day.
  expect(velocityOf(eth)).toBe(units('0.009'))
  wait(86_400)
  expect(fundingAt(eth, exchange.nowSeconds).rate).toBe(units('0.009'))
  trade(trader(1_000_000), eth, -150)
  expect(velocityOf(eth)).toBe(units('-0.0045'))
})

test('funding stays where it is in a market that nobody is in', () => {
  const { exchange, eth, wait } = stage()
  setFundingRate(exchange, eth, units('-0.002'))
  wait(10 * 86_400)
  expect(fundingAt(eth, exchange.nowSeconds).rate).toBe(units('-0.002'))
})

test('funding is never what it was before something changed, however often it was asked for in the same second', () => {
  const { exchange, trader, trade, eth, wait } = stage()
  trade(trader(1_000_000), eth, 100)
  wait(3_600)
  const seconds = exchange.nowSeconds
  const fresh = (at: number) => fundingAt({ ...eth, accrued: null }, at)
  const changes = [
    () => (eth.indexPrice += units('1')),
    () => resize(eth, 0n, units('7')),
    () => resize(eth, 0n, units('-11')),
    () => (eth.fundingRate += units('0.0003')),
    () => (eth.fundingValue += units('0.5')),
    () => (eth.fundingAtSeconds -= 60),
  ]
  for (const change of changes) {
    const before = fundingAt(eth, seconds)
    change()
    const { rate, value } = fundingAt(eth, seconds)
    expect([rate, value]).toEqual([fresh(seconds).rate, fresh(seconds).value])
    expect([rate, value]).not.toEqual([before.rate, before.value])
  }
  const later = fundingAt(eth, seconds + 1)
  expect([later.rate, later.value]).toEqual([fresh(seconds + 1).rate, fresh(seconds + 1).value])
})
