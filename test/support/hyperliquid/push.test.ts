import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { eventually } from '../patience.ts'
import { connect, info, leaving, subscribing } from './client.ts'
import { startHyperliquid } from './server.ts'

const USER = '0x5AAEB6053f3e94c9b9a09f33669435e7ef1beaed'
const LOWER = USER.toLowerCase()

async function atHand() {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  clock.restsWhen(() => venue.idle())
  return Object.assign(venue, { clock })
}

const said = (channel: string, data: unknown) => JSON.stringify({ channel, data })

describe('frames', () => {
  test('a greeting that is no frame, and a pong without data', async () => {
    await using venue = await startHyperliquid()
    await using socket = await connect(venue)
    await eventually(() => socket.texts.length > 0)
    expect(socket.texts).toEqual(['Websocket connection established.'])
    expect(await socket.asks({ method: 'ping' })).toBe('{"channel":"pong"}')
  })

  test('a subscription is said back with its defaults, once, and taken back once', async () => {
    await using venue = await startHyperliquid({ greets: false })
    await using socket = await connect(venue)
    const wanted = { type: 'openOrders', user: USER }
    const echo = { type: 'openOrders', user: LOWER, dex: '' }
    const confirmed = (method: string) => said('subscriptionResponse', { method, subscription: echo })
    expect(await socket.asks(subscribing(wanted))).toBe(confirmed('subscribe'))
    expect(await socket.takes('openOrders')).toMatchObject({ data: { dex: '', user: LOWER, orders: [] } })
    expect(await socket.asks(subscribing({ ...wanted, dex: '' }))).toBe(
      said('error', `Already subscribed: ${JSON.stringify(echo)}`),
    )
    expect(await socket.asks(leaving(wanted))).toBe(confirmed('unsubscribe'))
    expect(await socket.asks(leaving(wanted))).toBe(
      said('error', `Already unsubscribed: ${JSON.stringify(echo)}`),
    )
  })

  test.each([
    ['a type that is gone', subscribing({ type: 'webData2', user: USER })],
    ['a type that never was', subscribing({ type: 'allDexsOrderUpdates', user: USER })],
    ['no address', subscribing({ type: 'userFills', user: 'main' })],
    ['another method', { method: 'listen' }],
    ['no JSON', 'hello'],
  ])('an error for %s', async (_what, wrong) => {
    await using venue = await startHyperliquid({ greets: false })
    await using socket = await connect(venue)
    const text = typeof wrong === 'string' ? wrong : JSON.stringify(wrong)
    expect(await socket.asks(wrong)).toBe(
      said('error', `Error parsing JSON into valid websocket request: ${text}`),
    )
  })

  test('an unknown coin closes the socket', async () => {
    await using venue = await startHyperliquid()
    await using socket = await connect(venue)
    socket.subscribe({ type: 'activeAssetCtx', coin: 'NOPE' })
    await socket.closed
    await eventually(() => venue.push.connections() === 0)
  })
})

