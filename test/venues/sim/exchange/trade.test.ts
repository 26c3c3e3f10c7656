import { describe, expect, test } from 'vitest'

import type { Account } from '../../../../src/venues/sim/exchange/account.ts'
import { setFundingRate } from '../../../../src/venues/sim/exchange/exchange.ts'
import type { Market } from '../../../../src/venues/sim/exchange/market.ts'
import { lineAfter, quote, standingAfter } from '../../../../src/venues/sim/exchange/trade.ts'
import { accruedFunding } from '../../../../src/venues/sim/maths/amm.ts'
import { cashOf, stage, units } from '../../../support/exchange.ts'

const draft = (account: Account, market: Market, size: number | string) => ({
  ...{ account, market, sizeDelta: units(size), limit: null, acceptablePrice: null },
})

describe('an order', () => {
  test('costs its fee and the settlement reward, from the collateral', () => {
    const { exchange, trader, trade, eth } = stage()
    const anna = trader(10_000)
    // 10 at 2,000.1 are 20,001: taker, five basis points.
    expect(trade(anna, eth, 10)).toMatchObject([{}, { feesUsd: units('10.1005') }])
    expect(anna.collateralUsd).toBe(units('9989.8995'))
    expect(exchange.poolUsd).toBe(units('10.0005'))
    expect(exchange.keepersUsd).toBe(units('0.1'))
  })

  test('realises the gain of what was held at its own fill, and the funding', () => {
    const { trader, trade, eth, wait } = stage({ eth: { maxFundingVelocity: 0n } })
    const anna = trader(10_000)
    trade(anna, eth, 10)
    wait(60, { eth: 2_100 })
    // From 2,000.1 to 2,100.0945 with nine left to sell: (10 + 1) / 2 of the scale of 100,000 in premium.
    expect(trade(anna, eth, -1)[1]).toMatchObject({
      fillPrice: units('2100.1995'),
      pnlUsd: units('1000.995'),
    })
    expect(anna.positions[0]).toMatchObject({
      ...{ size: units(9), avgEntryPrice: units('2000.1'), latestInteractionPrice: units('2100.1995') },
      realisedPnlUsd: units('1000.995'),
    })
  })

  test('pays the funding of the time in between', () => {
    const { exchange, trader, trade, eth, wait } = stage({ eth: { maxFundingVelocity: 0n } })
    const anna = trader(10_000)
    trade(anna, eth, 10)
    setFundingRate(exchange, eth, units('0.001'))
    wait(86_400 - 2)
    // A day at a thousandth of 20,000, cut by the truncation of the two parts that the order's way makes of it.
    const segmentsSeconds = [86_399n, 1n]
    const fundingUsd = accruedFunding({
      ...{ ...eth.terms, positionSize: units(10), indexPrice: units(2_000), skew: units(10) },
      ...{ prevRate: units('0.001'), segmentsSeconds },
    })
    expect(fundingUsd + units(20)).toBeLessThan(units('0.000001'))
    expect(trade(anna, eth, -10)[1]).toMatchObject({ fundingUsd, size: 0n })
  })

  test('that adds makes the entry an average by size, and keeps the time of the first', () => {
    const { exchange, trader, trade, eth, wait } = stage({ eth: { skewScale: 0n } })
    const anna = trader(10_000)
    trade(anna, eth, -3)
    const enteredAtSeconds = exchange.nowSeconds
    wait(60, { eth: 2_100 })
    trade(anna, eth, -1)
    expect(anna.positions[0]).toMatchObject({
      ...{ size: units(-4), avgEntryPrice: units(2_025), realisedPnlUsd: units(-300), enteredAtSeconds },
      ...{ volumeUsd: units(8_100), feesUsd: units('4.25') },
    })
    // What is not realised yet counts from the last fill; both together from the average.
    expect(multiplied(-4, 2_100 - 2_025)).toBe(anna.positions[0]?.realisedPnlUsd)
  })

  test('that turns a position round begins a new one', () => {
    const { trader, trade, eth, wait, exchange } = stage({ eth: { skewScale: 0n } })
    const anna = trader(10_000)
    trade(anna, eth, 3)
    wait(60, { eth: 2_100 })
    trade(anna, eth, -5)
    expect(anna.positions).toMatchObject([
      {
        ...{ size: units(-2), avgEntryPrice: units(2_100), realisedPnlUsd: 0n },
        ...{ enteredAtSeconds: exchange.nowSeconds, volumeUsd: units(4_200) },
      },
    ])
    expect([eth.longs, eth.shorts]).toEqual([0n, units(2)])
  })

  test('that loses more than the collateral leaves a debt, which the next gain pays first', () => {
    const { exchange, trader, trade, eth, btc, wait } = stage()
    const anna = trader(1_000)
    trade(anna, eth, 10)
    trade(anna, btc, '0.2')
    // What BTC gains carries the account, but is no collateral.
    wait(10, { eth: 1_850, btc: 125_000 })
    trade(anna, eth, -10)
    expect(anna.collateralUsd).toBe(0n)
    expect(anna.debtUsd).toBeGreaterThan(units(500))
    expect(cashOf(exchange)).toBe(exchange.depositedUsd)
    trade(anna, btc, '-0.2')
    expect(anna.debtUsd).toBe(0n)
    expect(anna.collateralUsd).toBeGreaterThan(units(4_000))
    expect(cashOf(exchange)).toBe(exchange.depositedUsd)
  })
})

