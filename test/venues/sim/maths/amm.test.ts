import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { magnitude, multiply, ONE } from '../../../../src/venue/amount.ts'
import * as amm from '../../../../src/venues/sim/maths/amm.ts'
import * as liquidation from '../../../../src/venues/sim/maths/liquidation.ts'
import type { Json } from '../../../support/sim.ts'

const units = (value: number) => BigInt(Math.round(value * 1e9)) * 10n ** 9n

describe('what an order fills at', () => {
  test('is the index, moved by half of what the order does to the skew', () => {
    const order = { indexPrice: units(1_000), skew: 0n, skewScale: units(100_000) }
    expect(amm.fillPrice({ ...order, sizeDelta: units(1) })).toBe(units(1_000.005))
    expect(amm.fillPrice({ ...order, sizeDelta: units(-1) })).toBe(units(999.995))
  })

  test('is the index itself where the skew has no scale', () => {
    expect(amm.fillPrice({ indexPrice: 7n, sizeDelta: ONE, skew: ONE, skewScale: 0n })).toBe(7n)
  })

  test('does not depend on whether it is done in one order or in two', () => {
    fc.assert(
      fc.property(size(), size(), size(), price(), (first, second, skew, indexPrice) => {
        const market = { indexPrice, skewScale: units(1_000_000) }
        const cost = (sizeDelta: bigint, from: bigint) =>
          multiply(sizeDelta, amm.fillPrice({ ...market, sizeDelta, skew: from }))
        const whole = cost(first + second, skew)
        const parts = cost(first, skew) + cost(second, skew + first)
        // A share of the skew lacks less than one unit of the last place, a price so many as it has dollars, and one more.
        const lacks = (size: bigint) => (magnitude(size) * (indexPrice / ONE + 2n)) / ONE + 1n
        expect(magnitude(whole - parts)).toBeLessThanOrEqual(
          lacks(first) + lacks(second) + lacks(first + second),
        )
      }),
    )
  })
})

describe('what an order costs', () => {
  const market = {
    ...{ indexPrice: units(100), skew: units(35), skewScale: units(100_000) },
    ...{ makerFee: units(0.001), takerFee: units(0.003) },
  }

  test('taker with the skew, maker against it, and both where it turns the skew round', () => {
    const flat = { ...market, skewScale: 0n }
    expect(amm.orderFee({ ...flat, sizeDelta: units(10) })).toBe(units(3))
    expect(amm.orderFee({ ...flat, sizeDelta: units(-10) })).toBe(units(1))
    expect(amm.orderFee({ ...flat, sizeDelta: units(-70) })).toBe(units(14))
  })

  test('is taker in a market without skew, whatever the side', () => {
    const flat = { ...market, skew: 0n, skewScale: 0n }
    expect(amm.orderFee({ ...flat, sizeDelta: units(-10) })).toBe(units(3))
  })
})

describe('funding', () => {
  const market = { skewScale: units(10_000), maxFundingVelocity: units(3) }

  test('gains speed with the skew, up to the whole scale', () => {
    expect(amm.fundingVelocity({ ...market, skew: units(20) })).toBe(units(0.006))
    expect(amm.fundingVelocity({ ...market, skew: units(-99_999) })).toBe(units(-3))
    expect(amm.fundingVelocity({ ...market, skew: units(20), skewScale: 0n })).toBe(0n)
  })

  test('stays where it is without skew', () => {
    const rate = amm.fundingRate({ ...market, skew: 0n, prevRate: units(0.01), seconds: 864_000n })
    expect(rate).toBe(units(0.01))
  })

  test('is paid by one side to the other, but for what the market itself is owed', () => {
    fc.assert(
      fc.property(size(), size(), price(), seconds(), (long, short, indexPrice, elapsed) => {
        const held = { ...market, indexPrice, prevRate: units(0.01), segmentsSeconds: [elapsed] }
        const [longs, shorts] = [magnitude(long), -magnitude(short)]
        const skew = longs + shorts
        const of = (positionSize: bigint) => amm.accruedFunding({ ...held, skew, positionSize })
        expect(magnitude(of(longs) + of(shorts) - of(skew))).toBeLessThanOrEqual(2n)
      }),
    )
  })
})