describe('markets', () => {
  test('all contexts of all dexes, by their place in each universe, at every move', async () => {
    await using venue = await atHand()
    await using socket = await connect(venue)
    socket.subscribe({ type: 'allDexsAssetCtxs' })
    const { data } = await socket.takes('allDexsAssetCtxs')
    expect(data.ctxs.map(([dex]: [string]) => dex)).toEqual(['', 'xyz', 'flx', 'hyna'])
    for (const [dex, contexts] of data.ctxs) {
      expect(contexts).toEqual((await info(venue, { type: 'metaAndAssetCtxs', dex }))[1])
    }
    venue.moves({ DYDX: 0.2, 'xyz:NVDA': 170 })
    const moved = (await socket.takes('allDexsAssetCtxs')).data.ctxs
    // MATIC before it is delisted and keeps its place.
    expect([moved[0][1][3].midPx, moved[0][1][4].markPx, moved[1][1][3].markPx]).toEqual([
      null,
      '0.2',
      '170.0',
    ])
    venue.shorten('', 1)
    await venue.clock.advance(1_000)
    expect((await socket.takes('allDexsAssetCtxs')).data.ctxs[0][1]).toHaveLength(moved[0][1].length - 1)
  })

  test('one coin, at its moves and about each second', async () => {
    await using venue = await atHand()
    await using socket = await connect(venue)
    socket.subscribe({ type: 'activeAssetCtx', coin: 'xyz:NVDA' })
    await socket.takes('activeAssetCtx')
    venue.moves({ BTC: 60_000 })
    venue.moves({ 'xyz:NVDA': 171.234 })
    expect((await socket.takes('activeAssetCtx')).data).toMatchObject({
      coin: 'xyz:NVDA',
      ctx: { markPx: '171.23' },
    })
    await venue.clock.advance(3_000)
    expect(socket.frames('activeAssetCtx')).toHaveLength(5)
  })
})

describe('an account', () => {
  test('its state on all dexes comes about every five seconds, also when nothing happens', async () => {
    await using venue = await atHand()
    venue.account(USER, { usd: 10_000 }).trades('BTC', 0.1)
    await using socket = await connect(venue)
    socket.subscribe({ type: 'allDexsClearinghouseState', user: USER })
    const { data } = await socket.takes('allDexsClearinghouseState')
    expect([data.user, data.clearinghouseStates.map(([dex]: [string]) => dex)]).toEqual([
      LOWER,
      ['', 'xyz', 'flx', 'hyna'],
    ])
    const polled = await info(venue, { type: 'clearinghouseState', user: USER })
    expect(data.clearinghouseStates[0][1]).toEqual(polled)
    venue.moves({ BTC: 60_000 })
    await venue.clock.advance(15_000)
    expect(socket.frames('allDexsClearinghouseState')).toHaveLength(4)
    expect((await socket.takes('allDexsClearinghouseState')).data.clearinghouseStates[0][1].time).toBe(
      polled.time + 5_000,
    )
  })

  test('fills: first what there is, newest first, then what happens; events name nobody', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { usd: 10_000 })
    user.trades('BTC', 0.1)
    user.trades('ETH', 1)
    await using socket = await connect(venue)
    socket.subscribe({ type: 'userFills', user: USER })
    socket.subscribe({ type: 'userEvents', user: USER })
    const { data: first } = await socket.takes('userFills')
    expect([first.isSnapshot, first.user, first.fills.map(({ coin }: { coin: string }) => coin)]).toEqual([
      true,
      LOWER,
      ['ETH', 'BTC'],
    ])
    await eventually(() => socket.frames('subscriptionResponse').length === 2)
    user.closes('ETH')
    const { data } = await socket.takes('userFills')
    expect([data.isSnapshot, data.fills[0].dir]).toEqual([undefined, 'Close Long'])
    expect((await socket.takes('user')).data).toEqual({ fills: data.fills })
  })

  test('orders and spot balances, when they change', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, { mode: 'unifiedAccount', usd: 10_000 })
    await using socket = await connect(venue)
    for (const type of ['openOrders', 'spotState', 'orderUpdates']) socket.subscribe({ type, user: USER })
    await socket.takes('openOrders')
    expect((await socket.takes('spotState')).data.spotState.balances[0].total).toBe('10000.0')
    await eventually(() => socket.frames('subscriptionResponse').length === 3)
    const order = user.places({ coin: 'BTC', side: 'buy', size: 0.1, limit: 60_000 })
    expect((await socket.takes('openOrders')).data.orders).toHaveLength(1)
    expect((await socket.takes('orderUpdates')).data).toMatchObject([
      { order: { oid: order.oid }, status: 'open' },
    ])
    user.deposits(50)
    expect((await socket.takes('spotState')).data.spotState.balances[0].total).toBe('10050.0')
  })
})