describe('a preview', () => {
  test('shows what would be, also of an order that is refused', () => {
    const { exchange, trader, eth } = stage()
    const anna = trader(1_000)
    const asked = quote(exchange, draft(anna, eth, 100))
    expect(asked).toMatchObject({ refusal: 'margin', fillPrice: units(2_001) })
    expect(asked.orderFeeUsd).toBe(units('100.05'))
    expect(anna.collateralUsd).toBe(units(1_000))
    expect(eth.longs).toBe(0n)
  })

  test('says where the position would be liquidated, and nothing where it could not be', () => {
    const { exchange, trader, eth } = stage()
    const anna = trader(1_000)
    const line = lineAfter(exchange, quote(exchange, draft(anna, eth, 5))) ?? 0n
    expect(line).toBeGreaterThan(units(1_800))
    expect(line).toBeLessThan(units(1_850))
    expect(lineAfter(exchange, quote(exchange, draft(anna, eth, '0.1')))).toBeNull()
  })

  test('counts what the account holds elsewhere', () => {
    const { exchange, trader, trade, eth, btc } = stage()
    const anna = trader(3_000)
    const alone = lineAfter(exchange, quote(exchange, draft(anna, eth, 10))) ?? 0n
    trade(anna, btc, '0.5')
    const asked = quote(exchange, draft(anna, eth, 10))
    expect(asked.refusal).toBeNull()
    expect(standingAfter(exchange, asked).initialMargin).toBeGreaterThan(units(1_400))
    expect(lineAfter(exchange, asked)).toBeGreaterThan(alone)
  })
})

describe('the venue refuses', () => {
  test('more than one side of a market may hold, in units', () => {
    const { exchange, trader, trade, eth } = stage({ eth: { maxMarketSize: units(10) } })
    trade(trader(100_000), eth, 6)
    const ben = trader(100_000)
    expect(quote(exchange, draft(ben, eth, 5)).refusal).toBe('market-size')
    expect(quote(exchange, draft(ben, eth, 4)).refusal).toBeNull()
    expect(quote(exchange, draft(ben, eth, -10)).refusal).toBeNull()
  })

  test('more than one side of a market may hold, in USD, however small it was when the price was lower', () => {
    const { exchange, trader, trade, eth, wait } = stage({ eth: { maxMarketValue: units(20_000) } })
    const anna = trader(100_000)
    trade(anna, eth, 9)
    wait(10, { eth: 2_500 })
    expect(quote(exchange, draft(anna, eth, '0.1')).refusal).toBe('market-value')
    expect(quote(exchange, draft(anna, eth, -8)).refusal).toBeNull()
  })

  test('what an account cannot carry, but never that it carries less', () => {
    const { exchange, trader, trade, eth, wait } = stage()
    const anna = trader(420)
    trade(anna, eth, 8)
    wait(10, { eth: 1_975 })
    expect(quote(exchange, draft(anna, eth, 1)).refusal).toBe('margin')
    expect(quote(exchange, draft(anna, eth, -4)).refusal).toBeNull()
    expect(quote(exchange, draft(anna, eth, -8)).refusal).toBeNull()
    expect(quote(exchange, draft(anna, eth, -16)).refusal).toBe('margin')
  })

  test('a fill at no price above zero', () => {
    const { exchange, trader, eth } = stage({ eth: { skewScale: units(10), maxMarketSize: units(1_000) } })
    expect(quote(exchange, draft(trader('1e9'), eth, -20)).refusal).toBe('no-price')
  })
})

const multiplied = (size: number, by: number) => units(size * by)
