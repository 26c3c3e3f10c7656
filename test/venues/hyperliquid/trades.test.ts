import { describe, expect, test } from 'vitest'

import { readTrades } from '../../../src/venues/hyperliquid/wire/trades.ts'
import { asking, startPushed } from './pushed.ts'
import { OWNER, STRANGER } from './records.ts'

describe('public trades', () => {
  test('name a wallet that was read once, whoever is pushed, and only trades since its last read', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    const account = bot.standIn.account(OWNER, { usd: 1_000 })
    account.deposits(5_000, 'xyz')
    account.trades('BTC', 0.01)
    await bot.venue.positions(OWNER, asking)
    await bot.listens()
    await bot.clock.advance(10_000)
    expect(bot.traded).toEqual([])
    bot.standIn.account(STRANGER, { usd: 1_000 }).trades('BTC', 0.01)
    account.trades('xyz:NVDA', 1, { margin: 'isolated' })
    await bot.hears(() => bot.traded.length > 0)
    expect(bot.traded).toEqual([OWNER])
    const { positions } = await bot.venue.positions(OWNER, asking)
    expect(positions.map(({ marketId }) => marketId)).toEqual(['BTC', 'xyz:NVDA'])
  })

  test('of a wallet that trades all the time are reported every five seconds, the last one too', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    const account = bot.standIn.account(OWNER, { usd: 1_000 })
    await bot.venue.positions(OWNER, asking)
    await bot.listens()
    await bot.clock.advance(10_000)
    for (let trade = 0; trade < 12; trade++) {
      await bot.clock.advance(500)
      account.trades('BTC', 0.001)
      await bot.standIn.idle()
    }
    await bot.clock.advance(10_000)
    expect(bot.traded.length).toBeGreaterThanOrEqual(2)
    expect(bot.traded.length).toBeLessThanOrEqual(3)
  })

  test.each([
    ['no JSON', '<html>', { is: 'other' }],
    ['another channel', '{"channel":"pong"}', { is: 'other' }],
    [
      'elements that cannot be read',
      '{"channel":"trades","data":[1,null,{"coin":"BTC"},{"coin":"BTC","time":5,"users":["0xa",7]}]}',
      { is: 'trades', trades: [{ coin: 'BTC', at: 5, users: ['0xa'] }] },
    ],
  ])('with %s are read as far as they can be', (_what, text, read) => {
    expect(readTrades(text)).toEqual(read)
  })

  test('are read up to a bound, however many a frame has', () => {
    const read = (length: number) => {
      const data = Array.from({ length }, () => ({ coin: 'BTC', time: 1, users: [] }))
      return readTrades(JSON.stringify({ channel: 'trades', data }))
    }
    const frame = read(5_000)
    expect(frame.is === 'trades' && frame.trades.length).toBe(2_000)
    // No block has so many: it is no frame of trades, and costs as little.
    expect(read(100_000)).toEqual({ is: 'other' })
  })
})
