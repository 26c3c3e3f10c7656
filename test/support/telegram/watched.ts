import { ALICE } from '../bot.ts'
import { CLAIM, type TelegramBot } from './bot.ts'
import type { User } from './people.ts'

/**
 * Ann claims the bot, and watches a wallet as `main`. It is long in each of these markets at 130, which is far from its
 * liquidation at 90: nothing is told of that.
 */
export async function annWatches(bot: TelegramBot, symbols: readonly string[] = ['BTC']): Promise<User> {
  for (const symbol of symbols) bot.stage.market(symbol, { price: 130 })
  bot.stage.positions(
    ALICE,
    symbols.map((symbol) => ({ symbol, size: 1.5, entry: 120, liquidation: 90 })),
  )
  await bot.pass(2_000)
  const ann = bot.telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, `/watch ${ALICE} main`)
  await bot.pass(10_000)
  return ann
}
