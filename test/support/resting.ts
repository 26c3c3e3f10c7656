import { type BotUnderTest, startBot } from './bot.ts'
import { watched } from './watched.ts'

/** Noon UTC: a BTC long that is liquidated at 90, watched, and far from it. */
export async function resting(): Promise<BotUnderTest> {
  const bot = await startBot()
  await watched(bot)
  await bot.says('/settings zone UTC')
  bot.hears()
  return bot
}

/** What is said by the time it is told, a line each. */
export async function at(bot: BotUnderTest, price: number): Promise<string[]> {
  bot.stage.market('BTC', { price, funding: 0.0001 })
  await bot.pass(20_000)
  return bot.hears().map((text) => text.split('\n')[0] ?? '')
}
