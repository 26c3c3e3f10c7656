import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'

/** A long of 1.5 BTC that is liquidated at 90. */
async function watched(bot: BotUnderTest, price = 130): Promise<void> {
  bot.stage.market('BTC', { price, funding: 0.0001 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
}

describe('somebody watches a wallet', () => {
  test('and is told at once what is there, how far from liquidation, and what will be told', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 130 })
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    await bot.pass(0)
    const answer = await bot.says(`/watch ${ALICE} main`)
    expect(answer).toContain('✓ Watching main')
    expect(answer).toContain('BTC long: 30.8% to liquidation')
    expect(answer).toContain('when a position nears liquidation (at 20 / 10 / 5 / 2.5%)')
    expect(bot.hears()).toEqual([])
  })

  test('and hears of each line once, with figures and their age', async () => {
    await using bot = await startBot()
    await watched(bot)
    for (const price of [111, 110.5, 99, 98.9, 94.5, 92.2, 92.1]) {
      bot.stage.market('BTC', { price })
      await bot.pass(18_000)
    }
    const heard = bot.hears()
    expect(heard.map((text) => text.split('\n')[0])).toEqual([
      '[INFO] BTC long: 18.9% to liquidation (A1)',
      '[WARNING] BTC long: 9.1% to liquidation (A1)',
      '[CRITICAL] BTC long: 4.8% to liquidation (A1)',
      '[CRITICAL] BTC long: 2.4% to liquidation (A1)',
    ])
    expect(heard[3]).toContain('\n  $92.20 → $90.00 · main\n')
    expect(heard[3]).toContain('1.5 BTC ($138)')
    expect(heard[3]).toContain('[CRITICAL] BTC long: ')
    expect(await bot.says('/why A1')).toMatch(/value 2\.4%.*\n +data live when judged/)
  })

  test('a fall through three lines in one tick is one message, at the worst of them', async () => {
    await using bot = await startBot()
    await watched(bot)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(2_000)
    expect(bot.hears().map((text) => text.split('\n')[0])).toEqual([
      '[CRITICAL] BTC long: 4.3% to liquidation (A1)',
    ])
  })

  test('a price that trembles around a line is one message; past the clear band it is another story', async () => {
    await using bot = await startBot()
    await watched(bot, 105)
    await bot.pass(20_000)
    expect(bot.hears()[0]).toContain('[INFO] BTC long: 14.3% to liquidation (A1)')
    for (let tremble = 0; tremble < 20; tremble++) {
      bot.stage.market('BTC', { price: tremble % 2 === 0 ? 99.9 : 100.2 })
      await bot.pass(2_000)
    }
    bot.stage.market('BTC', { price: 102 })
    await bot.pass(2_000)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(2_000)
    expect(bot.hears().map((text) => text.split('\n')[0])).toEqual([
      '[WARNING] BTC long: 9.9% to liquidation (A1)',
      '[INFO] BTC long recovered to 11.8% from liquidation (A1)',
      '[RESOLVED] BTC long is safe again: 30.8% from liquidation (A1)',
    ])
  })

  test.each([
    ['at once when they are critical', 'CRITICAL', 97, 104, 0, ['BTC long: 3.0%', 'ETH short: 4.0%']],
    ['after 15 s when they are not', 'WARNING', 93, 108, 15_000, ['BTC long: 7.0%', 'ETH short: 8.0%']],
  ])(
    'several positions in danger are one message, the worst first, %s',
    async (_when, mark, long, short, ms, worst) => {
      await using bot = await startBot()
      bot.stage.market('BTC', { price: 100 })
      bot.stage.market('ETH', { price: 100 })
      bot.stage.positions(ALICE, [
        { symbol: 'ETH', size: -3, entry: 80, liquidation: short },
        { symbol: 'BTC', size: 1.5, entry: 120, liquidation: long },
      ])
      await bot.pass(0)
      await bot.says(`/watch ${ALICE} main`)
      await bot.pass(ms)
      const heard = bot.hears()
      expect(heard).toHaveLength(1)
      expect(heard[0]?.split('\n').filter((line) => /^\[[A-Z]+\]/.test(line))).toEqual(
        worst.map((what) => expect.stringContaining(`[${mark}] ${what} to liquidation`)),
      )
    },
  )

  test('one read serves every rule that rests on that wallet', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    await bot.pass(20_000)
    await bot.says('/alert liq BTC 6%')
    await bot.says('/alert flip main')
    bot.stage.asked.length = 0
    await bot.pass(20_000)
    expect(bot.stage.asked.filter((path) => path.startsWith('/positions'))).toHaveLength(10)
  })

  test('far from danger a wallet is read once in its hard maximum age, near it as often as allowed', async () => {
    await using bot = await startBot()
    await watched(bot)
    bot.stage.asked.length = 0
    await bot.pass(60_000)
    expect(bot.stage.asked.filter((path) => path.startsWith('/positions'))).toHaveLength(1)
    bot.stage.market('BTC', { price: 95 })
    await bot.pass(20_000)
    bot.stage.asked.length = 0
    await bot.pass(20_000)
    expect(bot.stage.asked.filter((path) => path.startsWith('/positions'))).toHaveLength(10)
  })

  test('and nothing more once the watch is over', async () => {
    await using bot = await startBot()
    await watched(bot)
    expect(await bot.says('/unwatch main')).toContain('Stopped watching main')
    bot.stage.market('BTC', { price: 91 })
    await bot.pass(120_000)
    expect(bot.hears()).toEqual([])
  })
})

