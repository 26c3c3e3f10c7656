import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { connect, fillsOf, info, type Json, stateOf, statusesOf } from './client.ts'
import { startHyperliquid } from './server.ts'

const USER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const OTHER = '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb'

async function atHand() {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  return Object.assign(venue, { clock })
}

describe('the liquidation price', () => {
  test('moves with other positions, and is where the liquidation comes', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('BTC', 0.5, { leverage: 20 })
    user.trades('ETH', 5, { leverage: 20 })
    const before = Number((await stateOf(venue, USER)).assetPositions[0].position.liquidationPx)
    venue.moves({ ETH: 1_700 })
    const after = Number((await stateOf(venue, USER)).assetPositions[0].position.liquidationPx)
    expect(after).toBeGreaterThan(before)
    venue.moves({ BTC: Math.ceil(after) + 1 })
    expect((await stateOf(venue, USER)).assetPositions).toHaveLength(2)
    venue.moves({ BTC: Math.floor(after) - 1 })
    expect((await fillsOf(venue, USER)).at(-1).liquidation).toMatchObject({
      liquidatedUser: USER,
      method: 'market',
    })
  })

  test('of a unified account counts what lies in spot, on all dexes of that collateral', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { mode: 'unifiedAccount', usd: 10_000 })
    expect((await stateOf(venue, USER)).marginSummary.accountValue).toBe('0.0')
    user.trades('BTC', 0.5, { leverage: 10 })
    user.trades('xyz:GOLD', 2, { leverage: 10 })
    const [main, builder] = [await stateOf(venue, USER), await stateOf(venue, USER, 'xyz')]
    expect(main.marginSummary.accountValue).toBe(main.marginSummary.totalMarginUsed)
    const { liquidationPx, szi, positionValue } = main.assetPositions[0].position
    const spot = await info(venue, { type: 'spotClearinghouseState', user: USER })
    const total = Number(spot.balances[0].total)
    const others = Number(builder.crossMaintenanceMarginUsed)
    const root = (others - total + Number(positionValue)) / (Number(szi) * (1 - 1 / 80))
    expect(Number(liquidationPx)).toBeCloseTo(root, 4)
    expect(spot.tokenToAvailableAfterMaintenance).toEqual([[0, expect.stringMatching(/^\d+\.\d+$/)]])
    venue.moves({ BTC: Number(liquidationPx) + 10 })
    expect((await stateOf(venue, USER)).assetPositions).toHaveLength(1)
    venue.moves({ BTC: Number(liquidationPx) - 10 })
    expect((await stateOf(venue, USER)).assetPositions).toHaveLength(0)
  })

  test('of an isolated position looks at its own bucket alone', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 100_000 })
    user.trades('BTC', 0.5, { leverage: 20, margin: 'isolated', at: 66_344 })
    user.trades('ETH', 1)
    const { leverage, liquidationPx, szi } = (await stateOf(venue, USER)).assetPositions[0].position
    expect(leverage.type).toBe('isolated')
    expect(Number(liquidationPx)).toBeCloseTo(-Number(leverage.rawUsd) / (Number(szi) * (1 - 1 / 80)), 4)
    venue.moves({ BTC: Math.floor(Number(liquidationPx)) - 1 })
    expect((await stateOf(venue, USER)).assetPositions.map((one: Json) => one.position.coin)).toEqual(['ETH'])
  })
})

test('an isolated position that is given more is liquidated later', async () => {
  await using venue = await atHand()
  const user = venue.account(USER, { usd: 10_000 })
  user.trades('xyz:NVDA', 100, { leverage: 10 })
  const priceNow = async () =>
    Number((await stateOf(venue, USER, 'xyz')).assetPositions[0].position.liquidationPx)
  const before = await priceNow()
  user.adds('xyz:NVDA', 500)
  expect((before - (await priceNow())) * 100 * (1 - 1 / 20)).toBeCloseTo(500, 4)
})

test('a leg of nothing may stay listed', async () => {
  await using venue = await atHand()
  venue.account(USER, { usd: 10_000 }).holds('SOL', 0, { entry: 90, leverage: 10 })
  const [{ position }] = (await stateOf(venue, USER)).assetPositions
  expect(position).toMatchObject({ szi: '0.0', liquidationPx: null, positionValue: '0.0', entryPx: '0.0' })
})

