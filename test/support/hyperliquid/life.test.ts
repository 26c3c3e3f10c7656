import { describe, expect, test } from 'vitest'
import { handClock } from '../clock.ts'
import { connect, info } from './client.ts'
import type { Json } from './client.ts'
import { startHyperliquid } from './server.ts'
import type { Hyperliquid } from './server.ts'

const USER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const OTHER = '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb'

async function atHand() {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  return Object.assign(venue, { clock })
}
const state = (venue: Hyperliquid, user = USER, dex = '') =>
  info(venue, { type: 'clearinghouseState', user, dex })
const fills = (venue: Hyperliquid, user = USER) =>
  info(venue, { type: 'userFillsByTime', user, startTime: 0 })
const statuses = async (venue: Hyperliquid, user = USER) =>
  (await info(venue, { type: 'historicalOrders', user })).map(
    ({ order, status }: { order: { orderType: string }; status: string }) => `${order.orderType}: ${status}`,
  )

describe('the liquidation price', () => {
  test('moves with other positions, and is where the liquidation comes', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('BTC', 0.5, { leverage: 20 })
    user.trades('ETH', 5, { leverage: 20 })
    const before = Number((await state(venue)).assetPositions[0].position.liquidationPx)
    venue.moves({ ETH: 1_700 })
    const after = Number((await state(venue)).assetPositions[0].position.liquidationPx)
    expect(after).toBeGreaterThan(before)
    venue.moves({ BTC: Math.ceil(after) + 1 })
    expect((await state(venue)).assetPositions).toHaveLength(2)
    venue.moves({ BTC: Math.floor(after) - 1 })
    expect((await fills(venue)).at(-1).liquidation).toMatchObject({ liquidatedUser: USER, method: 'market' })
  })

  test('of a unified account counts what lies in spot, on all dexes of that collateral', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { mode: 'unifiedAccount', usd: 10_000 })
    expect((await state(venue)).marginSummary.accountValue).toBe('0.0')
    user.trades('BTC', 0.5, { leverage: 10 })
    user.trades('xyz:GOLD', 2, { leverage: 10 })
    const [main, builder] = [await state(venue), await state(venue, USER, 'xyz')]
    expect(Number(main.marginSummary.accountValue)).toBeLessThan(3_400)
    const { liquidationPx, szi, positionValue } = main.assetPositions[0].position
    const spot = await info(venue, { type: 'spotClearinghouseState', user: USER })
    const total = Number(spot.balances[0].total)
    const others = Number(builder.crossMaintenanceMarginUsed)
    const root = (others - total + Number(positionValue)) / (Number(szi) * (1 - 1 / 80))
    expect(Number(liquidationPx)).toBeCloseTo(root, 4)
    expect(spot.tokenToAvailableAfterMaintenance).toEqual([[0, expect.stringMatching(/^\d+\.\d+$/)]])
    venue.moves({ BTC: Number(liquidationPx) + 10 })
    expect((await state(venue)).assetPositions).toHaveLength(1)
    venue.moves({ BTC: Number(liquidationPx) - 10 })
    expect((await state(venue)).assetPositions).toHaveLength(0)
  })

  test('of an isolated position looks at its own bucket alone', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 100_000 })
    user.trades('BTC', 0.5, { leverage: 20, margin: 'isolated', at: 66_344 })
    user.trades('ETH', 1)
    const { leverage, liquidationPx, szi } = (await state(venue)).assetPositions[0].position
    expect(leverage.type).toBe('isolated')
    expect(Number(liquidationPx)).toBeCloseTo(-Number(leverage.rawUsd) / (Number(szi) * (1 - 1 / 80)), 4)
    venue.moves({ BTC: Math.floor(Number(liquidationPx)) - 1 })
    expect((await state(venue)).assetPositions.map((one: Json) => one.position.coin)).toEqual(['ETH'])
  })
})

