import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { titles, watched } from '../support/watched.ts'

describe('a bot that starts again', () => {
  test('says nothing when nothing changed', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    await bot.restart(60_000)
    await bot.pass(120_000)
    expect(bot.hears()).toEqual([])
  })

  test('tells once what became worse meanwhile, as while it was away', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.market('BTC', { price: 92 })
    await bot.restart(420_000)
    await bot.pass(50_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[CRITICAL] BTC long: 2.2% to liquidation (A1)'])
    expect(heard[0]).toContain('while I was away, 12:00 UTC to 12:07 UTC')
  })

  test('still owes the "cleared" to whoever was warned before', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.market('BTC', { price: 200 })
    await bot.restart(60_000)
    await bot.pass(60_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] BTC long is safe again: 55.0% from liquidation (A1)'])
  })

  test('tells what was opened, closed and resized meanwhile; it claims no cause that it did not see', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.market('ETH', { price: 100 })
    bot.stage.positions(ALICE, [{ symbol: 'ETH', size: 2, entry: 100, liquidation: 20 }])
    await bot.restart(60_000)
    await bot.pass(60_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([
      '[INFO] ETH long opened (A1)',
      '[WARNING] BTC long is gone, cause unknown (A2)',
    ])
    expect(heard[0]).toContain('while I was away for 60 s')
  })

  test('that finds the price beyond a vanished position calls it probably liquidated', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.stage.market('BTC', { price: 85 })
    bot.stage.positions(ALICE, [])
    await bot.restart(60_000)
    await bot.pass(60_000)
    expect(titles(bot.hears())).toEqual(['[CRITICAL] BTC long was probably liquidated (A2)'])
  })

  test('tells a funding flip that it missed', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.market('BTC', { funding: -0.0002 })
    await bot.restart(60_000)
    await bot.pass(60_000)
    expect(titles(bot.hears())).toEqual([
      '[INFO] BTC funding flipped: your long now receives $0.06 a day (A1)',
    ])
  })

  test('remembers that it was blind, and reports the return', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.fails('/', 503)
    await bot.pass(60_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the venue'])
    await bot.restart(60_000)
    await bot.pass(60_000)
    expect(bot.hears()).toEqual([])
    bot.stage.fails('/', null)
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see the venue again'])
  })

  test('answers /why and /history with what happened before', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    await bot.restart(1_000)
    expect(await bot.says('/history')).toContain('BTC long: 5.3% to liquidation (A1)')
    const why = await bot.says('/why A1')
    expect(why).toContain('ok → 10% line')
    expect(why).toMatch(/queued \d+ ms, sent \d+ ms after detection/)
  })
})

describe('a bot that was killed while the price was past the liquidation of a position', () => {
  const ended = async (bot: BotUnderTest) => {
    bot.stage.fails('/positions', null)
    bot.stage.positions(ALICE, [])
    bot.stage.market('BTC', { price: 130 })
    bot.killed.now()
    await bot.killed.start(60_000)
    await bot.pass(60_000)
    return bot.hears()
  }

  test('calls it probably liquidated when it is gone, with the price that it has seen', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.fails('/positions', 503)
    bot.stage.market('BTC', { price: 89 })
    await bot.pass(6_000)
    expect(titles(bot.hears())).toEqual(['[CRITICAL] BTC long: past its liquidation price (A1)'])
    const heard = await ended(bot)
    expect(titles(heard)).toEqual(['[CRITICAL] BTC long was probably liquidated (A2)'])
    expect(heard[0]).toContain('the price went to $89.00 since')
    expect(heard[0]).toContain('while I was away')
  })

  test('knows it also of a price that has passed no line, and of one that came back at once', async () => {
    await using bot = await startBot()
    await watched(bot, 92)
    bot.stage.market('BTC', { price: 89 })
    await bot.pass(2_000)
    bot.stage.market('BTC', { price: 91 })
    bot.stage.fails('/positions', 503)
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual([])
    expect(titles(await ended(bot))).toEqual(['[CRITICAL] BTC long was probably liquidated (A2)'])
  })

  test('does not know how it ended where it was seen there afterwards', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.market('BTC', { price: 89 })
    await bot.pass(4_000)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(60_000)
    bot.hears()
    expect(titles(await ended(bot))).toEqual(['[WARNING] BTC long is gone, cause unknown (A2)'])
  })

  test('knows it after two ends in a row as well', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.fails('/positions', 503)
    bot.stage.market('BTC', { price: 89 })
    await bot.pass(6_000)
    bot.hears()
    bot.killed.now()
    await bot.killed.start(10_000)
    await bot.pass(4_000)
    expect(titles(await ended(bot))).toEqual(['[CRITICAL] BTC long was probably liquidated (A2)'])
  })
})