describe('a liquidation', () => {
  test('above 100,000 USD takes a fifth, and within thirty seconds the rest if it must', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('BTC', 3, { leverage: 40 })
    const { liquidationPx } = (await stateOf(venue, USER)).assetPositions[0].position
    venue.moves({ BTC: Math.floor(Number(liquidationPx)) - 10 })
    expect((await fillsOf(venue, USER)).at(-1)).toMatchObject({
      sz: '0.6',
      dir: 'Close Long',
      startPosition: '3.0',
    })
    expect((await stateOf(venue, USER)).assetPositions[0].position.szi).toBe('2.4')
    const again = Number((await stateOf(venue, USER)).assetPositions[0].position.liquidationPx)
    venue.moves({ BTC: Math.floor(again) - 5 })
    expect((await stateOf(venue, USER)).assetPositions).toHaveLength(0)
    expect((await fillsOf(venue, USER)).at(-1).sz).toBe('2.4')
  })

  test('both sides’ fills carry it, and both hear of it', async () => {
    await using venue = await atHand()
    venue.liquidator(venue.account(OTHER, { usd: 1_000_000 }))
    const user = venue.account(USER, { usd: 1_000 })
    user.trades('ETH', 10, { leverage: 20 })
    await using socket = await connect(venue)
    socket.subscribe({ type: 'userEvents', user: OTHER })
    await socket.takes('subscriptionResponse')
    const { liquidationPx } = (await stateOf(venue, USER)).assetPositions[0].position
    venue.moves({ ETH: Number(liquidationPx) - 0.5 })
    const [own, others] = [(await fillsOf(venue, USER)).at(-1), (await fillsOf(venue, OTHER)).at(-1)]
    expect(others.liquidation).toEqual(own.liquidation)
    expect([own.side, others.side, own.dir, others.dir]).toEqual(['A', 'B', 'Close Long', 'Open Long'])
    expect((await socket.takes('user')).data.fills[0].liquidation.liquidatedUser).toBe(USER)
    expect((await socket.takes('user')).data.liquidation).toMatchObject({
      liquidator: OTHER,
      liquidated_user: USER,
    })
  })

  test('far below, the backstop takes everything and keeps the margin; orders go first', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('BTC', 0.5)
    user.trades('ETH', 2, { margin: 'isolated' })
    user.places({ coin: 'BTC', side: 'sell', trigger: { price: 80_000, is: 'takeProfit' } })
    venue.moves({ BTC: 46_000 })
    const after = await stateOf(venue, USER)
    expect(after.assetPositions.map((one: Json) => one.position.coin)).toEqual(['ETH'])
    expect(after.crossMarginSummary.accountValue).toBe('0.0')
    expect((await fillsOf(venue, USER)).at(-1).liquidation.method).toBe('backstop')
    expect((await statusesOf(venue, USER))[0]).toBe('Take Profit Market: liquidatedCanceled')
  })

  test('of an isolated position by the backstop takes its bucket and leaves the rest alone', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('ETH', 2, { margin: 'isolated', leverage: 10 })
    const { withdrawable } = await stateOf(venue, USER)
    venue.moves({ ETH: 1_700 })
    const after = await stateOf(venue, USER)
    expect([after.assetPositions, after.withdrawable]).toEqual([[], withdrawable])
  })

  test('of a portfolio comes at a ratio of 0.95, by the backstop', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { mode: 'portfolioMargin', usd: 1_000 })
    user.trades('BTC', 0.5, { leverage: 40, at: 66_344 })
    venue.liquidations(false)
    venue.moves({ BTC: 65_219 })
    const { portfolioMarginRatio } = await info(venue, { type: 'spotClearinghouseState', user: USER })
    expect(Number(portfolioMarginRatio)).toBeCloseTo(0.965, 3)
    venue.liquidations(true)
    await venue.clock.advance(1_000)
    expect((await fillsOf(venue, USER)).at(-1).liquidation).toMatchObject({ method: 'backstop' })
  })

  test('can be held back, to look at what is liquidatable', async () => {
    await using venue = await atHand()
    venue.liquidations(false)
    venue.account(USER, { usd: 1_000 }).trades('BTC', 0.2)
    venue.moves({ BTC: 60_000 })
    const { assetPositions } = await stateOf(venue, USER)
    expect(Number(assetPositions[0].position.liquidationPx)).toBeGreaterThan(60_000)
  })
})
