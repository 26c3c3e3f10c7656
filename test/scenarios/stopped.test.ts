import { describe, expect, test } from 'vitest'

import { ALICE, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { titles, watched } from '../support/watched.ts'

const MINUTE_MS = 60_000
const STOPPED = '[WARNING] I was stopped for 5 min and saw nothing'

describe('a process that was stopped for five minutes', () => {
  test('says so once and without a sound, and does not blame the venue', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.stop(5 * MINUTE_MS)
    await bot.pass(30_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([STOPPED])
    expect(heard[0]).toContain('from 12:00 UTC to 12:05 UTC: my process did not run')
    expect(heard.join('\n')).not.toContain('I can’t see')
    await bot.pass(5 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
  })

  test('tells what it finds then with since when nobody looked', async () => {
    // Both are due at the same time: prices come first, and with them the name of the new market.
    await using bot = await startBot({ clock: handClock() })
    await watched(bot, 99)
    bot.clock.stop(5 * MINUTE_MS)
    bot.stage.market('BTC', { price: 92 })
    bot.stage.market('ETH', { price: 100 })
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
      { symbol: 'ETH', size: 2, entry: 100, liquidation: 20 },
    ])
    await bot.pass(MINUTE_MS)
    const heard = bot.hears()
    expect(titles(heard).slice(0, 3)).toEqual([
      STOPPED,
      '[CRITICAL] BTC long: 2.2% to liquidation (A1)',
      '[INFO] ETH long opened (A2)',
    ])
    expect(heard[1]).toContain('while I was away, 12:00 UTC to 12:05 UTC')
    expect(heard.find((text) => text.includes('ETH long opened'))).toContain('while I was away, 12:00 UTC')
  })

  test.each(['stop', 'sleep'] as const)(
    'clears nothing by a position that it has not read since (%s)',
    async (how) => {
      await using bot = await startBot()
      await watched(bot, 92)
      bot.clock[how](5 * MINUTE_MS)
      bot.stage.market('BTC', { price: 130 })
      bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 128 }])
      await bot.pass(2 * MINUTE_MS)
      expect(bot.hears().join()).not.toContain('[RESOLVED]')
      bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
      await bot.pass(2 * MINUTE_MS)
      expect(titles(bot.hears())).toEqual(['[RESOLVED] BTC long is safe again: 30.8% from liquidation (A1)'])
    },
  )

  test.each(['stop', 'sleep'] as const)(
    'tells at once what the price shows of a wallet that cannot be read, and as of when that is (%s)',
    async (how) => {
      await using bot = await startBot()
      await watched(bot, 130)
      bot.clock[how](5 * MINUTE_MS)
      bot.stage.fails('/positions', 503)
      bot.stage.market('BTC', { price: 91 })
      await bot.pass(20_000)
      const heard = bot.hears()
      expect(titles(heard)).toEqual([STOPPED, '[CRITICAL] BTC long: 1.1% to liquidation (A1)'])
      expect(heard[1]).toContain('position as of 12:00 UTC, before I was stopped; being read now')
    },
  )

  test.each(['stop', 'sleep'] as const)(
    'rings for no danger that the first read of a slow venue clears (%s)',
    async (how) => {
      await using bot = await startBot()
      await watched(bot, 130)
      bot.clock[how](5 * MINUTE_MS)
      bot.stage.fails('/positions', 'slow')
      bot.stage.market('BTC', { price: 92 })
      bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 60 }])
      await bot.pass(MINUTE_MS)
      expect(titles(bot.hears())).toEqual([STOPPED])
    },
  )

  test('and speaks of that no more when something happens later', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.stop(5 * MINUTE_MS)
    await bot.pass(10 * MINUTE_MS)
    bot.hears()
    bot.stage.market('BTC', { price: 130, funding: -0.0002 })
    await bot.pass(MINUTE_MS)
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 3, entry: 120, liquidation: 90 }])
    await bot.pass(2 * MINUTE_MS)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([
      expect.stringContaining('BTC funding flipped'),
      expect.stringContaining('BTC long grew by 100%'),
    ])
    expect(heard.join('\n')).not.toContain('while I was away')
  })

  test('calls nothing closed that went meanwhile: nobody saw how', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.stop(5 * MINUTE_MS)
    bot.stage.positions(ALICE, [])
    await bot.pass(MINUTE_MS)
    expect(titles(bot.hears())).toEqual([STOPPED, '[WARNING] BTC long is gone, cause unknown (A1)'])
  })

  test('says as ever that it cannot see the venue when that does not answer afterwards, counted from then on', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.stop(5 * MINUTE_MS)
    bot.stage.fails('/', 503)
    await bot.pass(8_000)
    expect(titles(bot.hears())).toEqual([STOPPED])
    await bot.pass(8_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[BLIND] I can’t see the venue'])
    expect(heard[0]).toContain('since 12:05 UTC')
  })

  test('shows in a summary as a time that nobody saw', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    await bot.says('/digest 13:00')
    bot.clock.stop(5 * MINUTE_MS)
    await bot.pass(60 * MINUTE_MS)
    expect(bot.hears().join('\n')).toMatch(/12:00.*12:05/)
  })
})

