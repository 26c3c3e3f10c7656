import { describe, expect, test } from 'vitest'

import { formatDecimal } from '../../../../src/venue/amount.ts'
import type { Position } from '../../../../src/venues/sim/exchange/account.ts'
import { deposit } from '../../../../src/venues/sim/exchange/cash.ts'
import { setFundingRate } from '../../../../src/venues/sim/exchange/exchange.ts'
import { setProtectiveOrder } from '../../../../src/venues/sim/exchange/submit.ts'
import { quote } from '../../../../src/venues/sim/exchange/trade.ts'
import { lineOf } from '../../../../src/venues/sim/maths/line.ts'
import { standing } from '../../../../src/venues/sim/maths/margin.ts'
import { cashOf, stage, told, units } from '../../../support/exchange.ts'

describe('an account whose line is crossed', () => {
  test('loses its collateral and its positions at once, and owes nothing', () => {
    const { exchange, trader, trade, limit, eth, btc, wait } = stage()
    const anna = trader(1_000)
    trade(anna, eth, 10)
    trade(anna, btc, '0.001')
    limit(anna, eth, 1, 1_500)
    const left = anna.collateralUsd
    const happened = wait(2, { eth: 1_900 })
    expect(told(happened)).toEqual(['flagged', 'expired: liquidated', 'liquidated', 'liquidated'])
    expect(happened[0]).toMatchObject({ accountId: anna.id, seizedUsd: left, forgivenUsd: 0n })
    expect(happened[2]).toMatchObject({ marketId: '100', size: units(10), left: 0n, price: units(1_900) })
    expect(anna).toMatchObject({ collateralUsd: 0n, debtUsd: 0n, positions: [], isFlagged: false })
    expect([eth.longs, btc.longs]).toEqual([0n, 0n])
    expect(cashOf(exchange)).toBe(exchange.depositedUsd)
  })

  test('goes at its liquidation price, and not one unit of the last place before it', () => {
    const { exchange, trader, trade, eth, wait } = stage()
    const anna = trader(1_000)
    trade(anna, eth, -10)
    const line = lineOf(exchange.terms, anna, anna.positions[0] as Position, exchange.nowSeconds) ?? 0n
    expect(told(wait(0, { eth: formatDecimal(line - 1n) }))).toEqual([])
    expect(told(wait(0, { eth: formatDecimal(line) }))).toEqual(['flagged', 'liquidated'])
  })

  test('pays whoever does it, from what it loses', () => {
    const { exchange, trader, trade, eth, wait } = stage()
    trade(trader(1_000), eth, 10)
    const before = exchange.keepersUsd
    // The flag is worth 0.0003 of 19,000, and its cost is a dollar.
    expect(wait(2, { eth: 1_900 })[0]).toMatchObject({ rewardUsd: units('6.7') })
    expect(exchange.keepersUsd - before).toBe(units('6.7'))
  })

  test('is found by the price of any of its markets', () => {
    const { trader, trade, eth, btc, wait } = stage()
    const anna = trader(2_000)
    trade(anna, eth, 10)
    trade(anna, btc, '-0.2')
    expect(told(wait(10, { btc: 103_000 }))).toEqual([])
    expect(told(wait(10, { eth: 1_950 }))).toEqual([])
    expect(told(wait(10, { btc: 105_500 }))).toEqual(['flagged', 'liquidated', 'liquidated'])
  })

  test('is saved by what another of its positions gains', () => {
    const { trader, trade, eth, btc, wait } = stage()
    const anna = trader(1_000)
    trade(anna, eth, 10)
    trade(anna, btc, '-0.2')
    expect(told(wait(10, { eth: 1_800, btc: 90_000 }))).toEqual([])
    expect(told(wait(10, { btc: 97_000 }))).toEqual(['flagged', 'liquidated', 'liquidated'])
  })

  test('is saved by its stop where that can still be filled, and not where it cannot', () => {
    const { exchange, trader, trade, eth, wait } = stage()
    const [anna, ben] = [trader(1_000), trader(600)]
    const stop = { price: units(1_970), acceptablePrice: units(1_800) }
    for (const one of [anna, ben]) {
      trade(one, eth, 10)
      setProtectiveOrder(exchange, { accountId: one.id, marketId: '100', takeProfit: null, stopLoss: stop })
    }
    expect(told(wait(2, { eth: 1_970 }))).toEqual(['triggered', 'settled', 'triggered', 'settled'])
    trade(ben, eth, 5)
    setProtectiveOrder(exchange, { accountId: ben.id, marketId: '100', takeProfit: null, stopLoss: stop })
    expect(told(wait(2, { eth: 1_860 }))).toEqual(['flagged', 'liquidated'])
    expect(ben.orders).toEqual([])
  })

  test('is found at once, also while a day of funding waits to be written down, which the price makes less of', () => {
    const { exchange, trader, trade, eth, wait } = stage({ eth: { maxFundingVelocity: 0n } })
    const anna = trader(500)
    trade(anna, eth, 10)
    setFundingRate(exchange, eth, units('-0.2'))
    wait(86_400)
    const isLost = (price: bigint) => {
      eth.indexPrice = price
      return standing(exchange.terms, anna, exchange.nowSeconds).isLiquidatable
    }
    let [lost, safe] = [1n, units(2_000)]
    while (safe - lost > 1n) {
      const middle = (lost + safe) / 2n
      if (isLost(middle)) lost = middle
      else safe = middle
    }
    expect(told(wait(0, { eth: formatDecimal(safe) }))).toEqual([])
    expect(told(wait(0, { eth: formatDecimal(lost) }))).toEqual(['flagged', 'liquidated'])
  })

  test('is found at once also where a long needs more than it is worth, and a rise is its end', () => {
    const { exchange, trader, trade, eth, wait } = stage({ eth: { skewScale: units(10) } })
    const anna = trader(110_000)
    trade(anna, eth, 12)
    const line = lineOf(exchange.terms, anna, anna.positions[0] as Position, exchange.nowSeconds) ?? 0n
    expect(line).toBeGreaterThan(eth.indexPrice)
    expect(told(wait(0, { eth: formatDecimal(line - 1n) }))).toEqual([])
    expect(told(wait(0, { eth: formatDecimal(line) }))).toEqual(['flagged', 'liquidated'])
  })

  test('cannot trade its way out of it', () => {
    const { exchange, trader, trade, eth } = stage()
    const anna = trader(1_000)
    trade(anna, eth, 10)
    eth.indexPrice = units(1_900)
    const draft = { account: anna, market: eth, sizeDelta: units(-10), limit: null, acceptablePrice: null }
    expect(quote(exchange, draft).refusal).toBe('liquidatable')
  })
})

