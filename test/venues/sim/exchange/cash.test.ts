import { expect, test } from 'vitest'

import { deposit, withdraw } from '../../../../src/venues/sim/exchange/cash.ts'
import { standing, withdrawable } from '../../../../src/venues/sim/maths/margin.ts'
import { cashOf, stage, told, units } from '../../../support/exchange.ts'

test('what no position needs can be withdrawn, and not one unit of the last place more', () => {
  const { exchange, trader, trade, eth } = stage()
  const anna = trader(1_000)
  trade(anna, eth, 5)
  const free = withdrawable(exchange.terms, anna, exchange.nowSeconds)
  expect(withdraw(exchange, anna, free + 1n)).toBe(false)
  expect(withdraw(exchange, anna, 0n)).toBe(false)
  expect(withdraw(exchange, anna, free)).toBe(true)
  const now = standing(exchange.terms, anna, exchange.nowSeconds)
  expect(now.availableMargin).toBeGreaterThanOrEqual(now.initialMargin + now.liquidationReward)
  expect(cashOf(exchange)).toBe(exchange.depositedUsd)
})

test('all of it can be withdrawn where nothing is held', () => {
  const { exchange, trader } = stage()
  const anna = trader(1_000)
  expect(withdraw(exchange, anna, units(1_000))).toBe(true)
  expect(anna.collateralUsd).toBe(0n)
  expect(exchange.depositedUsd).toBe(0n)
})

test('who takes out all that may go is not liquidated for it, also where a gain would carry the position alone', () => {
  const { exchange, trader, trade, eth, wait } = stage({ eth: { skewScale: 0n } })
  const anna = trader('3.5')
  trade(anna, eth, '0.04')
  wait(10, { eth: 2_082.5 })
  // A gain of 3.3 where 0.04 × 2,082.5 × 0.02 + 1 = 2.666 must be there. A tenth of the collateral of 3.36 is the keeper’s, 0.336; of
  // no collateral he would get 2: with the 1.833 that must be kept that is more than 3.3.
  expect(anna.collateralUsd).toBe(units('3.36'))
  const free = withdrawable(exchange.terms, anna, exchange.nowSeconds)
  expect(free).toBe(anna.collateralUsd - 1n)
  expect(withdraw(exchange, anna, anna.collateralUsd)).toBe(false)
  expect(withdraw(exchange, anna, free)).toBe(true)
  expect(told(wait(3_600))).toEqual([])
})

test('a gain that is not realised is no collateral', () => {
  const { exchange, trader, trade, eth, wait } = stage()
  const anna = trader(1_000)
  trade(anna, eth, 5)
  wait(10, { eth: 4_000 })
  expect(withdrawable(exchange.terms, anna, exchange.nowSeconds)).toBe(anna.collateralUsd)
})

test('a deposit saves the account in time', () => {
  const { exchange, trader, trade, eth, wait } = stage()
  const [anna, ben] = [trader(1_000), trader(1_000)]
  trade(anna, eth, 10)
  trade(ben, eth, 10)
  expect(deposit(exchange, anna, units(1_000))).toBe(true)
  expect(deposit(exchange, anna, 0n)).toBe(false)
  expect(told(wait(10, { eth: 1_910 }))).toEqual(['flagged', 'liquidated'])
  expect(anna.positions).toHaveLength(1)
})

test('a debt is paid by a deposit first, and lets nothing out', () => {
  const { exchange, trader, trade, eth, btc, wait } = stage()
  const anna = trader(1_000)
  trade(anna, eth, 10)
  trade(anna, btc, '0.2')
  wait(10, { eth: 1_850, btc: 125_000 })
  trade(anna, eth, -10)
  const owed = anna.debtUsd
  expect(owed).toBeGreaterThan(0n)
  expect(withdrawable(exchange.terms, anna, exchange.nowSeconds)).toBe(0n)
  const pool = exchange.poolUsd
  deposit(exchange, anna, owed + 5n)
  expect([anna.debtUsd, anna.collateralUsd, exchange.poolUsd - pool]).toEqual([0n, 5n, owed])
  expect(cashOf(exchange)).toBe(exchange.depositedUsd)
})
