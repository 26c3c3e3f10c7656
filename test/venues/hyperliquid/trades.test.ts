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

  test('of a wallet that trades all the time are reported ever more rarely, the last one too', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    const account = bot.standIn.account(OWNER, { usd: 1_000 })
    await bot.venue.positions(OWNER, asking)
    await bot.listens()
    await bot.clock.advance(10_000)
    for (let trade = 0; trade < 120; trade++) {
      await bot.clock.advance(500)
      account.trades('BTC', trade % 2 === 0 ? 0.001 : -0.001)
      await bot.standIn.idle()
    }
    const busy = bot.traded.length
    // Four at once, and one more each twenty seconds.
    expect(busy).toBeGreaterThanOrEqual(5)
    expect(busy).toBeLessThanOrEqual(7)
    await bot.clock.advance(20_000)
    expect(bot.traded.length).toBe(busy + 1)
    await bot.clock.advance(60_000)
    expect(bot.traded.length).toBe(busy + 1)
  })

  test('name a watched wallet also before its first read', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    const account = bot.standIn.account(OWNER, { usd: 1_000 })
    bot.push.watch?.([OWNER])
    await bot.listens()
    await bot.clock.advance(10_000)
    account.trades('BTC', 0.01)
    await bot.hears(() => bot.traded.length > 0)
    expect(bot.traded).toEqual([OWNER])
  })

  test('of a trade that the next answer lacks are reported once more', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    const account = bot.standIn.account(OWNER, { usd: 1_000 })
    await bot.venue.positions(OWNER, asking)
    await bot.listens()
    await bot.clock.advance(10_000)
    const before = bot.clock.now()
    account.trades('BTC', 0.01)
    await bot.hears(() => bot.traded.length > 0)
    let lags = true
    bot.standIn.rewrites('clearinghouseState', (state: object) =>
      lags ? { ...state, time: before - 5_000 } : state,
    )
    await bot.venue.positions(OWNER, asking)
    await bot.clock.advance(5_000)
    expect(bot.traded).toEqual([OWNER, OWNER])
    // The second answer is believed: its time may mean something else.
    await bot.venue.positions(OWNER, asking)
    await bot.clock.advance(60_000)
    expect(bot.traded).toHaveLength(2)
    lags = false
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

describe('a time in which trades were missed', () => {
  const turn = { ...asking, isTurn: true } as const

  /** A wallet with something in the main dex that was read while every trade was heard. */
  async function heardBot() {
    const bot = await startPushed()
    await bot.readsDexes()
    const account = bot.standIn.account(OWNER, { usd: 1_000 })
    account.deposits(5_000, 'xyz')
    account.trades('BTC', 0.01)
    await bot.listens()
    await bot.clock.advance(30_000)
    await bot.hears(() => bot.push.heardSince?.() !== null)
    await bot.clock.advance(1_000)
    await bot.venue.positions(OWNER, asking)
    const coins = async () => {
      const { positions, unasked = [] } = await bot.venue.positions(OWNER, turn)
      return { coins: positions.map(({ marketId }) => marketId), unasked: unasked.map(({ part }) => part) }
    }
    /** No connection for half a minute. */
    const misses = async (meanwhile: () => void) => {
      bot.standIn.push.refuse()
      bot.standIn.push.cut()
      await bot.hears(() => !bot.push.status().open)
      meanwhile()
      await bot.clock.advance(30_000)
      bot.standIn.push.refuse(false)
    }
    const hearsAgain = async () => {
      for (let wait = 0; wait < 60 && bot.push.heardSince?.() === null; wait++) await bot.clock.advance(1_000)
      await bot.clock.advance(1_000)
    }
    return {
      bot,
      account,
      coins,
      misses,
      hearsAgain,
      [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
    }
  }

  test('is known, until all of them are heard again', async () => {
    await using heard = await heardBot()
    const { bot } = heard
    const first = bot.push.heardSince?.() ?? Infinity
    const { trades } = bot.push.status()
    expect(trades?.heard).toBe(trades?.markets)
    expect(trades?.since).not.toBeNull()
    await heard.misses(() => {})
    expect([bot.push.heardSince?.(), bot.push.status().trades?.since]).toEqual([null, null])
    await heard.hearsAgain()
    expect(bot.push.heardSince?.()).toBeGreaterThan(first)
  })

  test('hides no position for long: what wallets hold is read first, at the next turn every other dex', async () => {
    await using heard = await heardBot()
    expect(await heard.coins()).toEqual({ coins: ['BTC'], unasked: [] })
    await heard.misses(() => heard.account.trades('xyz:NVDA', 1, { margin: 'isolated' }))
    const unasked = ['flx', 'hyna', 'xyz']
    const during = await heard.coins()
    expect([during.coins, during.unasked.toSorted()]).toEqual([['BTC'], unasked])
    await heard.hearsAgain()
    const first = await heard.coins()
    expect([first.coins, first.unasked.toSorted()]).toEqual([['BTC'], unasked])
    expect(await heard.coins()).toEqual({ coins: ['BTC', 'xyz:NVDA'], unasked: [] })
  })

  test('is not made up for by a read that somebody waits for', async () => {
    await using heard = await heardBot()
    await heard.misses(() => {})
    await heard.hearsAgain()
    await heard.coins()
    const before = heard.bot.standIn.asked.length
    await heard.bot.venue.positions(OWNER, asking)
    expect(heard.bot.standIn.asked.length - before).toBe(1)
  })
})