describe('a liquidation', () => {
  test('above 100,000 USD takes a fifth, and within thirty seconds the rest if it must', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('BTC', 3, { leverage: 40 })
    const { liquidationPx } = (await state(venue)).assetPositions[0].position
    venue.moves({ BTC: Math.floor(Number(liquidationPx)) - 10 })
    expect((await fills(venue)).at(-1)).toMatchObject({ sz: '0.6', dir: 'Close Long', startPosition: '3.0' })
    expect((await state(venue)).assetPositions[0].position.szi).toBe('2.4')
    const again = Number((await state(venue)).assetPositions[0].position.liquidationPx)
    venue.moves({ BTC: Math.floor(again) - 5 })
    expect((await state(venue)).assetPositions).toHaveLength(0)
    expect((await fills(venue)).at(-1).sz).toBe('2.4')
  })

  test('both sides’ fills carry it, and both hear of it', async () => {
    await using venue = await atHand()
    venue.liquidator(venue.account(OTHER, { usd: 1_000_000 }))
    const user = venue.account(USER, { usd: 1_000 })
    user.trades('ETH', 10, { leverage: 20 })
    await using socket = await connect(venue)
    socket.subscribe({ type: 'userEvents', user: OTHER })
    await socket.takes('subscriptionResponse')
    const { liquidationPx } = (await state(venue)).assetPositions[0].position
    venue.moves({ ETH: Number(liquidationPx) - 0.5 })
    const [own, others] = [(await fills(venue)).at(-1), (await fills(venue, OTHER)).at(-1)]
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
    const after = await state(venue)
    expect(after.assetPositions.map((one: Json) => one.position.coin)).toEqual(['ETH'])
    expect(after.crossMarginSummary.accountValue).toBe('0.0')
    expect((await fills(venue)).at(-1).liquidation.method).toBe('backstop')
    expect((await statuses(venue))[0]).toBe('Take Profit Market: liquidatedCanceled')
  })

  test('can be held back, to look at what is liquidatable', async () => {
    await using venue = await atHand()
    venue.liquidations(false)
    venue.account(USER, { usd: 1_000 }).trades('BTC', 0.2)
    venue.moves({ BTC: 60_000 })
    const { assetPositions } = await state(venue)
    expect(Number(assetPositions[0].position.liquidationPx)).toBeGreaterThan(60_000)
  })
})

describe('a delisting', () => {
  test('settles at the average of the last hour, cancels orders, and leaves the market in its place', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('ATOM', -100, { at: 2 })
    user.places({ coin: 'ATOM', side: 'buy', size: 10, limit: 1 })
    venue.moves({ ATOM: 2 })
    await venue.clock.advance(30 * 60_000)
    venue.moves({ ATOM: 3 })
    await venue.clock.advance(45 * 60_000)
    venue.delists('ATOM')
    const fill = (await fills(venue)).at(-1)
    // A quarter of an hour at 2, three quarters at 3.
    expect(fill).toMatchObject({ px: '2.75', dir: 'Settlement', closedPnl: '-75.0', fee: '0.0' })
    expect(fill).not.toHaveProperty('liquidation')
    expect((await statuses(venue))[0]).toBe('Limit: delistedCanceled')
    expect((await state(venue)).assetPositions).toEqual([])
    const [{ universe }, contexts] = await info(venue, { type: 'metaAndAssetCtxs' })
    expect([universe[2], contexts[2]]).toMatchObject([
      { name: 'ATOM', isDelisted: true },
      { funding: '0.0', openInterest: '0.0', midPx: null, premium: null, impactPxs: null },
    ])
    expect(() => venue.moves({ ATOM: 4 })).toThrow('delisted')
    expect((await info(venue, { type: 'l2Book', coin: 'ATOM' })).levels).toEqual([[], []])
  })
})

