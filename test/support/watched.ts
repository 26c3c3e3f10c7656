import { ALICE } from './bot.ts'
import type { BotUnderTest } from './bot.ts'

/** Alice watches her wallet, which is long BTC and liquidated at 90; what she hears of it at this price. */
export async function watched(bot: BotUnderTest, price: number): Promise<string[]> {
  bot.stage.market('BTC', { price, funding: 0.0002 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(20_000)
  return bot.hears()
}

/** The first lines of everything that was heard. */
export const titles = (heard: string[]) =>
  heard.flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))
