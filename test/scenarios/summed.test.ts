import { describe, expect, test } from 'vitest'

import { ALICE } from '../support/bot.ts'
import { at, resting } from '../support/resting.ts'

const MINUTE_MS = 60_000

describe('when quiet hours end', () => {
  test('what fired, what is over and what still stands is summed up at the end, in one message', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-12:06')
    await at(bot, 98)
    await at(bot, 130)
    bot.stage.market('ETH', { price: 120 })
    await at(bot, 99)
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
      { symbol: 'ETH', size: 1, entry: 120, liquidation: 10 },
    ])
    await bot.pass(3 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    await bot.pass(2 * MINUTE_MS)
    const [summary = '', ...more] = bot.hears()
    expect(more).toEqual([])
    expect(summary).toContain('While quiet: 3 alerts, 1 still on')
    expect(summary).toMatch(/BTC long: 9.1% to liquidation \(A2\)\n.*still on/)
    expect(summary).toMatch(/UTC: BTC long: 8.2% to liquidation \(A1\)\n {2}over now/)
    expect(summary).toMatch(/UTC: ETH long opened.*\(A3\)/)
  })

  test('nothing is called still so while the venue is dark', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-12:06')
    await at(bot, 98)
    bot.stage.fails('/', 503)
    await bot.pass(6 * MINUTE_MS)
    const summary = bot.hears().find((text) => text.includes('While quiet')) ?? ''
    expect(summary).toContain('While quiet: 1 alert, 1 I can’t see now')
    expect(summary).toContain('I can’t see whether it’s still on, on since 12:0')
    expect(summary).toContain('8.2% when I last told you')
    expect(summary.replace('whether it’s still on', '')).not.toMatch(/\bstill on/)
  })

  test('what still stands is told as it is then, with what is at stake and what to do', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-12:06')
    await at(bot, 98)
    await at(bot, 96.5)
    await bot.pass(6 * MINUTE_MS)
    const [summary = ''] = bot.hears()
    expect(summary).toContain('[WARNING] BTC long: 6.7% to liquidation (A1)\n  still on since 12:0')
    expect(summary).toContain('1.5 BTC ($145)')
  })

  test('what still stands is told the worst first, with what can be done about it', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-14:00')
    bot.stage.market('ETH', { price: 120, funding: 0.0001 })
    bot.stage.positions(ALICE, [
      { symbol: 'ETH', size: 1, entry: 120, liquidation: 99 },
      { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
    ])
    await bot.pass(2 * MINUTE_MS)
    await at(bot, 98)
    await bot.says('/quiet off')
    await bot.pass(2_000)
    const [summary = ''] = bot.hears()
    expect(summary.split('\n').filter((line) => line.startsWith('['))).toEqual([
      expect.stringContaining('[WARNING] While quiet: 3 alerts, 2 still on'),
      expect.stringContaining('[WARNING] BTC long: 8.2%'),
      expect.stringContaining('[INFO] ETH long: 17.5%'),
      expect.stringContaining('UTC: ETH long opened'),
    ])
    expect(summary).toMatch(/Ack: \/ack A\d+\]/)
  })

  test('five alerts that still stand can be acknowledged there at once, and the worst can be looked at', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-14:00')
    const symbols = ['BTC', 'ETH', 'SOL', 'ARB', 'OP', 'UNI']
    for (const symbol of symbols.slice(1)) bot.stage.market(symbol, { price: 130 })
    bot.stage.positions(
      ALICE,
      symbols.map((symbol) => ({ symbol, size: 1, entry: 120, liquidation: 90 })),
    )
    await bot.pass(2 * MINUTE_MS)
    for (const symbol of symbols) bot.stage.market(symbol, { price: 98 })
    await bot.pass(MINUTE_MS)
    await bot.says('/quiet off')
    await bot.pass(2_000)
    const summary = bot.hears().join('\n')
    expect(summary.match(/\[Ack: /g)).toHaveLength(1)
    expect(
      summary.match(/\[Ack all \d+: \/ack\] \[Snooze all ▸: \/snooze all\] \[All alerts: \/alerts\]/g),
    ).toHaveLength(1)
  })

  test('what still stands and was acknowledged meanwhile does not ring', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-14:00')
    await at(bot, 98)
    await bot.says('/ack A1')
    await bot.says('/quiet off')
    await bot.pass(2_000)
    expect(bot.hears().join()).toMatch(/1 still on\n.*BTC long: 8.2%.*\n.*acknowledged by me/)
    expect(bot.platforms.get('recorder')?.sees('me', 'me').at(-1)?.silent).toBe(true)
  })

  test('what still stands at the end can be acknowledged where it is summed up', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-14:00')
    await at(bot, 98)
    await bot.says('/quiet off')
    await bot.pass(2_000)
    expect(bot.hears().join()).toMatch(/BTC long: 8.2%.*\n.*still on.*\n(?:.*\n)*.*Ack: \/ack A1/)
    await bot.platforms.get('recorder')?.taps('me', 'Ack')
    expect(await bot.says('/alerts')).toContain('acknowledged by me')
  })
})

describe('a mute of a market', () => {
  test.each([
    ['grew', { size: 2.5 }, 'BTC long grew'],
    ['was closed', null, 'BTC long was closed'],
  ])('holds back that what is held there %s', async (_what, change, words) => {
    await using bot = await resting()
    await bot.says('/alert resized main')
    await bot.says('/mute BTC 2h')
    const long = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }
    bot.stage.positions(ALICE, change ? [{ ...long, ...change }] : [])
    await bot.pass(3 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    await bot.says('/unmute')
    await bot.pass(2_000)
    expect(bot.hears().join()).toMatch(new RegExp(`While quiet: 1 alert.*\\n.*${words}`))
  })

  test('holds back that something was opened there, and nothing of another market', async () => {
    await using bot = await resting()
    bot.stage.market('ETH', { price: 120 })
    bot.stage.market('SOL', { price: 120 })
    await bot.pass(2_000)
    await bot.says('/mute ETH 2h')
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
      { symbol: 'ETH', size: 1, entry: 120, liquidation: 10 },
      { symbol: 'SOL', size: 1, entry: 120, liquidation: 10 },
    ])
    await bot.pass(3 * MINUTE_MS)
    const heard = bot.hears().join()
    expect(heard).toContain('SOL long opened')
    expect(heard).not.toContain('ETH')
  })
})