describe('an account', () => {
  const terms = {
    skewScale: units(100_000),
    ...{ initialMarginRatio: units(2), minimumInitialMarginRatio: units(0.02) },
    ...{ maintenanceMarginScalar: units(0.5), minimumPositionMargin: units(5) },
    ...{ minKeeperRewardUsd: units(1), minKeeperProfitRatio: units(0.3) },
    ...{ maxKeeperRewardUsd: units(100), maxKeeperScalingRatio: units(0.01) },
    ...{ collateralLiquidateRewardRatio: units(0.0003), flagRewardRatio: units(0.0003) },
    ...{ flagExecutionCost: units(0.5), liquidateExecutionCost: units(0.5), windows: 1n },
    ...{ accruedFunding: 0n, interest: 0n },
  }
  const held = (size: bigint, latestInteractionPrice: bigint, collateralUsd: bigint) => ({
    ...terms,
    ...{ size, price: latestInteractionPrice, latestInteractionPrice, collateralUsd },
    ...{ otherAvailableMargin: collateralUsd, otherMaintenanceMargin: 0n, otherFlagReward: 0n },
  })

  test('needs more for what is large beside the market', () => {
    const asked = liquidation.margins({ ...terms, size: units(-1_000), price: units(10) })
    expect(asked).toEqual({ initialMargin: units(405), maintenanceMargin: units(205) })
    expect(liquidation.margins({ ...terms, size: 0n, price: units(10) }).maintenanceMargin).toBe(0n)
  })

  test('is liquidatable from its liquidation price on, and not one unit of the last place before it', () => {
    fc.assert(
      fc.property(size(), price(), leverage(), (some, entry, times) => {
        const size = some === 0n ? ONE : some
        const collateral = multiply(magnitude(size), entry) / BigInt(times) + units(100)
        const account = held(size, entry, collateral)
        const line = liquidation.liquidationPrice(account)
        const gone = (price: bigint) => liquidation.isLiquidatable(at(account, price))
        if (line === null) expect(gone(1n)).toBe(gone(entry))
        else expect([gone(line), gone(line + (size > 0n ? 1n : -1n))]).toEqual([true, false])
      }),
    )
  })

  test('has none where the collateral pays for all that can be lost', () => {
    expect(liquidation.liquidationPrice(held(ONE, units(100), units(10_000)))).toBeNull()
    expect(liquidation.liquidationPrice(held(0n, units(100), units(1)))).toBeNull()
  })

  test('that is lost already has it behind the price of now', () => {
    const line = liquidation.liquidationPrice(held(units(10), units(100), units(12))) ?? 0n
    expect(line).toBeGreaterThan(units(100))
  })

  function at(account: ReturnType<typeof held>, price: bigint) {
    const notional = multiply(magnitude(account.size), price)
    const flagReward = multiply(notional, account.flagRewardRatio)
    return {
      availableMargin: account.otherAvailableMargin + amm.pnl({ ...account, price }),
      maintenanceMargin: liquidation.margins({ ...account, price }).maintenanceMargin,
      liquidationReward: liquidation.accountLiquidationReward({ ...account, flagReward }),
    }
  }
})

const size = () => fc.bigInt(-(10n ** 23n), 10n ** 23n)
const price = () => fc.bigInt(10n ** 12n, 10n ** 23n)
const seconds = () => fc.bigInt(0n, 864_000n)
const leverage = () => fc.integer({ min: 1, max: 40 })

const FILE = fileURLToPath(new URL('../../../../../shared/reference/venue-vectors.json', import.meta.url))

describe.skipIf(!existsSync(FILE))('the vectors that nobody here made up', () => {
  const { vectors }: { vectors: Vector[] } = existsSync(FILE)
    ? JSON.parse(readFileSync(FILE, 'utf8'))
    : { vectors: [] }

  test.for(vectors)('$id', ({ formula, input, expected, tolerance }) => {
    const found = ADAPTERS[formula]?.(input)
    expect(found).toBeDefined()
    near(found, expected, Number(tolerance))
  })
})

interface Vector {
  id: string
  formula: string
  input: Json
  expected: Json
  tolerance: string
}

/** Every number of what is expected is found, to the last digit or within a tolerance in real units. */
function near(found: Json, expected: Json, tolerance: number): void {
  if (typeof expected === 'boolean') return expect(found).toBe(expected)
  if (typeof expected !== 'object' && !/^-?\d+$/.test(expected)) return expect(found).toBe(expected)
  if (typeof expected !== 'object') {
    const away = Number(magnitude(BigInt(found) - BigInt(expected)))
    return tolerance === 0
      ? expect(String(found)).toBe(expected)
      : expect(away / 1e18).toBeLessThan(tolerance)
  }
  for (const [key, value] of Object.entries(expected)) near(found[key], value, tolerance)
}

