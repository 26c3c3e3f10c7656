import { describe, expect, test } from 'vitest'

import * as amm from '../../../src/venues/sim/maths/amm.ts'
import * as liquidation from '../../../src/venues/sim/maths/liquidation.ts'
import { units } from '../../support/exchange.ts'

// Worked by hand from the formulas, with numbers that can be followed on paper: the sum stands above what it comes to. Nothing here
// was taken from what the code said.

describe('a market at 100 USD with a scale of 1,000, in which longs hold 10 more than shorts', () => {
  const market = { indexPrice: units(100), skew: units(10), skewScale: units(1_000) }
  const fees = { makerFee: units('0.001'), takerFee: units('0.003') }
  const velocity = { skew: units(10), skewScale: units(1_000), maxFundingVelocity: units(9) }

  test('fills a purchase of 20 at 102', () => {
    // The premium is 10 / 1,000 = 1% before and 30 / 1,000 = 3% after: (101 + 103) / 2.
    expect(amm.fillPrice({ ...market, sizeDelta: units(20) })).toBe(units(102))
  })

  test('fills a sale of 20 at the index: half of it has a premium, half of it the same discount', () => {
    // 10 / 1,000 = 1% before, −10 / 1,000 = −1% after: (101 + 99) / 2.
    expect(amm.fillPrice({ ...market, sizeDelta: units(-20) })).toBe(units(100))
  })

  test('cuts what is behind the last digit, of a discount as of a premium', () => {
    // 2 of 3 is 0.666…6, not …7. Of a price of one last place that is nothing: (1 + 1) / 2, with a premium as with a discount.
    const least = { indexPrice: 1n, skewScale: 3n, skew: 2n, sizeDelta: 0n }
    expect(amm.fillPrice(least)).toBe(1n)
    expect(amm.fillPrice({ ...least, skew: -2n })).toBe(1n)
    // Of a price of three: 3 × 0.666…6 = 1.999…8 is cut to 1, so it is 3 + 1 or 3 − 1.
    expect(amm.fillPrice({ ...least, indexPrice: 3n })).toBe(4n)
    expect(amm.fillPrice({ ...least, indexPrice: 3n, skew: -2n })).toBe(2n)
  })

  test('takes 6.12 for a purchase of 20: it adds to the skew', () => {
    // 20 × 102 × 0.003 = 2,040 × 0.003.
    expect(amm.orderFee({ ...market, ...fees, sizeDelta: units(20) })).toBe(units('6.12'))
  })

  test('takes 1.005 for a sale of 10: it takes the skew away, and nothing more', () => {
    // (101 + 100) / 2 = 100.5, and 10 × 100.5 × 0.001.
    expect(amm.orderFee({ ...market, ...fees, sizeDelta: units(-10) })).toBe(units('1.005'))
  })

  test('takes 4 for a sale of 20: the first ten take the skew away, the next ten make one', () => {
    // At 100: 10 × 100 × 0.001 = 1, and 10 × 100 × 0.003 = 3.
    expect(amm.orderFee({ ...market, ...fees, sizeDelta: units(-20) })).toBe(units(4))
  })

  test('takes the fee of what is traded also where the skew is so large that the price is negative', () => {
    // −3,000 / 1,000: 100 × (1 − 3) = −200 before, and with 100 more −190 after: −195. What changes hands, 100 × −195 = −19,500,
    // has the sign of the skew, which is the taker's: 19,500 × 0.003.
    const absurd = { ...market, ...fees, skew: units(-3_000), sizeDelta: units(100) }
    expect(amm.fillPrice(absurd)).toBe(units(-195))
    expect(amm.orderFee(absurd)).toBe(units('58.5'))
  })

  test('gains 0.09 in the rate of a day each day', () => {
    // 10 / 1,000 × 9; and where the skew is twice the scale, the whole of 9.
    expect(amm.fundingVelocity(velocity)).toBe(units('0.09'))
    expect(amm.fundingVelocity({ ...velocity, skew: units(-2_000) })).toBe(units(-9))
  })

  test('comes from −0.01 a day to 0.035 in half a day', () => {
    // −0.01 + 0.09 × 0.5.
    const half = { ...velocity, prevRate: units('-0.01'), seconds: 43_200n }
    expect(amm.fundingRate(half)).toBe(units('0.035'))
  })

  test('takes 0.625 USD from a long of one unit on the way', () => {
    // −(−0.01 + 0.035) / 2 = −0.0125 a day; × 0.5 days × 100 USD.
    const since = { prevRate: units('-0.01'), rate: units('0.035'), seconds: 43_200n, indexPrice: units(100) }
    expect(amm.fundingPerUnit(since)).toBe(units('-0.625'))
  })

  test('takes 7 USD from a long of 2 in a day that is written down at noon, and gives them to a short', () => {
    // Morning: −0.01 → 0.035, −0.625 a unit. Afternoon: 0.035 → 0.08, −0.0575 × 0.5 × 100 = −2.875. Together −3.5 a unit.
    const day = {
      ...{ ...velocity, indexPrice: units(100), prevRate: units('-0.01') },
      segmentsSeconds: [43_200n, 43_200n],
    }
    expect(amm.accruedFunding({ ...day, positionSize: units(2) })).toBe(units(-7))
    expect(amm.accruedFunding({ ...day, positionSize: units(-2) })).toBe(units(7))
  })
})

