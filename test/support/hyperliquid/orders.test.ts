import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { fillsOf, info, type Json, stateOf, statusesOf } from './client.ts'
import { startHyperliquid } from './server.ts'

const USER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const OTHER = '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb'

async function atHand() {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  return Object.assign(venue, { clock })
}

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
    const fill = (await fillsOf(venue, USER)).at(-1)
    // A quarter of an hour at 2, three quarters at 3.
    expect(fill).toMatchObject({ px: '2.75', dir: 'Settlement', closedPnl: '-75.0', fee: '0.0' })
    expect(fill).not.toHaveProperty('liquidation')
    expect((await statusesOf(venue, USER))[0]).toBe('Limit: delistedCanceled')
    expect((await stateOf(venue, USER)).assetPositions).toEqual([])
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
    expect(await statusesOf(venue, USER)).not.toContain('Take Profit Market: triggered')
    venue.moves({ ETH: 1_845 })
    expect((await stateOf(venue, USER)).assetPositions[0].position.szi).toBe('1.0')
    venue.moves({ ETH: 1_795 })
    expect((await stateOf(venue, USER)).assetPositions).toEqual([])
    expect((await statusesOf(venue, USER)).slice(0, 4)).toEqual([
      'Take Profit Market: siblingFilledCanceled',
      'Stop Market: filled',
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
    expect((await statusesOf(venue, USER))[0]).toBe('Stop Market: reduceOnlyCanceled')
  })

  test('of spot are among those of the main dex, and so are its fills', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.places({ coin: '@142', side: 'buy', size: 3, limit: 20 })
    user.swaps('PURR/USDC', -10, 0.1)
    expect(await info(venue, { type: 'frontendOpenOrders', user: USER })).toMatchObject([{ coin: '@142' }])
    expect(await fillsOf(venue, USER)).toMatchObject([
      { coin: 'PURR/USDC', dir: 'Sell', startPosition: '0.0' },
    ])
    expect((await stateOf(venue, USER)).assetPositions).toEqual([])
  })

  test('of which a part is taken shows what is left, has fills of its own, and keeps the rest on a cancel', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    const placed = user.places({ coin: 'ETH', side: 'buy', size: 2, limit: 1_850 })
    user.fillsPart(placed, 0.5)
    user.fillsPart(placed, 0.25)
    const [open] = await info(venue, { type: 'frontendOpenOrders', user: USER })
    expect(open).toMatchObject({ oid: placed.oid, sz: '1.25', origSz: '2.0' })
    expect(await fillsOf(venue, USER)).toMatchObject([
      { oid: placed.oid, sz: '0.5', crossed: false, startPosition: '0.0', dir: 'Open Long' },
      { oid: placed.oid, sz: '0.25', crossed: false, startPosition: '0.5' },
    ])
    expect((await stateOf(venue, USER)).assetPositions[0].position.szi).toBe('0.75')
    user.cancels(placed)
    expect(await info(venue, { type: 'orderStatus', user: USER, oid: placed.oid })).toMatchObject({
      order: { status: 'canceled', order: { sz: '1.25', origSz: '2.0' } },
    })
    expect(() => user.fillsPart(placed, 0.1)).toThrow('does not rest')
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
  const opened = await stateOf(venue, USER)
  expect(opened.marginSummary.accountValue).toBe('998.2')
  expect(opened.assetPositions[0].position).toMatchObject({
    marginUsed: '400.0',
    leverage: { rawUsd: '-3600.0' },
  })
  expect((await stateOf(venue, OTHER)).marginSummary.accountValue).toBe('999.4')
  user.trades('ETH', -1, { at: 2_100, against: other })
  const reduced = (await fillsOf(venue, USER)).at(-1)
  expect([reduced.closedPnl, reduced.fee, reduced.dir]).toEqual(['100.0', '0.945', 'Close Long'])
  venue.moves({ ETH: 2_100 })
  expect((await stateOf(venue, USER)).marginSummary.accountValue).toBe('1197.255')
  user.trades('ETH', -3, { at: 2_100, against: other })
  expect((await fillsOf(venue, USER)).at(-1).dir).toBe('Long > Short')
  expect((await stateOf(venue, USER)).assetPositions[0].position.szi).toBe('-2.0')
})