describe('a machine that slept for five minutes', () => {
  test('is told of as one that was stopped, and what went meanwhile is not called closed', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.sleep(5 * MINUTE_MS)
    bot.stage.positions(ALICE, [])
    await bot.pass(2 * MINUTE_MS)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([STOPPED, '[WARNING] BTC long is gone, cause unknown (A1)'])
    expect(heard[0]).toContain('from 12:00 UTC to 12:05 UTC')
  })

  test('has all wallets read at once when it goes on, and not when their turn comes by a clock that has slept as well', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.sleep(5 * MINUTE_MS)
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 128 }])
    await bot.pass(15_000)
    expect(titles(bot.hears())).toEqual([STOPPED, '[CRITICAL] BTC long: 1.5% to liquidation (A1)'])
  })

  test('leaves the beginning of an outage where it was', async () => {
    await using bot = await startBot({ settings: UNHURRIED })
    await watched(bot, 130)
    bot.stage.fails('/', 503)
    await bot.pass(5 * MINUTE_MS)
    bot.clock.sleep(8 * 60 * MINUTE_MS)
    await bot.pass(30_000)
    bot.hears()
    bot.stage.fails('/', null)
    await bot.pass(10_000)
    expect(bot.hears().join()).toContain('I couldn’t see from 12:00 UTC to 20:05 UTC (8 h 6 min)')
  })

  test('is told apart from a wall clock that was set', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.jump(5 * MINUTE_MS)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([])
  })

  test('is told apart from one that has napped before its wall clock was set', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    for (let nap = 0; nap < 3; nap++) {
      bot.clock.sleep(40_000)
      await bot.pass(MINUTE_MS)
    }
    bot.clock.jump(5 * MINUTE_MS)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([])
  })
})

test('who stood still for some seconds is slow, and neither stopped nor blind', async () => {
  await using bot = await startBot()
  await watched(bot, 130)
  bot.clock.stop(40_000)
  await bot.pass(30_000)
  expect(bot.hears()).toEqual([])
  const remarks = bot.events.flatMap((event) => (event.is === 'remark' ? [event.text] : []))
  expect(remarks.join()).toMatch(/nothing ran for 4\d s/)
})

test.each([-60, 60])(
  'a wall clock that is set by %i min while the process is stopped does not change for how long that was',
  async (minutes) => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.clock.stop(5 * MINUTE_MS)
    bot.clock.jump(minutes * MINUTE_MS)
    await bot.pass(30_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([STOPPED])
    expect(heard[0]).toContain(minutes < 0 ? 'from 11:00 UTC to 11:05 UTC' : 'from 13:00 UTC to 13:05 UTC')
  },
)