describe('a short of 5 that was filled at 110 and stands at 100', () => {
  const terms = {
    skewScale: units(1_000),
    ...{ initialMarginRatio: units(2), minimumInitialMarginRatio: units('0.02') },
    ...{ maintenanceMarginScalar: units('0.5'), minimumPositionMargin: units(1) },
  }
  const keeper = {
    ...{ minKeeperRewardUsd: units(1), minKeeperProfitRatio: units('0.5') },
    ...{ maxKeeperRewardUsd: units(20), maxKeeperScalingRatio: units('0.1') },
  }
  const held = { size: units(-5), price: units(100), latestInteractionPrice: units(110) }

  test('has gained 47: by the price, by funding, less interest', () => {
    // −5 × (100 − 110) = 50; less 2 of funding and 1 of interest.
    expect(amm.pnl({ ...held, accruedFunding: units(-2), interest: units(1) })).toBe(units(47))
  })

  test('needs 16 to be opened, and 8.5 to be kept', () => {
    // 5 / 1,000 × 2 + 0.02 = 3% of 500 and 1; half of the 3% of 500 and 1.
    expect(liquidation.margins({ ...terms, ...held })).toEqual({
      ...{ initialMargin: units(16), maintenanceMargin: units('8.5') },
    })
  })

  test('is liquidatable with 10.49 where 8.5 are to be kept and the keeper gets 2, and not with 10.5', () => {
    const asked = { maintenanceMargin: units('8.5'), liquidationReward: units(2) }
    expect(liquidation.isLiquidatable({ ...asked, availableMargin: units('10.49') })).toBe(true)
    expect(liquidation.isLiquidatable({ ...asked, availableMargin: units('10.5') })).toBe(false)
  })

  test.each([
    // flag + cost = 7 is more than the least profit: max(4 + 1, 4 × 1.5) = 6.
    ['the flag and the cost', 3, 4, 1_000, 7],
    // flag + cost = 5 is less than 6.
    ['the least profit', 1, 4, 1_000, 6],
    // A tenth of the collateral: 5 is less than 7.
    ['what the collateral allows', 3, 4, 50, 5],
    // Nobody gets more than 20, whatever the flag of 30 says.
    ['the most that anybody gets', 30, 4, 1_000, 20],
    // Without collateral the cap is not scaled.
    ['the flag and the cost, where nothing is left', 3, 4, 0, 7],
  ])('pays the keeper %s', (_, flag, cost, collateral, reward) => {
    const seized = { flagReward: units(flag), executionCostWei: units(cost) }
    const asked = { ...keeper, ...seized, seizedCollateralUsd: units(collateral) }
    expect(liquidation.liquidationReward(asked)).toBe(units(reward))
  })

  test('pays 14 for an account that takes three windows', () => {
    // First: the flag is max(3, 1,000 × 0.005 = 5) = 5, the cost 1 + 2 = 3: 8. Each of two more: max(2 + 1, 2 × 1.5) = 3.
    const account = {
      ...{ ...keeper, flagReward: units(3), collateralUsd: units(1_000), windows: 3n },
      ...{ collateralLiquidateRewardRatio: units('0.005') },
      ...{ flagExecutionCost: units(1), liquidateExecutionCost: units(2) },
    }
    expect(liquidation.accountLiquidationReward(account)).toBe(units(14))
  })

  test('goes by 2 at most in ten seconds, all that is in the market together', () => {
    // (0.001 + 0.003) × 1,000 × 0.05 = 0.2 a second.
    const capacity = liquidation.maxLiquidationAmountInWindow({
      ...{ makerFee: units('0.001'), takerFee: units('0.003'), skewScale: units(1_000) },
      ...{ multiplier: units('0.05'), windowSeconds: 10n },
    })
    expect(capacity).toBe(units(2))
    // 0.5 went nine seconds ago and 1 ten seconds ago: that one is out of the window. 2 − 0.5.
    const done = [
      { atSeconds: 90n, size: units(1) },
      { atSeconds: 91n, size: units('0.5') },
    ]
    const now = { size: units(-5), capacity, windowSeconds: 10n, nowSeconds: 100n, done }
    expect(liquidation.liquidatableNow(now)).toBe(units('1.5'))
    expect(liquidation.liquidatableNow({ ...now, size: units('-0.3') })).toBe(units('0.3'))
  })
})