/** Everything that is an integer in a vector's words, as one. */
function exact(input: Record<string, unknown>): Json {
  const whole = Object.entries(input).filter(([, value]) => /^-?\d+$/.test(String(value)))
  return Object.fromEntries(whole.map(([key, value]) => [key, BigInt(String(value))]))
}

const ADAPTERS: Record<string, (input: Json) => unknown> = {
  fillPrice: (input) => ({ fillPrice: amm.fillPrice(exact(input)) }),
  orderFee: (input) => ({ fee: amm.orderFee(exact(input)) }),
  fundingVelocity: (input) => ({ velocity: amm.fundingVelocity(exact(input)) }),
  accruedFunding: (input) => ({
    accruedFunding: amm.accruedFunding({
      ...exact(input),
      segmentsSeconds: input.segmentsSeconds.map(BigInt),
    }),
  }),
  liquidationReward: (input) => ({ reward: liquidation.liquidationReward(exact(input)) }),
  fundingSequence: (input) => sequence(exact(input)),
  accountMargin: account,
  maxLiquidationAmountInWindow(input) {
    const capacity = liquidation.maxLiquidationAmountInWindow(exact(input))
    const done: { atSeconds: bigint; size: bigint }[] = []
    const remaining = (nowSeconds: bigint, size: bigint) => {
      const terms = { capacity, windowSeconds: BigInt(input.windowSeconds), nowSeconds }
      const taken = liquidation.liquidatableNow({ ...terms, size, done })
      done.push({ atSeconds: nowSeconds, size: taken })
      return size - taken
    }
    const first = remaining(0n, 150n * ONE)
    const atOnce = remaining(0n, first)
    const at6s = remaining(6n, atOnce)
    return {
      ...{ capacity, remainingAfterFirst: first, remainingAfterSecondAtOnce: atOnce },
      ...{ remainingAt6s: at6s, remainingAt11s: remaining(11n, at6s) },
    }
  },
}

/** A long of 20 from the beginning, while somebody else moves the skew. */
function sequence(market: Json) {
  const [days, moves] = [
    ['0', '1', '1', '0.25', '2', '0.2', '0.1', '0.1', '0.03', '3'],
    [20, -60, 15, 37, -17, 155, -150, -15, -4, 19],
  ]
  let [skew, prevRate, perUnit] = [0n, 0n, 0n]
  return {
    steps: days.map((elapsed, index) => {
      const since = { ...market, skew, prevRate, seconds: BigInt(Math.round(Number(elapsed) * 86_400)) }
      const rate = amm.fundingRate(since)
      perUnit += amm.fundingPerUnit({ ...since, rate })
      prevRate = rate
      skew += units(moves[index] ?? 0)
      return {
        ...{ daysElapsed: elapsed, skewDelta: index === 0 ? 0n : units(moves[index] ?? 0), skewAfter: skew },
        velocityAfter: amm.fundingVelocity({ ...market, skew }),
        fundingRate: prevRate,
        fundingPaidByLong20: -multiply(market.positionSize, perUnit),
      }
    }),
  }
}

function account({ collateralUsd, prices, positions }: Json) {
  const each = Object.entries<Json>(positions).map(([symbol, held]) => {
    const terms = { ...exact(held), price: BigInt(prices[symbol]), indexPrice: BigInt(held.entryIndexPrice) }
    const entry = amm.fillPrice({ ...terms, sizeDelta: terms.size, skew: terms.skewBefore })
    const rests = { latestInteractionPrice: entry, accruedFunding: 0n, interest: 0n }
    return { symbol, pnl: amm.pnl({ ...terms, ...rests }), ...liquidation.margins(terms) }
  })
  const availableMargin = each.reduce((sum, { pnl }) => sum + pnl, BigInt(collateralUsd))
  const maintenanceMargin = each.reduce((sum, one) => sum + one.maintenanceMargin, 0n)
  return {
    pnl: Object.fromEntries(each.map(({ symbol, pnl }) => [symbol, pnl])),
    availableMargin,
    liquidatable: liquidation.isLiquidatable({ availableMargin, maintenanceMargin, liquidationReward: 0n }),
  }
}