describe('a position that is larger than the window', () => {
  // 0.0007 of 100,000 in 30 s are 2,100: a hundredth of that.
  const eth = { liquidationWindowMultiplier: units('0.01') }

  test('goes in parts, each behind the window of the last', () => {
    const { exchange, trader, trade, eth: market, wait, order } = stage({ eth })
    const anna = trader(6_000)
    trade(anna, market, 50)
    expect(wait(2, { eth: 1_900 })[1]).toMatchObject({
      size: units(21),
      left: units(29),
      pnlUsd: units(-5_025),
    })
    expect(anna).toMatchObject({ isFlagged: true, collateralUsd: 0n, positions: [{ size: units(29) }] })
    expect(order(anna, market, -29)).toBe('flagged')
    const none = { takeProfit: null, stopLoss: null }
    expect(setProtectiveOrder(exchange, { accountId: anna.id, marketId: '100', ...none })).toBe('flagged')
    expect(deposit(exchange, anna, units(10_000))).toBe(false)
    expect(told(wait(29))).toEqual([])
    expect(wait(1)).toMatchObject([{ is: 'liquidated', size: units(21), left: units(8) }])
    // Also where the price has come back: it is no longer the account's.
    expect(wait(30, { eth: 2_000 })).toMatchObject([{ size: units(8), left: 0n, pnlUsd: units(800) }])
    expect(anna).toMatchObject({ isFlagged: false, collateralUsd: 0n, debtUsd: 0n, positions: [] })
    expect(cashOf(exchange)).toBe(exchange.depositedUsd)
  })

  test('shares the window with all others of its market', () => {
    const { trader, trade, eth: market, wait } = stage({ eth })
    for (const one of [trader(2_000), trader(2_000)]) trade(one, market, 18)
    const gone = (happened: ReturnType<typeof wait>) =>
      happened.flatMap((one) => (one.is === 'liquidated' ? [one.size] : []))
    expect(gone(wait(2, { eth: 1_900 }))).toEqual([units(18), units(3)])
    expect(gone(wait(30))).toEqual([units(15)])
  })

  test('goes faster where the market is calm enough', () => {
    const calm = { ...eth, maxLiquidationPd: units('0.001') }
    const { trader, trade, eth: market, wait } = stage({ eth: calm })
    trade(trader(6_000), market, 50)
    expect(wait(2, { eth: 1_900 })).toHaveLength(2)
    expect(told(wait(0))).toEqual([])
    expect(wait(1)).toMatchObject([{ left: units(8) }])
    expect(wait(1)).toMatchObject([{ left: 0n }])
  })

  test('goes at once in a market without windows', () => {
    const { trader, trade, eth: market, wait } = stage({ eth: { liquidationWindowMultiplier: 0n } })
    trade(trader(6_000), market, 50)
    expect(wait(2, { eth: 1_900 })[1]).toMatchObject({ size: units(50), left: 0n })
  })
})

describe('the round', () => {
  test('finds within its time whom funding alone has brought to the line', () => {
    const { exchange, trader, trade, eth, wait } = stage({ eth: { maxFundingVelocity: 0n } })
    const anna = trader(600)
    for (let count = 0; count < 9; count++) trader(1)
    trade(anna, eth, 10)
    setFundingRate(exchange, eth, units('0.2'))
    const isLost = () => standing(exchange.terms, anna, exchange.nowSeconds).isLiquidatable
    while (!isLost()) expect(told(wait(60))).toEqual([])
    const seconds = exchange.nowSeconds
    while (anna.positions.length > 0) wait(60)
    expect(exchange.nowSeconds - seconds).toBeLessThanOrEqual(exchange.terms.roundSeconds)
  })

  test('looks at everybody when the venue is moved on by more than its time', () => {
    const { exchange, trader, trade, eth, wait } = stage({ eth: { maxFundingVelocity: 0n } })
    trade(trader(600), eth, 10)
    setFundingRate(exchange, eth, units('0.2'))
    expect(told(wait(86_400))).toEqual(['flagged', 'liquidated'])
  })
})
