import { ALICE, BOB, type BotUnderTest } from '../bot.ts'
import { recorded } from './recorded.ts'
import { CALM, type Chapter, goes, holds, LONG, MINUTE_MS, passes, SHORT } from './scene.ts'

async function fundingIs(bot: BotUnderTest, funding: number): Promise<string[]> {
  bot.stage.market('BTC', { funding })
  return passes(bot, 5_000)
}

export const events: Chapter = {
  title: 'Something has happened',
  sections: [
    {
      title: 'A position is opened',
      words: 'Quiet, like everything that people do themselves.',
      async play(bot) {
        bot.stage.market('ETH', { price: 2_600 })
        return holds(bot, LONG, SHORT)
      },
    },
    {
      title: 'It grows, and it shrinks',
      words: 'Changes within ten minutes come together, at their end.',
      options: CALM,
      async play(bot) {
        const grown = await holds(bot, { ...LONG, size: 2.5, liquidation: 92_000 })
        await passes(bot, 10 * MINUTE_MS)
        return [...grown, ...(await holds(bot, { ...LONG, size: 1, liquidation: 88_000 }))]
      },
    },
    {
      title: 'A followed wallet trades',
      words: 'For `/follow 0x… whale $10k`: quiet, and never a warning. Here it grows, turns, and closes.',
      async play(bot) {
        bot.stage.positions(BOB, [{ ...LONG, liquidation: 20_000 }])
        await bot.says(`/follow ${BOB} whale $10k`)
        await passes(bot, MINUTE_MS)
        const does = (...positions: Parameters<typeof bot.stage.positions>[1]) => {
          bot.stage.positions(BOB, positions)
          return passes(bot, 7 * MINUTE_MS)
        }
        const grown = await does({ ...LONG, size: 2.5, liquidation: 20_000 })
        const turned = await does({ ...LONG, size: -1, liquidation: 190_000 })
        return [...grown, ...turned, ...(await does())]
      },
    },
    { title: 'It is closed', words: '', play: (bot) => holds(bot) },
    {
      title: 'It is closed at a loss',
      words: 'Everybody who was warned of it reads that it has ended.',
      async play(bot) {
        await goes(bot, 94_000)
        return (await holds(bot)).slice(-1)
      },
    },
    {
      title: 'It is liquidated',
      words: 'Said if the price reached its liquidation. Unknown figures are called unknown.',
      async play(bot) {
        await goes(bot, 94_000)
        await goes(bot, 89_000)
        return (await holds(bot)).slice(-1)
      },
    },
    {
      title: 'It is gone, and the cause is unknown',
      words: 'The price was so near that it may have been liquidated between two looks.',
      async play(bot) {
        await goes(bot, 91_000)
        return (await holds(bot)).slice(-1)
      },
    },
    {
      title: 'It is gone, and nobody looked',
      words: '',
      async play(bot) {
        bot.stage.positions(ALICE, [])
        await bot.restart(20 * MINUTE_MS)
        return passes(bot, MINUTE_MS)
      },
    },
    ...recorded,
    {
      title: 'Funding turns against somebody',
      words: 'Told from the side of your position. It rings from a dollar a day on.',
      async play(bot) {
        await fundingIs(bot, -0.0001)
        return fundingIs(bot, 0.0003)
      },
    },
    {
      title: 'Funding turns in somebody’s favour',
      words: 'Quiet.',
      play: (bot) => fundingIs(bot, -0.0003),
    },
    {
      title: 'Funding turns where several positions are held',
      words: '',
      async play(bot) {
        const other = { ...LONG, accountId: '2', size: -0.5, liquidation: 180_000 }
        await holds(bot, LONG, other)
        await fundingIs(bot, -0.0001)
        bot.hears()
        return fundingIs(bot, 0.0003)
      },
    },
    {
      title: 'Funding turns where nobody holds anything',
      words: 'For people with a rule about that market, or about all.',
      async play(bot) {
        await bot.says('/unwatch main yes')
        await bot.says('/alert flip BTC')
        return fundingIs(bot, -0.0003)
      },
    },
  ],
}