describe('the liquidation price, where the keeper gets 6 whatever happens', () => {
  // Cost 4 and at least half of it as profit; no flag.
  const account = {
    ...{ skewScale: 0n, initialMarginRatio: 0n, minimumInitialMarginRatio: units('0.1') },
    ...{ maintenanceMarginScalar: units('0.5'), minimumPositionMargin: units(1) },
    ...{ minKeeperRewardUsd: units(1), minKeeperProfitRatio: units('0.5') },
    ...{ maxKeeperRewardUsd: units(100), maxKeeperScalingRatio: units(1) },
    ...{ flagRewardRatio: 0n, collateralLiquidateRewardRatio: 0n, windows: 1n },
    ...{ flagExecutionCost: units(2), liquidateExecutionCost: units(2) },
    ...{ price: units(100), latestInteractionPrice: units(100), accruedFunding: 0n, interest: 0n },
    ...{ collateralUsd: units(102), otherAvailableMargin: units(102) },
    ...{ otherMaintenanceMargin: 0n, otherFlagReward: 0n },
  }
  const last = 1n

  test('of a long of 2 is just below 55.26…', () => {
    // 102 + 2 × (P − 100) = 2 × P × 0.05 + 1 + 6, so P = (200 + 7 − 102) / (2 − 0.1) = 105 / 1.9 = 55.263…: there it is exactly
    // enough, and what is asked may be cut by two last digits.
    const line = liquidation.liquidationPrice({ ...account, size: units(2) }) ?? 0n
    const exact = units('55.263157894736842105')
    expect(exact - line).toBeGreaterThanOrEqual(0n)
    expect(exact - line).toBeLessThanOrEqual(2n * last)
  })

  test('of a short of 2 is one last digit above 140.476…', () => {
    // 102 + 2 × (100 − P) = 2 × P × 0.05 + 1 + 6, so P = (200 + 102 − 7) / (2 + 0.1) = 295 / 2.1 = 140.476…
    const line = liquidation.liquidationPrice({ ...account, size: units(-2) }) ?? 0n
    const exact = units('140.476190476190476190')
    expect(line - exact).toBeGreaterThanOrEqual(0n)
    expect(line - exact).toBeLessThanOrEqual(2n * last)
  })

  test('of a long of 2 is 100 less one last digit where nothing is spare at 100', () => {
    // Kept: 2 × 100 × 0.05 + 1 + 6 = 17, and 17 is there.
    const bare = { ...account, collateralUsd: units(17), otherAvailableMargin: units(17), size: units(2) }
    expect(liquidation.liquidationPrice(bare)).toBe(units(100) - last)
  })

  test('is nowhere for a long of 1: it cannot lose more than 100', () => {
    // At 0 it has 102 − 100 = 2, and would need 1 + 6 = 7: somewhere. With 110 it has 10: nowhere.
    const [poor, rich] = [
      account,
      { ...account, collateralUsd: units(110), otherAvailableMargin: units(110) },
    ]
    expect(liquidation.liquidationPrice({ ...poor, size: units(1) })).not.toBeNull()
    expect(liquidation.liquidationPrice({ ...rich, size: units(1) })).toBeNull()
  })

  test('counts what the account has and needs elsewhere', () => {
    // As for the short of 2, with 10 more to have and 4 more to keep: (200 + 112 − 11) / 2.1 = 301 / 2.1 = 143.333…
    const more = { otherAvailableMargin: units(112), otherMaintenanceMargin: units(4) }
    const line = liquidation.liquidationPrice({ ...account, ...more, size: units(-2) }) ?? 0n
    expect(line - units('143.333333333333333333')).toBeGreaterThanOrEqual(0n)
    expect(line - units('143.333333333333333333')).toBeLessThanOrEqual(2n * last)
  })

  test('of a long that must keep more than it is worth lies above it', () => {
    // 1.5 of its worth are to be kept, 310 in all: 310 + 2 × (P − 100) = 2 × P × 1.5 + 7, so P = 310 − 200 − 7 = 103.
    const heavy = { ...account, minimumInitialMarginRatio: units(3), otherAvailableMargin: units(310) }
    expect(liquidation.liquidationPrice({ ...heavy, size: units(2) })).toBe(units(103) + last)
    // And at 104 it is lost already: it lies behind.
    expect(liquidation.liquidationPrice({ ...heavy, size: units(2), price: units(104) })).toBe(
      units(103) + last,
    )
  })

  test('of the least short that a fortune guards is as far away as that: 10^27 USD and more', () => {
    // −1 last place of a unit loses 10^-18 USD a dollar: (10^9 − 7) USD / 10^-18, without what is kept of it (5%): ÷ 1.05.
    const fortune = { ...account, collateralUsd: units('1e9'), otherAvailableMargin: units('1e9') }
    const line = liquidation.liquidationPrice({ ...fortune, size: -1n }) ?? 0n
    expect(Number(line) / 1e18).toBeCloseTo((1e9 - 7) / 1.05e-18, -16)
  })
})
