import { expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'
import type { BotUnderTest } from '../support/bot.ts'

// Mistakes that bots of this kind make, told to a person at a phone.

/** A BTC long that is liquidated at 90, watched; the price is this. */
async function watching(price: number): Promise<BotUnderTest> {
  const bot = await startBot()
  bot.stage.market('BTC', { price, funding: 0.0001 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  return bot
}
async function at(bot: BotUnderTest, price: number): Promise<string[]> {
  bot.stage.market('BTC', { price, funding: 0.0001 })
  await bot.pass(20_000)
  return bot.hears().map((text) => text.split('\n')[0] ?? '')
}

test('critical, healthy and a warning within the hour: each of them is told', async () => {
  await using bot = await watching(130)
  expect(await at(bot, 94)).toEqual([expect.stringContaining('[CRITICAL] BTC long is 4.3 %')])
  expect(await at(bot, 130)).toEqual([expect.stringContaining('[CLEARED]')])
  expect(await at(bot, 98)).toEqual([expect.stringContaining('[WARNING] BTC long is 8.2 %')])
})

test('a position that is critical when it is first seen is told at once', async () => {
  await using bot = await watching(94)
  await bot.pass(100)
  expect(bot.hears().join()).toContain('[CRITICAL] BTC long is 4.3 % from liquidation')
})

test('a warning does not keep what is critical silent, however soon it follows', async () => {
  await using bot = await watching(130)
  expect(await at(bot, 98)).toHaveLength(1)
  bot.stage.market('BTC', { price: 94, funding: 0.0001 })
  await bot.pass(3_000)
  expect(bot.hears().join()).toContain('[CRITICAL] BTC long is 4.3 %')
})
