import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const MINUTE_MS = 60_000
const LONG = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }

/** A BTC long that is liquidated at 90, watched and far from it. */
async function watching(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot(options)
  await watched(bot)
  await bot.says('/settings zone UTC')
  await bot.pass(MINUTE_MS)
  posted(bot)
  return bot
}

const seen = new WeakMap<BotUnderTest, number>()
/** The new messages in the chat since the last look: whether each rings, and its first line. */
function posted(bot: BotUnderTest): string[] {
  const all = bot.platforms.get('recorder')?.sees('me', 'me') ?? []
  const alerts = all.filter(({ text }) => /^\[[A-Z]+\]/.test(text))
  const fresh = alerts.slice(seen.get(bot) ?? 0)
  seen.set(bot, alerts.length)
  return fresh.map(({ silent, text }) => `${silent ? 'quiet' : 'rings'}: ${text.split('\n')[0]}`)
}
async function at(bot: BotUnderTest, price: number, ms = 20_000): Promise<string[]> {
  bot.stage.market('BTC', { price })
  await bot.pass(ms)
  return posted(bot)
}

describe('a phone', () => {
  test('rings for what is reached and for what gets worse, and makes no sound for what is better or over', async () => {
    await using bot = await watching()
    const first = (await at(bot, 110)).concat(await at(bot, 99, 4_000))
    expect(first.concat(await at(bot, 94, 4_000))).toEqual([
      'rings: [INFO] BTC long: 18.2% to liquidation (A1)',
      'rings: [WARNING] BTC long: 9.1% to liquidation (A1)',
      'rings: [CRITICAL] BTC long: 4.3% to liquidation (A1)',
    ])
    expect((await at(bot, 97, 4_000)).concat(await at(bot, 130, 4_000))).toEqual([
      'quiet: [INFO] BTC long recovered to 7.2% from liquidation (A1)',
      'quiet: [RESOLVED] BTC long is safe again: 30.8% from liquidation (A1)',
    ])
  })

  test('rings again for what nobody answers: a new message, for an edit makes no sound', async () => {
    await using bot = await watching()
    const all = [...(await at(bot, 94)), ...(await at(bot, 94, 3 * MINUTE_MS))]
    expect(all).toEqual(Array(3).fill('rings: [CRITICAL] BTC long: 4.3% to liquidation (A1)'))
  })

  test('rings for what is critical when it is first seen, by the first reading of it', async () => {
    const settings = { marketPollMs: 600_000, walletPollMinMs: 600_000, walletPollMaxMs: 1_200_000 }
    await using bot = await startBot({ settings })
    bot.stage.market('BTC', { price: 92 })
    bot.stage.positions(ALICE, [LONG])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(3_000)
    expect(posted(bot)).toEqual(['rings: [CRITICAL] BTC long: 2.2% to liquidation (A1)'])
  })

  test('rings for what is critical in quiet hours and through a mute; a warning that gets worse in them waits', async () => {
    await using bot = await watching()
    await bot.says('/quiet 11:00-14:00')
    await bot.says('/mute BTC 1h')
    expect(await at(bot, 110)).toEqual([])
    expect(await at(bot, 99)).toEqual([])
    expect(await at(bot, 94)).toEqual(['rings: [CRITICAL] BTC long: 4.3% to liquidation (A1)'])
  })

  test('makes no sound for what people do themselves', async () => {
    await using bot = await watching()
    bot.stage.positions(ALICE, [{ ...LONG, size: 3 }])
    expect(await at(bot, 130, 2 * MINUTE_MS)).toEqual(['quiet: [INFO] BTC long grew by 100% (A1)'])
    bot.stage.positions(ALICE, [])
    expect(await at(bot, 130, 2 * MINUTE_MS)).toEqual(['quiet: [INFO] BTC long was closed (A2)'])
  })

  test('makes no sound for the end of a danger that its owner has closed, where no rule tells of closes', async () => {
    await using bot = await watching()
    expect(await bot.says('/remove R4')).toContain('position-closed')
    expect(await at(bot, 106)).toEqual(['rings: [INFO] BTC long: 15.1% to liquidation (A1)'])
    bot.stage.positions(ALICE, [])
    expect(await at(bot, 106, 2 * MINUTE_MS)).toEqual(['quiet: [INFO] BTC long was closed (A1)'])
  })
})

test('a fall that goes on between two lines is one message, however often it is read', async () => {
  await using bot = await watching()
  expect(await at(bot, 99)).toHaveLength(1)
  for (let price = 98.9; price > 95; price -= 0.1) expect(await at(bot, price, 4_000)).toEqual([])
})

test('whoever has been warned and then acts hears that it is over, and nothing more', async () => {
  await using bot = await watching()
  await at(bot, 94)
  bot.stage.positions(ALICE, [{ ...LONG, size: 1.49, liquidation: 60 }])
  expect(await at(bot, 94, 10_000)).toEqual([
    'quiet: [RESOLVED] BTC long is safe again: 36.2% from liquidation (A1)',
  ])
  expect(await at(bot, 94, 10 * MINUTE_MS)).toEqual([])
})

test('a liquidation price that comes nearer by itself is told, although the price stands still', async () => {
  await using bot = await watching()
  bot.stage.positions(ALICE, [{ ...LONG, liquidation: 125 }])
  expect(await at(bot, 130, MINUTE_MS)).toEqual(['rings: [CRITICAL] BTC long: 3.8% to liquidation (A1)'])
})

test('of twenty-five positions that fall together each is named, in messages of ten, the worst first', async () => {
  await using bot = await startBot()
  const symbols = Array.from({ length: 25 }, (_, index) => `M${index + 1}`)
  for (const symbol of symbols) bot.stage.market(symbol, { price: 130 })
  bot.stage.positions(
    ALICE,
    symbols.map((symbol, index) => ({ symbol, size: 1, entry: 120, liquidation: 90 + index / 10 })),
  )
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(20_000)
  for (const symbol of symbols) bot.stage.market(symbol, { price: 94 })
  await bot.pass(4_000)
  const heard = bot.hears()
  expect(heard.map((text) => text.match(/\[CRITICAL\]/g)?.length)).toEqual([10, 10, 5])
  const named = heard.flatMap((text) => [...text.matchAll(/\] (M\d+) long/g)].map(([, name]) => name))
  expect(named).toEqual(symbols.toReversed())
})
