import { expect, test } from 'vitest'

import { delistMarket, listMarket } from '../../../../src/venues/sim/doors/listing.ts'
import { cashOf, marketStart, marketTerms, stage, told, units } from '../../../support/exchange.ts'

test('a market that is added can be traded at once', () => {
  const { exchange, trader, trade } = stage()
  const start = marketStart(marketTerms('300', 'Sol'), 150)
  expect(listMarket(exchange, start)).toBe(true)
  expect(listMarket(exchange, start)).toBe(false)
  const market = exchange.markets.get('300')
  if (!market) throw new Error('it is not listed')
  expect(told(trade(trader(1_000), market, 2))).toEqual(['committed', 'settled'])
})

test('a market that is delisted closes what is held at the index, and ends what waits', () => {
  const { exchange, trader, trade, limit, order, eth, btc, wait } = stage({ eth: { skewScale: 0n } })
  const [anna, ben] = [trader(10_000), trader(10_000)]
  trade(anna, eth, 2)
  trade(anna, btc, '0.01')
  limit(ben, eth, 1, 1_500)
  const resting = limit(ben, btc, '0.01', 50_000)
  wait(10, { eth: 2_100 })
  const before = anna.collateralUsd
  const happened = delistMarket(exchange, eth)
  expect(told(happened)).toEqual(['delisted', 'expired: delisted'])
  expect(happened[0]).toMatchObject({ size: units(2), price: units(2_100), pnlUsd: units(200) })
  expect(anna.collateralUsd).toBe(before + units(200))
  expect(anna.positions.map(({ market }) => market)).toEqual([btc])
  expect(ben.orders.filter(({ status }) => status === 'LimitSubmitted')).toEqual([resting])
  expect(order(anna, eth, 1)).toBe('unknown-market')
  expect(cashOf(exchange)).toBe(exchange.depositedUsd)
})

test('an account that was being liquidated there is free again, with nothing', () => {
  const { exchange, trader, trade, eth, wait } = stage({
    eth: { liquidationWindowMultiplier: units('0.01') },
  })
  const anna = trader(6_000)
  trade(anna, eth, 50)
  wait(2, { eth: 1_900 })
  delistMarket(exchange, eth)
  expect(anna).toMatchObject({ isFlagged: false, collateralUsd: 0n, debtUsd: 0n, positions: [] })
  expect(exchange.flagged.size).toBe(0)
  expect(cashOf(exchange)).toBe(exchange.depositedUsd)
})
