import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'

const LONG = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }
/** So often that prices come in while a confirmation is under way. */
const QUICK = { settings: { marketPollMs: 500 } }

/** Alice's long of 1.5 BTC is liquidated at 90; it is far from that, and was last read 20 s ago. */
async function watched(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot(options)
  bot.stage.market('BTC', { price: 130, funding: 0.0001 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(20_000)
  bot.hears()
  return bot
}

const reads = (bot: BotUnderTest, wallet = ALICE) =>
  bot.stage.asked.filter((path) => path.startsWith('/positions') && path.includes(wallet)).length
const titles = (heard: string[]) => heard.map((text) => text.split('\n')[0])
const unconfirmed = (bot: BotUnderTest) =>
  bot.events.filter((event) => event.is === 'transition' && event.reason === 'unconfirmed')

/** The price is this with the next tick of the market. */
async function falls(bot: BotUnderTest, price: number, ms = 2_000): Promise<string[]> {
  bot.stage.market('BTC', { price })
  await bot.pass(ms)
  return bot.hears()
}

describe('a danger that a price shows on a position read long ago', () => {
  test('is told by a fresh read of its wallet, at once', async () => {
    await using bot = await watched()
    const before = reads(bot)
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 91 }])
    const heard = await falls(bot, 94)
    expect(titles(heard)).toEqual(['[CRITICAL] BTC long: 3.2% to liquidation (A1)'])
    expect(heard[0]).not.toContain(' s old')
    expect(reads(bot) - before).toBe(1)
  })

  test('is not told when the fresh read shows that it is none; the event stream notes it', async () => {
    await using bot = await watched()
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 60 }])
    expect(await falls(bot, 94)).toEqual([])
    expect(unconfirmed(bot)).toEqual([
      expect.objectContaining({ kind: 'liquidation-distance', from: 'tier 0', to: 'tier 0', alert: 'none' }),
    ])
    await bot.pass(60_000)
    expect(bot.hears()).toEqual([])
  })

  test('that the fresh read does not confirm is a step in the trail of an alert that is open', async () => {
    await using bot = await watched()
    // A milder alert that is far from the next line, on a wallet that is read seldom.
    expect(titles(await falls(bot, 110, 30_000))).toEqual(['[INFO] BTC long: 18.2% to liquidation (A1)'])
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 78 }])
    expect(await falls(bot, 94)).toEqual([])
    const why = await bot.says('/why A1')
    expect(why).toContain('unconfirmed: 5% line, not so by a fresh look')
    expect(why).toContain('nothing was sent')
    expect(unconfirmed(bot)).toEqual([expect.objectContaining({ from: 'tier 1', alert: 'A1' })])
  })

  test('and that the fresh read shows milder is told as what it is', async () => {
    await using bot = await watched()
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 89.5 }])
    expect(titles(await falls(bot, 92))).toEqual(['[CRITICAL] BTC long: 2.7% to liquidation (A1)'])
    expect(unconfirmed(bot)).toEqual([])
  })

  test('and that must hold first is read as often as any danger meanwhile, so that none is old when it is told', async () => {
    await using bot = await watched()
    await bot.says('/alert liq main 10% 5%')
    await falls(bot, 99, 12_000)
    const before = reads(bot)
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 90.5 }])
    const heard = await falls(bot, 99, 6_000)
    expect(titles(heard)).toEqual(['[WARNING] BTC long: 8.6% to liquidation (A1)'])
    expect(reads(bot) - before).toBe(3)
  })

  test('on a position read just now needs no other read', async () => {
    await using bot = await watched()
    await bot.says('/positions main')
    const heard = await falls(bot, 94)
    expect(titles(heard)).toEqual(['[CRITICAL] BTC long: 4.3% to liquidation (A1)'])
    expect(heard[0]).not.toContain(' s old')
  })
})

describe('a confirmation that does not come', () => {
  test('is waited for no longer than two seconds: then it is told with the age of what is known', async () => {
    await using bot = await watched()
    bot.stage.fails('/positions', 'hang')
    expect(await falls(bot, 94)).toEqual([])
    await bot.pass(1_999)
    expect(bot.hears()).toEqual([])
    await bot.pass(1)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[CRITICAL] BTC long: 4.3% to liquidation (A1)'])
    expect(heard[0]).toMatch(/ · 2\d s old · main/)
    await bot.pass(4_000)
    expect(bot.hears()).toEqual([])
  })

  test.each([503, 429, 'garbage', 'html'] as const)(
    'because the read ends with %s is not waited for',
    async (fault) => {
      await using bot = await watched()
      bot.stage.fails('/positions', fault)
      const heard = await falls(bot, 94)
      expect(titles(heard)).toEqual(['[CRITICAL] BTC long: 4.3% to liquidation (A1)'])
      expect(heard[0]).toMatch(/ · 2\d s old · main/)
    },
  )

  test('because the answer does not show everything is not waited for', async () => {
    await using bot = await watched()
    bot.stage.positions(ALICE, [])
    bot.stage.claims(ALICE, 1)
    const heard = await falls(bot, 94)
    expect(titles(heard)).toEqual(['[CRITICAL] BTC long: 4.3% to liquidation (A1)'])
    expect(heard[0]).toMatch(/ · 2\d s old · main/)
  })

  test('is not even asked for where the wallet is known to be dark', async () => {
    await using bot = await watched()
    bot.stage.fails('/positions', 503)
    await bot.pass(300_000)
    bot.hears()
    bot.stage.fails('/positions', 'hang')
    expect(titles(await falls(bot, 94))).toEqual(['[CRITICAL] BTC long: 4.3% to liquidation (A1)'])
  })

  test('because the bot stops is made up for after the start', async () => {
    await using bot = await watched()
    bot.stage.fails('/positions', 'hang')
    expect(await falls(bot, 94)).toEqual([])
    bot.stage.fails('/positions', null)
    await bot.restart(1_000)
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[CRITICAL] BTC long: 4.3% to liquidation (A1)'])
  })
})

