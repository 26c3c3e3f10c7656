import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'
import { titles } from '../support/watched.ts'

const BTC = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }
const ETH = { symbol: 'ETH', size: 10, entry: 12, liquidation: 5 }

/** So many polls, each with new prices of these markets. */
async function moves(bot: BotUnderTest, polls: number, ...symbols: string[]) {
  for (let poll = 0; poll < polls; poll++) {
    for (const symbol of symbols)
      bot.stage.market(symbol, { price: (symbol === 'BTC' ? 130 : 13) + (poll % 50) / 1_000 })
    await bot.pass(2_000)
  }
}

async function watching(): Promise<BotUnderTest> {
  const bot = await startBot()
  bot.stage.market('BTC', { price: 130 })
  bot.stage.market('ETH', { price: 13 })
  bot.stage.positions(ALICE, [BTC, ETH])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await moves(bot, 40, 'BTC', 'ETH')
  bot.hears()
  return bot
}

describe('prices that stand still', () => {
  test('one market while the others move: BLIND after two minutes, and seen again when it moves', async () => {
    await using bot = await watching()
    await moves(bot, 55, 'ETH')
    expect(bot.hears()).toEqual([])
    await moves(bot, 45, 'ETH')
    const heard = bot.hears()
    expect(titles(heard)).toEqual([expect.stringMatching(/\[BLIND\] I can’t see the market BTC/)])
    expect(heard[0]).toContain('unchanged for two minutes, while other markets move')
    await moves(bot, 5, 'BTC', 'ETH')
    expect(titles(bot.hears())).toEqual([expect.stringMatching(/I can see the market BTC again/)])
  }, 30_000)

  test('a market that seldom moves is believed, and /positions says since when its price is the same', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 130 })
    bot.stage.market('ETH', { price: 13 })
    bot.stage.positions(ALICE, [BTC])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await moves(bot, 105, 'ETH')
    expect(titles(bot.hears()).filter((title) => title.includes('BLIND'))).toEqual([])
    expect(await bot.says('/positions')).toMatch(/index \$130\.00 \(the same for 4 min\)/)
    await moves(bot, 1, 'BTC')
    bot.stage.market('BTC', { price: 131 })
    await bot.pass(2_000)
    expect(await bot.says('/positions')).not.toContain('the same for')
  }, 30_000)

  test('a rule about a market that is gone is named, with what ends it', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 130 })
    bot.stage.market('ETH', { price: 13 })
    await bot.pass(0)
    await bot.says('/alert price BTC above 150')
    await bot.pass(4_000)
    bot.stage.market('BTC', { missing: true })
    await bot.pass(20_000)
    const [heard] = bot.hears()
    expect(heard).toMatch(/\[BLIND\] I can’t see the market BTC/)
    expect(heard).toContain('the venue does not list it')
    expect(heard).toMatch(/R\d+ waits until then\. To end it: \/remove R\d+/)
  })

  test('a rule about a market that the venue keeps in its list as delisted is named as well, once', async () => {
    await using bot = await onHyperliquid()
    await bot.answers('/alert price ATOM above 100 yes')
    await bot.pass(10_000)
    bot.hears()
    bot.venue.delists('ATOM', 2)
    await bot.pass(60_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([expect.stringMatching(/\[BLIND\] I can’t see the market ATOM/)])
    expect(heard[0]).toContain('the market is delisted')
    expect(heard[0]).toMatch(/R\d+ waits until then\. To end it: \/remove R\d+/)
    await bot.pass(300_000)
    expect(bot.hears()).toEqual([])
  }, 30_000)
})
