import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { eventually } from '../patience.ts'
import { createDice } from '../seed.ts'
import { accountAt, connect, type Json } from './client.ts'
import { startLighter } from './server.ts'
import type { Fate } from './spoil.ts'

const USER = '0x15f43D1f2DeE81424aFd891943262aa90F22cc2A'

async function atHand() {
  const clock = handClock()
  const venue = await startLighter({ clock })
  clock.restsWhen(() => venue.idle())
  return Object.assign(venue, { clock })
}

describe('an account', () => {
  test('is told whole, and then only what changed', async () => {
    await using venue = await atHand()
    const user = venue.account(USER.toLowerCase(), 10_000)
    user.trades('BTC', 0.1)
    await using socket = await connect(venue, { query: '?readonly=true' })
    expect(await socket.takes('connected')).toEqual({ session_id: 'session-1', type: 'connected' })
    socket.subscribe(`account_all/${user.index}`)
    const whole = await socket.takes('subscribed/account_all')
    expect(whole).toMatchObject({ channel: 'account_all:1077', account: 1077, shares: [] })
    expect(whole.positions).toEqual({ 1: (await accountAt(venue, user.index)).positions[0] })
    expect(whole.trades[1]).toHaveLength(1)
    user.trades('ETH', -2)
    const update = await socket.takes('update/account_all')
    expect(Object.keys(update.positions)).toEqual(['0'])
    expect(update.positions[0]).toMatchObject({ sign: -1, position: '2.0000' })
    expect(update.trades[0][0]).toMatchObject({ type: 'trade', ask_account_id: 1077, size: '2.0000' })
    expect(update).not.toHaveProperty('assets')
    user.closes('BTC')
    const close = await socket.takes('update/account_all')
    expect(close.positions[1]).toMatchObject({ position: '0.00000', position_value: '0.000000' })
  })

  test('who has as little as maintenance is liquidated, and hears of it', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, 1_000)
    user.trades('ETH', 3)
    await using socket = await connect(venue)
    socket.subscribe(`account_all/${user.index}`)
    await socket.takes('subscribed/account_all')
    const [held] = (await accountAt(venue, user.index)).positions
    venue.moves({ ETH: Math.ceil(Number(held.liquidation_price) * 100) / 100 })
    expect((await accountAt(venue, user.index)).positions[0].position).toBe('3.0000')
    venue.moves({ ETH: Math.floor(Number(held.liquidation_price) * 100) / 100 })
    const update = await socket.takes('update/account_all')
    expect(update.positions[0].position).toBe('0.0000')
    expect(update.trades[0]).toMatchObject([{ type: 'liquidation', ask_account_id: 1077 }])
  })
})

test('market_stats: all on subscribing, then what moved at once, then a part each second', async () => {
  await using venue = await atHand()
  await using socket = await connect(venue)
  socket.subscribe('market_stats/all')
  const whole = await socket.takes('subscribed/market_stats')
  expect(Object.keys(whole.market_stats)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 2048, 2049].map(String))
  venue.moves({ ETH: 3_400.5 })
  const moved = await socket.takes('update/market_stats')
  expect(moved.market_stats).toMatchObject({ 0: { mark_price: '3400.50', index_price: '3400.50' } })
  expect(Object.keys(moved.market_stats)).toEqual(['0'])
  await venue.clock.advance(2_000)
  const [one, two] = [await socket.takes('update/market_stats'), await socket.takes('update/market_stats')]
  const told = [one, two].flatMap(({ market_stats }) => Object.keys(market_stats))
  expect(told.map(Number).sort((a, b) => a - b)).toEqual(Object.keys(whole.market_stats).map(Number))
})

test('one market alone is told without a list around it', async () => {
  await using venue = await atHand()
  await using socket = await connect(venue)
  socket.subscribe('market_stats/1')
  const { market_stats } = await socket.takes('subscribed/market_stats')
  expect(market_stats).toMatchObject({ market_id: 1, current_funding_rate: '0.0012' })
})