describe('orders', () => {
  test('a parent lists its children, and they are listed beside it; they wait for it', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.places({
      coin: 'ETH',
      side: 'buy',
      size: 1,
      limit: 1_850,
      children: [
        { side: 'sell', size: 1, trigger: { price: 2_000, is: 'takeProfit' } },
        { side: 'sell', size: 1, trigger: { price: 1_800, is: 'stopLoss' } },
      ],
    })
    const open = await info(venue, { type: 'frontendOpenOrders', user: USER })
    const parent = open.find((one: Json) => one.children.length > 0)
    const oids = (orders: Json[]) => new Set(orders.map(({ oid }) => oid))
    expect(oids(open)).toEqual(oids([parent, ...parent.children]))
    expect(parent.children[1]).toMatchObject({
      orderType: 'Stop Market',
      triggerCondition: 'Price below 1800',
      isTrigger: true,
      reduceOnly: true,
      tif: null,
    })
    venue.moves({ ETH: 2_050 })
    expect(await statuses(venue)).not.toContain('Take Profit Market: triggered')
    venue.moves({ ETH: 1_845 })
    expect((await state(venue)).assetPositions[0].position.szi).toBe('1.0')
    venue.moves({ ETH: 1_795 })
    expect((await state(venue)).assetPositions).toEqual([])
    expect((await statuses(venue)).slice(0, 4)).toEqual([
      'Take Profit Market: siblingFilledCanceled',
      'Market: filled',
      'Stop Market: triggered',
      'Limit: filled',
    ])
  })

  test('one that guards the whole position has no size of its own, and goes with it', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('BTC', 0.1)
    user.places({ coin: 'BTC', side: 'sell', trigger: { price: 60_000, is: 'stopLoss' } })
    const [open] = await info(venue, { type: 'frontendOpenOrders', user: USER })
    expect(open).toMatchObject({ isPositionTpsl: true, sz: '0.0', origSz: '0.0' })
    user.closes('BTC')
    expect((await statuses(venue))[0]).toBe('Stop Market: reduceOnlyCanceled')
  })

  test('a cancelled one keeps what was left of it', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    const placed = user.places({ coin: 'xyz:NVDA', side: 'buy', size: 2, limit: 100 })
    const inDex = (dex: string) => info(venue, { type: 'frontendOpenOrders', user: USER, dex })
    expect([await inDex(''), await inDex('xyz')].map((list) => list.length)).toEqual([0, 1])
    user.cancels(placed)
    expect(await info(venue, { type: 'orderStatus', user: USER, oid: placed.oid })).toMatchObject({
      order: { status: 'canceled', order: { coin: 'xyz:NVDA', sz: '2.0' } },
    })
  })
})

test('what a trade costs: fees of both sides, and what reducing gives back', async () => {
  await using venue = await atHand()
  const [user, other] = [venue.account(USER, { usd: 1_000 }), venue.account(OTHER, { usd: 1_000 })]
  user.trades('ETH', 2, { at: 2_000, against: other, margin: 'isolated', leverage: 10 })
  venue.moves({ ETH: 2_000 })
  const opened = await state(venue)
  expect(opened.marginSummary.accountValue).toBe('998.2')
  expect(opened.assetPositions[0].position).toMatchObject({
    marginUsed: '400.0',
    leverage: { rawUsd: '-3600.0' },
  })
  expect((await state(venue, OTHER)).marginSummary.accountValue).toBe('999.4')
  user.trades('ETH', -1, { at: 2_100, against: other })
  const reduced = (await fills(venue)).at(-1)
  expect([reduced.closedPnl, reduced.fee, reduced.dir]).toEqual(['100.0', '0.945', 'Close Long'])
  venue.moves({ ETH: 2_100 })
  expect((await state(venue)).marginSummary.accountValue).toBe('1197.255')
  user.trades('ETH', -3, { at: 2_100, against: other })
  expect((await fills(venue)).at(-1).dir).toBe('Long > Short')
  expect((await state(venue)).assetPositions[0].position.szi).toBe('-2.0')
})
