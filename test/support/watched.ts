import { ALICE, type BotUnderTest, CLAIM_CODE, type Who } from './bot.ts'

/** So far from 90 that nothing is told of it. */
const FAR = 130

/**
 * Alice's wallet, which is long BTC and liquidated at 90, is watched as `main`: what is heard of it at this price.
 * `by` claims the bot first, and watches; without, it is whoever sits at the terminal.
 */
export async function watched(
  bot: BotUnderTest,
  price = FAR,
  { by = null, ms = 20_000 }: { by?: Who | null; ms?: number } = {},
): Promise<string[]> {
  bot.stage.market('BTC', { price, funding: 0.0001 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  if (by) await bot.says(`/start ${CLAIM_CODE}`, by)
  await bot.says(`/watch ${ALICE} main`, by ?? {})
  await bot.pass(ms)
  return bot.hears(by?.user, by?.platform)
}

/** The first lines of everything that was heard. */
export const titles = (heard: string[]) =>
  heard.flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))