describe('user_stats', () => {
  test('at once when the account changes, and within ten seconds when only prices do', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, 1_000)
    user.trades('ETH', 1)
    await using socket = await connect(venue)
    socket.subscribe(`user_stats/${user.index}`)
    const { stats } = await socket.takes('subscribed/user_stats')
    expect(stats).toMatchObject({
      collateral: '1000.000000',
      portfolio_value: '1000.000000',
      leverage: '3.55',
    })
    expect(Object.keys(stats.cross_stats)).toEqual(Object.keys(stats.total_stats))
    user.deposits(500)
    expect((await socket.takes('update/user_stats')).stats.collateral).toBe('1500.000000')
    venue.moves({ ETH: 3_500.69 })
    await venue.clock.advance(10_000)
    expect((await socket.takes('update/user_stats')).stats).toMatchObject({
      portfolio_value: '1450.000000',
      cross_stats: { portfolio_value: '1450.000000', collateral: '1500.000000' },
    })
  })

  test('what an isolated position has of its own is in the total alone', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, 1_000)
    user.trades('ETH', 1, { margin: 'isolated', leverage: 10 })
    await using socket = await connect(venue)
    socket.subscribe(`user_stats/${user.index}`)
    const { stats } = await socket.takes('subscribed/user_stats')
    expect(stats.cross_stats).toMatchObject({ collateral: '644.931000', leverage: '0.00' })
    expect(stats.total_stats).toMatchObject({ collateral: '1000.000000', leverage: '3.55' })
    user.adds('ETH', 100)
    venue.funds('ETH', 0.01)
    const [held] = (await accountAt(venue, user.index)).positions
    expect(held).toMatchObject({ margin_mode: 1, allocated_margin: '454.713931' })
  })
})

test('money alone changes no position, so account_all says nothing of it', async () => {
  await using venue = await atHand()
  const user = venue.account(USER, 1_000)
  user.trades('ETH', 1)
  await using socket = await connect(venue)
  for (const channel of ['account_all', 'user_stats']) socket.subscribe(`${channel}/${user.index}`)
  await socket.takes('subscribed/user_stats')
  user.deposits(500)
  await socket.takes('update/user_stats')
  expect(socket.frames('update/account_all')).toEqual([])
})

describe('trades', () => {
  test('say what either side held before, and name the taker by the maker’s side', async () => {
    await using venue = await atHand()
    const [one, two] = [venue.account(USER, 10_000), venue.account(`0x${'c'.repeat(40)}`, 10_000)]
    one.trades('ETH', 2)
    await using socket = await connect(venue)
    socket.subscribe(`account_all/${two.index}`)
    await socket.takes('subscribed/account_all')
    one.trades('ETH', -3, { against: two })
    const [trade] = (await socket.takes('update/account_all')).trades[0]
    expect(trade).toMatchObject({
      ...{
        ask_account_id: one.index,
        bid_account_id: two.index,
        is_maker_ask: false,
        usd_amount: '10652.070000',
      },
      ...{ taker_position_size_before: '2.0000', taker_entry_quote_before: '7101.380000' },
      ...{ taker_position_sign_changed: true, maker_position_sign_changed: true },
    })
    expect(trade).not.toHaveProperty('maker_position_size_before')
  })

  test('of a deleveraging, and funding, are told with the position', async () => {
    await using venue = await atHand()
    const user = venue.account(USER, 10_000)
    user.trades('ETH', -2)
    await using socket = await connect(venue)
    socket.subscribe(`account_all/${user.index}`)
    await socket.takes('subscribed/account_all')
    venue.funds('ETH', 0.01)
    const paid = await socket.takes('update/account_all')
    expect(paid.funding_histories[0]).toMatchObject([{ change: '0.710138', position_side: 'short' }])
    user.closes('ETH', 1, { kind: 'deleverage' })
    const update = await socket.takes('update/account_all')
    expect(update.trades[0]).toMatchObject([{ type: 'deleverage', size: '1.0000' }])
    expect(update.positions[0].position).toBe('1.0000')
  })
})