describe('while a confirmation is under way', () => {
  test('what gets worse is told with it, once', async () => {
    await using bot = await watched(QUICK)
    bot.stage.fails('/positions', 'hang')
    await falls(bot, 94, 500)
    expect(await falls(bot, 91, 1_499)).toEqual([])
    await bot.pass(501)
    expect(titles(bot.hears())).toEqual(['[CRITICAL] BTC long: 1.1% to liquidation (A1)'])
  })

  test('a price that comes back takes nothing back: it is told, and then that it is over', async () => {
    await using bot = await watched(QUICK)
    bot.stage.fails('/positions', 'hang')
    await falls(bot, 94, 500)
    expect(await falls(bot, 130, 1_499)).toEqual([])
    await bot.pass(1_001)
    expect(titles(bot.hears())).toEqual([
      '[CRITICAL] BTC long: 4.3% to liquidation (A1)',
      '[RESOLVED] BTC long is safe again: 30.8% from liquidation (A1)',
    ])
  })

  test('nothing is called over that is about to be told as worse', async () => {
    await using bot = await watched(QUICK)
    await falls(bot, 110, 30_000)
    bot.stage.fails('/positions', 'hang')
    await falls(bot, 94, 500)
    expect(await falls(bot, 130, 1_499)).toEqual([])
    await bot.pass(1_001)
    expect(titles(bot.hears())).toEqual([
      '[CRITICAL] BTC long: 4.3% to liquidation (A1)',
      '[RESOLVED] BTC long is safe again: 30.8% from liquidation (A1)',
    ])
  })

  test('what a chat waits for is told together', async () => {
    await using bot = await watched()
    bot.stage.positions(BOB, [{ ...LONG, size: 3 }])
    await bot.says(`/watch ${BOB} other`)
    await bot.pass(20_000)
    bot.hears()
    const heard = await falls(bot, 94)
    expect(heard).toHaveLength(1)
    expect(heard[0]?.match(/\[CRITICAL\]/g)).toHaveLength(2)
  })
})

test('a crash of the whole market asks for what is free, and tells the others at once', async () => {
  const settings = { requestsPerSecond: 20, maxWallets: 60, walletPollMaxMs: 600_000 }
  await using bot = await startBot({ settings })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(0)
  for (let index = 1; index <= 40; index++) {
    const wallet = `0x${String(index).padStart(40, '0')}`
    bot.stage.positions(wallet, [LONG])
    await bot.says(`/watch ${wallet} w${index}`)
    await bot.pass(1_000)
  }
  await bot.pass(20_000)
  bot.hears()
  const before = bot.stage.asked.filter((path) => path.startsWith('/positions')).length
  bot.stage.fails('/positions', 'hang')
  const atOnce = (await falls(bot, 94)).join('\n').match(/\[CRITICAL\]/g)?.length ?? 0
  const asked = bot.stage.asked.filter((path) => path.startsWith('/positions')).length - before
  expect([asked > 0, asked <= 5, atOnce]).toEqual([true, true, 40 - asked])
  await bot.pass(2_000)
  expect(
    bot
      .hears()
      .join('\n')
      .match(/\[CRITICAL\]/g),
  ).toHaveLength(asked)
})

describe('what happens with a danger that is confirmed first', () => {
  const flipped = { price: 94, funding: -0.0001 }
  const both = [
    expect.stringContaining('BTC long: 4.3% to liquidation'),
    expect.stringContaining('BTC funding flipped'),
  ]
  const said = (heard: string[]) => heard.map((text) => both.map((what) => what.asymmetricMatch(text)))

  test('in the same tick is told with it, in one message', async () => {
    await using bot = await watched()
    bot.stage.market('BTC', flipped)
    await bot.pass(2_000)
    expect(said(bot.hears())).toEqual([[true, true]])
    await bot.pass(60_000)
    expect(bot.hears().join()).not.toContain('funding')
  })

  test('also when the wallet cannot be read in time', async () => {
    await using bot = await watched(QUICK)
    bot.stage.fails('/positions', 'hang')
    bot.stage.market('BTC', flipped)
    await bot.pass(1_500)
    expect(bot.hears()).toEqual([])
    await bot.pass(1_500)
    expect(said(bot.hears())).toEqual([[true, true]])
  })

  test('and that the fresh read shows is told with it, too', async () => {
    await using bot = await watched()
    bot.stage.positions(ALICE, [{ ...LONG, size: 3 }])
    const heard = await falls(bot, 94)
    expect(heard).toHaveLength(1)
    expect(heard[0]).toContain('BTC long: 4.3% to liquidation')
    expect(heard[0]).toContain('BTC long grew')
  })

  test('is told alone when the danger is none', async () => {
    await using bot = await watched()
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 60 }])
    bot.stage.market('BTC', flipped)
    await bot.pass(2_000)
    expect(said(bot.hears())).toEqual([[false, true]])
  })
})
