import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { accountAt, connect } from './client.ts'
import { startLighter } from './server.ts'

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
