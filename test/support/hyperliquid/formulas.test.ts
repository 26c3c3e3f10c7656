import { assert, double, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import {
  liquidationPrice,
  maintenance as exactMaintenance,
} from '../../../src/venues/hyperliquid/wire/margin.ts'
import isolated from '../../venues/hyperliquid/recorded/clearinghouseState-isolated-HYPE-2025-08.json' with { type: 'json' }
import hlp from '../../venues/hyperliquid/recorded/hlp-child-m3-2026-07-19.json' with { type: 'json' }
import portfolio from '../../venues/hyperliquid/recorded/subAccounts2-portfolioMargin-2026-07.json' with { type: 'json' }
import { handClock } from '../clock.ts'
import { exact } from '../fixtures.ts'
import { info } from './client.ts'
import { decimal } from './decimals.ts'
import { liquidationPx, maintenance } from './margin.ts'
import { startHyperliquid } from './server.ts'

const USER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const TIERS = [
  { from: 0, leverage: 40 },
  { from: 150_000_000, leverage: 20 },
]
const EXACT_TIERS = TIERS.map(({ from, leverage }) => ({
  lowerBound: exact(String(from)),
  maxLeverage: leverage,
}))

function never(): never {
  throw new Error('the recording has it')
}

describe('what was recorded is what the stand-in makes of it', () => {
  test('an isolated position, to the last digit of every figure', async () => {
    const clock = handClock(isolated.body.time)
    await using venue = await startHyperliquid({ clock })
    const user = venue.account(USER, { usd: 75.781884 })
    venue.moves({ HYPE: 37.826 })
    user.holds('HYPE', 2, { entry: 37.829, leverage: 10, rawUsd: -68.126246, paid: 4.966798 })
    const state = await info(venue, { type: 'clearinghouseState', user: USER })
    expect(state).toEqual(isolated.body)
  })

  test.each(hlp.body.positions)('a cross position: $coin', (recorded) => {
    const szi = Number(recorded.szi)
    const mark = Number(recorded.positionValue) / Math.abs(szi)
    const tiers = [{ from: 0, leverage: recorded.maxLeverage }]
    const needed = Number(hlp.body.crossMaintenanceMarginUsed)
    const spare = Number(hlp.body.crossMarginSummary.accountValue) - needed
    const found = liquidationPx(spare, { szi, mark, tiers })
    if (recorded.liquidationPx === null) expect(found).toBeNull()
    else expect((found ?? 0) / Number(recorded.liquidationPx)).toBeCloseTo(1, 10)
  })

  test.each(hlp.body.positions)('what is printed beside it: $coin', async (recorded) => {
    await using venue = await startHyperliquid()
    const user = venue.account(USER, { usd: 1_000_000, maxLeverage: recorded.maxLeverage })
    const [szi, value] = [Number(recorded.szi), Number(recorded.positionValue)]
    venue.moves({ [recorded.coin]: value / Math.abs(szi) })
    const entry = (value - Math.sign(szi) * Number(recorded.unrealizedPnl)) / Math.abs(szi)
    user.holds(recorded.coin, szi, { entry, leverage: recorded.leverage.value })
    const state = await info(venue, { type: 'clearinghouseState', user: USER })
    const { liquidationPx: _, cumFunding: __, ...printed } = recorded
    expect(state.assetPositions[0].position).toMatchObject(printed)
  })

  test('a portfolio: its ratio, and what is left after maintenance', async () => {
    const [{ spotState, dexToClearinghouseState } = never()] = portfolio.body
    const [, state] = (dexToClearinghouseState[0] ?? never()) as [
      string,
      { crossMaintenanceMarginUsed: string },
    ]
    const total = Number(spotState.balances[0]?.total)
    const sums = (needed: number, all: number) => [needed / all, all - needed]
    const printed = (spot: typeof spotState) => [
      Number(spot.portfolioMarginRatio),
      Number(spot.tokenToAvailableAfterMaintenance[0]?.[1]),
    ]
    const close = (found: number[], wanted: number[]) =>
      found.forEach((figure, index) => expect(figure).toBeCloseTo(wanted[index] ?? 0, 6))
    close(printed(spotState), sums(Number(state.crossMaintenanceMarginUsed), total))

    await using venue = await startHyperliquid()
    const user = venue.account(USER, { mode: 'portfolioMargin', usd: total })
    user.holds('BTC', 0.01948, { entry: 66_344, leverage: 10 })
    const spot = await info(venue, { type: 'spotClearinghouseState', user: USER })
    const { crossMaintenanceMarginUsed } = await info(venue, { type: 'clearinghouseState', user: USER })
    expect(spot.balances[0].total).toBe(spotState.balances[0]?.total)
    close(printed(spot), sums(Number(crossMaintenanceMarginUsed), total))
  })
})

describe('two computations of the same', () => {
  const size = integer({ min: 1, max: 4_000_000 }).map((thousandths) => thousandths / 1_000)
  const figures = [size, integer({ min: 0, max: 1 }), double({ min: 0.01, max: 2, noNaN: true })] as const

  test('the liquidation price by slices and corners, and by rates and deductions', () => {
    assert(
      property(...figures, (size, side, share) => {
        const szi = side === 1 ? size : -size
        const mark = 64_706
        const needed = maintenance(size * mark, TIERS)
        const value = Math.round(needed + size * mark * share)
        const found = liquidationPx(value - needed, { szi, mark, tiers: TIERS })
        const other = liquidationPrice({
          size: exact(decimal(szi)),
          tiers: EXACT_TIERS,
          by: {
            is: 'cross',
            accountValue: exact(decimal(value)),
            maintenanceOfOthers: 0n,
            mark: exact(decimal(mark)),
          },
        })
        if (found === null || other === null) return (found ?? 0) < 1e-6 && toNumber(other ?? 0n) < 1e-6
        return Math.abs(found / toNumber(other) - 1) < 1e-10
      }),
    )
  })

  test('the maintenance', () => {
    assert(
      property(size, (size) => {
        const other = toNumber(exactMaintenance(exact(decimal(size)), exact('64706'), EXACT_TIERS))
        return Math.abs(maintenance(size * 64_706, TIERS) - other) < 1e-6
      }),
    )
  })
})
