import { expect, test } from 'vitest'
import { fundingAt, velocityOf } from '../../../../src/venues/sim/exchange/market.ts'
import { setFundingRate } from '../../../../src/venues/sim/exchange/exchange.ts'
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