describe('a connection', () => {
  test('is pinged each minute, and ends two minutes after a ping without a pong', async () => {
    await using venue = await atHand()
    await using good = await connect(venue)
    await using bad = await connect(venue, { pongs: false })
    await venue.clock.advance(179_000)
    expect([good.frames('ping').length, bad.frames('ping').length]).toEqual([2, 2])
    expect(venue.push.connections()).toBe(2)
    await venue.clock.advance(2_000)
    expect(await bad.closed).toBe(1001)
    expect(venue.push.connections()).toBe(1)
    good.send({ type: 'ping' })
    await good.takes('pong')
  })

  test('is told why not', async () => {
    await using venue = await atHand()
    const { index } = venue.account(USER)
    await using socket = await connect(venue)
    const said: [unknown, number][] = [
      ['no json', 30_001],
      [{ type: 'subscribe' }, 30_001],
      [{ type: 'fly', channel: 'market_stats/all' }, 30_001],
      [{ type: 'subscribe', channel: 'nothing/1' }, 30_005],
      [{ type: 'subscribe', channel: 'market_stats/99' }, 30_005],
      [{ type: 'subscribe', channel: 'account_all/5' }, 21_100],
      [{ type: 'subscribe', channel: `account_all_orders/${index}` }, 20_013],
      [{ type: 'unsubscribe', channel: `account_all/${index}` }, 30_004],
    ]
    for (const [message, code] of said) {
      socket.send(message)
      expect((await socket.takes('error')).error.code).toBe(code)
    }
    socket.subscribe(`account_all/${index}`)
    socket.subscribe(`account_all/${index}`)
    expect((await socket.takes('error')).error.code).toBe(30_003)
    socket.unsubscribe(`account_all/${index}`)
    expect(await socket.takes('unsubscribed')).toEqual({
      type: 'unsubscribed',
      channel: `account_all:${index}`,
    })
    expect(venue.push.channels()).toEqual([])
  })

  test('may fall silent, be cut, and be refused', async () => {
    await using venue = await atHand()
    await using socket = await connect(venue)
    socket.subscribe('market_stats/all')
    await socket.takes('subscribed/market_stats')
    venue.push.silence()
    venue.moves({ ETH: 3_000 })
    socket.send({ type: 'ping' })
    socket.ping()
    await venue.clock.advance(5_000)
    expect(socket.frames()).toHaveLength(2)
    expect(socket.pongs()).toBe(0)
    await using other = await connect(venue)
    await other.takes('connected')
    venue.push.speak()
    venue.moves({ ETH: 3_001 })
    await socket.takes('update/market_stats')
    socket.ping()
    await eventually(() => socket.pongs() === 1)
    venue.push.garble('<html>')
    await eventually(() => other.texts.includes('<html>'))
    venue.push.refuse()
    await expect(connect(venue)).rejects.toThrow('503')
    venue.push.cut()
    expect(await Promise.all([socket.closed, other.closed])).toEqual([1006, 1006])
  })
})

describe('frames', () => {
  const marksOf = (frames: Json[]) => frames.map(({ market_stats }) => market_stats[0]?.mark_price)

  async function spoilt(fate: Fate) {
    const clock = handClock()
    const venue = await startLighter({ clock })
    const socket = await connect(venue)
    socket.subscribe('market_stats/all')
    await socket.takes('subscribed/market_stats')
    venue.push.spoil({ rate: 1, random: createDice(1), fates: [fate] })
    venue.moves({ ETH: 3_001 })
    venue.push.spoil(null)
    venue.moves({ ETH: 3_002 })
    socket.send({ type: 'ping' })
    await eventually(() => socket.texts.includes('{"type":"pong"}'))
    expect(venue.push.spoilt[fate]).toBe(1)
    await venue.stop()
    return socket.texts.filter((text) => text.includes('update/'))
  }

  test.each<[Fate, string[]]>([
    ['lost', ['3002.00']],
    ['doubled', ['3001.00', '3001.00', '3002.00']],
    ['late', ['3002.00', '3001.00']],
  ])('are %s', async (fate, marks) => {
    expect(marksOf((await spoilt(fate)).map((text) => JSON.parse(text)))).toEqual(marks)
  })

  test('are cut in half', async () => {
    const [first = '', second = ''] = await spoilt('halved')
    expect(() => JSON.parse(first)).toThrow(SyntaxError)
    expect(first.length).toBeGreaterThan(50)
    expect(marksOf([JSON.parse(second)])).toEqual(['3002.00'])
  })

  test('meet all fates about as often as the rate says, and the same seed spoils the same ones', async () => {
    const run = async () => {
      await using venue = await atHand()
      await using socket = await connect(venue)
      socket.subscribe('market_stats/all')
      await socket.takes('subscribed/market_stats')
      venue.push.spoil({ rate: 0.05, random: createDice(7) })
      for (let n = 0; n < 2_000; n++) venue.moves({ ETH: 3_000 + n / 10 })
      return { ...venue.push.spoilt }
    }
    const [one, two] = [await run(), await run()]
    expect(one).toEqual(two)
    const sum = Object.values(one).reduce((a, b) => a + b)
    expect(sum).toBeGreaterThan(60)
    expect(sum).toBeLessThan(140)
    expect(Math.min(...Object.values(one))).toBeGreaterThan(10)
  })
})
