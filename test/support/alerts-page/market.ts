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
  title: 'A market does what somebody waits for',
  sections: [
    {
      title: 'The price reaches a level',
      words: 'Of several levels each is told by itself, and each is over half a percent behind it.',
      options: CALM,
      async play(bot): Promise<Shown[]> {
        await asked(bot, '/alert price BTC above 125000', '/alert price BTC above 130k')
        return [...(await goes(bot, 125_400)), ...(await goes(bot, 131_000)), ...(await goes(bot, 124_000))]
      },
    },
    {
      title: 'The price moves far within a time',
      words:
        'By the prices that were seen, when two readings show it: each way once, and again when it has gone as far again, or most of it was gone.',
      options: CALM,
      async play(bot): Promise<Shown[]> {
        await asked(bot, '/alert price-move BTC 5% 1h')
        await goes(bot, 121_000, 10 * MINUTE_MS)
        return [...(await goes(bot, 127_000)), ...(await goes(bot, 120_500))]
      },
    },
    {
      title: 'The funding rate is beyond a line',
      words: 'As a rate per year, and what it is a day for whoever holds a position there.',
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
        'Where the venue’s own figures and what was seen of the rate agree; nothing is said where they do not, or not yet.',
      options: SLOW,
      async play(bot): Promise<Shown[]> {
        await asked(bot, '/alert funding-forecast BTC 3h')
        return turning(bot, 100)
      },
    },
    {
      title: 'A market is listed, and another one removed',
      words:
        'What is missing has to be so in whole lists for a minute; if most of them are, for ten. All at once are one message.',
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
