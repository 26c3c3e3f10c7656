import { ALICE, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from './bot.ts'

type Options = NonNullable<Parameters<typeof startBot>[0]>

export const red = { platform: 'red', user: 'olga' }
export const blue = { platform: 'blue', user: 'olga-blue' }

/** Olga is told on red, has blue as well, and a BTC long that is liquidated at 90. Nothing of that is heard any more. */
export async function onTwoPlatforms(
  settings: Options['settings'] = UNHURRIED,
  options: Pick<Options, 'site'> = {},
): Promise<BotUnderTest> {
  const bot = await startBot({
    platforms: ['red', 'blue'],
    settings: { ...UNHURRIED, ...settings },
    ...options,
  })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, red)
  await bot.says(`/watch ${ALICE} main`, red)
  const code = /\/link (\S+)/.exec(await bot.says('/link', red))?.[1] ?? ''
  await bot.says(`/link ${code} yes`, blue)
  await bot.says(`/link ${code} yes`, red)
  await bot.pass(2_000)
  for (const { platform, user } of [red, blue]) bot.hears(user, platform)
  return bot
}