describe('a position that was closed while nothing ran, and that the price would have brought into danger,', () => {
  const closed = async (bot: BotUnderTest, fails: number | null) => {
    await watched(bot, 130)
    bot.killed.now()
    bot.stage.fails('/positions', fails)
    bot.stage.positions(ALICE, [])
    bot.stage.market('BTC', { price: 92 })
    await bot.killed.start(60_000)
  }

  test('is told of as gone and by no line', async () => {
    await using bot = await startBot()
    await closed(bot, null)
    await bot.pass(30_000)
    expect(titles(bot.hears())).toEqual(['[WARNING] BTC long is gone, cause unknown (A1)'])
  })

  test('is told of by the line where its wallet cannot be read, with as of when; what is opened there later has its own', async () => {
    await using bot = await startBot()
    await closed(bot, 503)
    await bot.pass(4_000)
    const [line = '', ...more] = bot.hears()
    expect(more).toEqual([])
    expect(line).toContain('BTC long: 2.2% to liquidation (A1)')
    expect(line).toContain('position as of 12:00 UTC, before my restart; being read now')
    bot.stage.fails('/positions', null)
    await bot.pass(30_000)
    expect(titles(bot.hears())).toEqual(['[WARNING] BTC long is gone, cause unknown (A2)'])
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 92, liquidation: 90 }])
    await bot.pass(60_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([
      '[CRITICAL] BTC long: 2.2% to liquidation (A3)',
      '[INFO] BTC long opened (A4)',
    ])
    expect(heard.join('\n')).not.toContain('before my restart')
  })
})

describe('a bot that starts again and cannot read the wallet yet', () => {
  test('tells a fall by the position of before, within two seconds, and once', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.market('BTC', { price: 92 })
    bot.stage.fails('/positions', 'hang')
    await bot.restart(420_000)
    await bot.pass(4_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[CRITICAL] BTC long: 2.2% to liquidation (A1)'])
    expect(heard[0]).toMatch(/position as of 12:00 UTC, before my restart; being read now/)
    bot.stage.fails('/positions', null)
    await bot.pass(50_000)
    expect(bot.hears()).toEqual([])
  })

  test('has to hold what is not critical, and tells it then', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.market('BTC', { price: 98 })
    bot.stage.fails('/positions', 503)
    await bot.restart(60_000)
    await bot.pass(14_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[WARNING] BTC long: 8.2% to liquidation (A1)'])
  })

  test('says what became of the position when it was closed meanwhile', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.market('BTC', { price: 92 })
    bot.stage.fails('/positions', 503)
    await bot.restart(60_000)
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[CRITICAL] BTC long: 2.2% to liquidation (A1)'])
    bot.stage.positions(ALICE, [])
    bot.stage.fails('/positions', null)
    await bot.pass(30_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[WARNING] BTC long is gone, cause unknown (A2)'])
    expect(heard[0]).toContain('while I was away')
  })

  test('and says nothing of a danger that a read shows to be none before it is told', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.market('BTC', { price: 92 })
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 40 }])
    await bot.restart(420_000)
    await bot.pass(60_000)
    expect(titles(bot.hears())).toEqual([])
  })

  test('a drill does not stand in its way', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.market('BTC', { price: 92 })
    bot.stage.fails('/positions', 'hang')
    await bot.restart(420_000)
    void bot.says('/drill')
    await bot.pass(4_000)
    expect(titles(bot.hears())).toContain('[CRITICAL] BTC long: 2.2% to liquidation (A1)')
  })

  test('holds back what warns in quiet hours, and sums it up by what is known then', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    await bot.says('/quiet 11:50-12:10')
    bot.stage.market('BTC', { price: 98 })
    bot.stage.fails('/positions', 503)
    await bot.restart(60_000)
    await bot.pass(120_000)
    expect(titles(bot.hears()).filter((line) => !line.startsWith('[BLIND]'))).toEqual([])
    bot.stage.fails('/positions', null)
    await bot.pass(600_000)
    expect(bot.hears().join('\n')).toContain('BTC long: 8.2% to liquidation')
  })
})
