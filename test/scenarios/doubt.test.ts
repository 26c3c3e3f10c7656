import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'
import { titles } from '../support/watched.ts'

const CAROL = `0x${'c'.repeat(40)}`
const WALLETS = [ALICE, BOB, CAROL]
const LONG = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90, openedAt: 1_760_000_000 }

function shows(bot: BotUnderTest, positions: (typeof LONG)[], wallets = WALLETS): void {
  for (const wallet of wallets) bot.stage.positions(wallet, positions)
}

async function threeWallets(price: number): Promise<BotUnderTest> {
  const bot = await startBot()
  bot.stage.market('BTC', { price })
  shows(bot, [LONG])
  await bot.pass(0)
  for (const [place, wallet] of WALLETS.entries()) await bot.says(`/watch ${wallet} w${place}`)
  await bot.pass(70_000)
  bot.hears()
  return bot
}

describe('a venue that shows no positions of anybody', () => {
  for (const price of [130, 100]) {
    test(`for seconds closes none of them, at a price of ${price}`, async () => {
      await using bot = await threeWallets(price)
      shows(bot, [])
      await bot.pass(20_000)
      shows(bot, [LONG])
      await bot.pass(70_000)
      expect(titles(bot.hears()).filter((title) => /closed|opened|gone/.test(title))).toEqual([])
    })
  }

  test('is told as doubt when it stays, and what gets worse meanwhile is told', async () => {
    await using bot = await threeWallets(100)
    shows(bot, [])
    await bot.pass(60_000)
    const heard = bot.hears().join('\n')
    expect(heard).toMatch(/\[BLIND\] I can’t see wallet w/)
    expect(heard).toContain('it shows no positions of')
    expect(heard).not.toMatch(/closed|gone/)
    bot.stage.market('BTC', { price: 91 })
    await bot.pass(6_000)
    expect(titles(bot.hears())).toContainEqual(expect.stringMatching(/CRITICAL.*BTC long: 1.1%/))
  })

  test('is believed in the end, but not about the cause', async () => {
    await using bot = await threeWallets(130)
    shows(bot, [])
    await bot.pass(15 * 60_000)
    const ends = titles(bot.hears()).filter((title) => title.includes('BTC long'))
    expect(ends).toHaveLength(3)
    for (const end of ends) expect(end).toMatch(/BTC long is gone, cause unknown/)
  })
})

test('one wallet that is closed while others are shown is told within seconds', async () => {
  await using bot = await threeWallets(130)
  shows(bot, [], [ALICE])
  await bot.pass(70_000)
  expect(titles(bot.hears())).toEqual([expect.stringMatching(/BTC long was closed/)])
})

test('a position that comes back with the same entry and time was never gone', async () => {
  await using bot = await startBot()
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(10_000)
  bot.stage.positions(ALICE, [])
  await bot.pass(70_000)
  expect(titles(bot.hears())).toEqual([expect.stringMatching(/BTC long was closed/)])
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(70_000)
  const heard = bot.hears()
  expect(titles(heard)).toEqual([expect.stringMatching(/\[WARNING\] BTC long is still open/)])
  bot.stage.positions(ALICE, [])
  await bot.pass(70_000)
  bot.stage.positions(ALICE, [{ ...LONG, openedAt: 1_760_009_000 }])
  await bot.pass(70_000)
  expect(titles(bot.hears())).toContainEqual(expect.stringMatching(/BTC long opened/))
})

test('a list that has lost all its markets is an outage of the venue: told once, after ten seconds', async () => {
  await using bot = await threeWallets(130)
  bot.stage.market('BTC', { missing: true })
  await bot.pass(13_000)
  const heard = bot.hears()
  expect(titles(heard)).toEqual([expect.stringMatching(/\[BLIND\] I can’t see the venue/)])
  expect(heard[0]).toContain('the venue answers with an empty list of markets')
  await bot.pass(60_000)
  expect(bot.hears()).toEqual([])
  bot.stage.market('BTC', { missing: false })
  await bot.pass(4_000)
  expect(titles(bot.hears())).toEqual([expect.stringMatching(/I can see the venue again/)])
})