describe('funding', () => {
  test('that turns against a position is said from its side, and again when it turns back', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 100, funding: -0.0002 })
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 100, entry: 100, liquidation: 10 }])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(2_000)
    for (const funding of [0.00004, 0.0003, 0.00001, -0.00001, -0.0003]) {
      bot.stage.market('BTC', { funding })
      await bot.pass(2_000)
    }
    expect(bot.hears().map((text) => text.split('\n')[0])).toEqual([
      '[WARNING] BTC funding flipped: your long now pays $3.00 a day (A1)',
      '[INFO] BTC funding flipped: your long now receives $3.00 a day (A2)',
    ])
  })

  test('of every market is told to whoever asks for it without a wallet', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 100, funding: 0.0002 })
    await bot.pass(0)
    expect(await bot.says('/alert flip')).toContain('✓ I’ll alert you when funding changes direction')
    bot.stage.market('BTC', { funding: -0.0002 })
    await bot.pass(2_000)
    expect(bot.hears()[0]).toContain('BTC funding flipped: shorts now pay longs')
  })
})

describe('a position', () => {
  test('that is opened or resized is told, one that was there is not', async () => {
    await using bot = await startBot()
    await watched(bot)
    bot.stage.market('ETH', { price: 200 })
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 2, entry: 120, liquidation: 90 },
      { symbol: 'ETH', size: -1, entry: 200, liquidation: 500 },
    ])
    await bot.pass(60_000)
    const [heard = ''] = bot.hears()
    expect(heard).toContain('[INFO] BTC long grew by 33.3%')
    expect(heard).toContain('1.5 → 2 BTC')
    expect(heard).toContain('[INFO] ETH short opened')
    // A size is no share of anything.
    for (const alert of ['A1', 'A2']) expect(await bot.says(`/why ${alert}`)).not.toContain('value')
  })

  test('that is gone after a fall to its liquidation price was probably liquidated; nobody says "cleared"', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    await bot.pass(20_000)
    bot.hears()
    bot.stage.market('BTC', { price: 89 })
    bot.stage.positions(ALICE, [])
    await bot.pass(6_000)
    const heard = bot.hears().join('\n')
    expect(heard).toContain('[CRITICAL] BTC long was probably liquidated')
    expect(heard).toContain('the price went to $89.00 since')
    expect(heard).toContain('lost about $45.00 or more, estimated')
    expect(heard).not.toContain('clear')
    expect(await bot.says('/alerts')).toContain('No active alerts')
  })

  test('that is gone while the price stayed away was closed', async () => {
    await using bot = await startBot()
    await watched(bot, 120)
    bot.stage.positions(ALICE, [])
    await bot.pass(60_000)
    expect(bot.hears()[0]).toContain('[INFO] BTC long was closed')
  })

  test('that was nearly liquidated when last seen is gone, cause unknown', async () => {
    await using bot = await startBot()
    await watched(bot, 91)
    await bot.pass(2_000)
    bot.hears()
    bot.stage.positions(ALICE, [])
    await bot.pass(6_000)
    expect(bot.hears()[0]).toContain('[WARNING] BTC long is gone, cause unknown')
  })

  test('that one answer lacks is not gone; what the venue claims but does not send is not gone either', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    await bot.pass(20_000)
    bot.hears()
    bot.stage.claims(ALICE, 1)
    bot.stage.positions(ALICE, [])
    await bot.pass(20_000)
    expect(bot.hears()).toEqual([])
    bot.stage.claims(ALICE, null)
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    await bot.pass(10_000)
    expect(bot.hears()).toEqual([])
  })

  test('whose end is told to whoever was warned of it, also without a rule on closed positions', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    await bot.pass(20_000)
    await bot.says('/remove R4')
    bot.hears()
    bot.stage.market('BTC', { price: 89 })
    bot.stage.positions(ALICE, [])
    await bot.pass(6_000)
    expect(bot.hears().join('\n')).toContain('BTC long was probably liquidated (A1)')
  })
})

test('a wallet that the venue does not know is said to be empty, never safe', async () => {
  await using bot = await startBot()
  bot.stage.market('BTC', { price: 100 })
  await bot.pass(0)
  const answer = await bot.says(`/watch ${BOB}`)
  expect(answer).toContain('The venue shows no open position there')
  expect(answer).not.toMatch(/safe|fine/)
})
