import type { BotUnderTest } from '../bot.ts'
import { CALM, type Chapter, goes, MINUTE_MS, passes, type Shown, SLOW } from './scene.ts'

/** Somebody asks for this; what it says about what is so already is heard before. */
async function asked(bot: BotUnderTest, ...lines: string[]): Promise<void> {
  for (const line of lines) await bot.says(line)
  await passes(bot, 30_000)
}

/** Funding goes towards zero, which it reaches in four and a half hours; what is said of it in so many minutes. */
async function turning(bot: BotUnderTest, minutes: number): Promise<string[]> {
  const velocity = -0.024
  for (let minute = 0; minute < minutes; minute++) {
    bot.stage.market('BTC', { funding: 0.0045 + (velocity * minute) / 1_440, velocity })
    await bot.pass(MINUTE_MS)
  }
  return bot.hears()
}

export const market: Chapter = {
  title: 'A market does what you wait for',
  sections: [
    {
      title: 'The price reaches a level',
      words: 'Each of several levels has its own alert, which clears half a percent behind it.',
      options: CALM,
      async play(bot): Promise<Shown[]> {
        await asked(bot, '/alert price BTC above 125000', '/alert price BTC above 130k')
        return [...(await goes(bot, 125_400)), ...(await goes(bot, 131_000)), ...(await goes(bot, 124_000))]
      },
    },
    {
      title: 'The price moves far within a time',
      words:
        'Judged by the prices seen, when two readings show it. Each direction is reported once. It comes again after moving as far again, or after most of the move was gone.',
      options: CALM,
      async play(bot): Promise<Shown[]> {
        await asked(bot, '/alert price-move BTC 5% 1h')
        await goes(bot, 121_000, 10 * MINUTE_MS)
        return [...(await goes(bot, 127_000)), ...(await goes(bot, 120_500))]
      },
    },
    {
      title: 'The funding rate is beyond a threshold',
      words: 'As a rate per year, and in dollars a day for your position there.',
      options: CALM,
      async play(bot): Promise<Shown[]> {
        await asked(bot, '/alert funding-rate BTC above 50%/y')
        bot.stage.market('BTC', { funding: 0.002 })
        const over = await passes(bot, 30_000)
        bot.stage.market('BTC', { funding: 0.001 })
        return [...over, ...(await passes(bot, 30_000))]
      },
    },
    {
      title: 'Funding is about to turn',
      words:
        'Sent if the venue’s own figures agree with the rates seen. Otherwise, or not yet, nothing is sent.',
      options: SLOW,
      async play(bot): Promise<Shown[]> {
        await asked(bot, '/alert funding-forecast BTC 3h')
        return turning(bot, 100)
      },
    },
    {
      title: 'A market is listed, and another one removed',
      words:
        'A market must be missing from complete lists for a minute, or for ten if most are missing. Several at once are one message.',
      options: CALM,
      async play(bot): Promise<Shown[]> {
        for (const symbol of ['ETH', 'OLD']) bot.stage.market(symbol, { price: 2_600 })
        await bot.pass(2 * MINUTE_MS)
        await asked(bot, '/alert market-listed', '/alert market-removed')
        bot.stage.market('NEW', { price: 5, funding: 0.001 })
        const listed = await passes(bot, 10_000)
        bot.stage.market('OLD', { missing: true })
        return [...listed, ...(await passes(bot, 2 * MINUTE_MS))]
      },
    },
  ],
}
