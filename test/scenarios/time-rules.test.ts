import { expect, test } from 'vitest'

import { type BotUnderTest, startBot } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

// Mistakes that bots of this kind make, told to a person at a phone.

async function at(bot: BotUnderTest, price: number): Promise<string[]> {
  bot.stage.market('BTC', { price, funding: 0.0001 })
  await bot.pass(20_000)
  return bot.hears().map((text) => text.split('\n')[0] ?? '')
}

test('critical, healthy and a warning within the hour: each of them is told', async () => {
  await using bot = await startBot()
  await watched(bot)
  expect(await at(bot, 94)).toEqual([expect.stringContaining('[CRITICAL] BTC long: 4.3%')])
  expect(await at(bot, 130)).toEqual([expect.stringContaining('[RESOLVED]')])
  expect(await at(bot, 98)).toEqual([expect.stringContaining('[WARNING] BTC long: 8.2%')])
})

test('a position that is critical when it is first seen is told at once', async () => {
  await using bot = await startBot()
  const heard = await watched(bot, 94, { ms: 100 })
  expect(heard.join()).toContain('[CRITICAL] BTC long: 4.3% to liquidation')
})

test('a warning does not keep what is critical silent, however soon it follows', async () => {
  await using bot = await startBot()
  await watched(bot)
  expect(await at(bot, 98)).toHaveLength(1)
  bot.stage.market('BTC', { price: 94, funding: 0.0001 })
  await bot.pass(3_000)
  expect(bot.hears().join()).toContain('[CRITICAL] BTC long: 4.3%')
})
