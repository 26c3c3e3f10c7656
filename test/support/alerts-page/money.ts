import type { BotUnderTest } from '../bot.ts'
import { type Chapter, forget, goes, holds, LONG, passes } from './scene.ts'

type Position = Parameters<BotUnderTest['stage']['positions']>[1][number]

/** So far from its liquidation that nothing is said of that. */
const FAR: Position = { ...LONG, liquidation: 20_000 }

/** It holds this, the rule is set, and nothing of that is heard. */
async function asked(bot: BotUnderTest, rule: string, position = FAR): Promise<void> {
  await holds(bot, position)
  await bot.says(rule)
  await goes(bot, 100_000)
  forget(bot)
}

export const money: Chapter = {
  title: 'A position gains, loses or costs',
  sections: [
    {
      title: 'It has lost so much, and more, and less',
      words: 'For people who asked for it: `/alert pnl BTC -$5k -$10k`. A smaller loss does not ring.',
      async play(bot) {
        await asked(bot, '/alert pnl BTC -$5k -$10k')
        const lost = [...(await goes(bot, 91_500)), ...(await goes(bot, 87_000))]
        return [...lost, ...(await goes(bot, 90_500)), ...(await goes(bot, 94_000))]
      },
    },
    {
      title: 'It has gained so much',
      words:
        '`/alert pnl BTC +20% notional`: of what it was worth at the entry. `margin` is of the margin that its leverage sets.',
      async play(bot) {
        await asked(bot, '/alert pnl BTC +20% notional')
        return goes(bot, 114_500)
      },
    },
    {
      title: 'It crosses its break-even',
      words:
        '`/alert break-even BTC`: either way, by 0.3% of the price. With the fee of closing where the venue gives it, else its entry.',
      async play(bot) {
        await asked(bot, '/alert break-even BTC', { ...FAR, breakEven: 95_210 })
        return [...(await goes(bot, 94_800)), ...(await goes(bot, 95_600))]
      },
    },
    {
      title: 'Its liquidation price comes nearer by itself',
      words:
        '`/alert liquidation-moved`: by more than a tenth of the distance though its size is the same, with the cause that the readings show.',
      async play(bot) {
        bot.stage.market('ETH', { price: 2_600 })
        await holds(bot, FAR, { symbol: 'ETH', size: -20, entry: 2_600, liquidation: 9_000 })
        await bot.says('/alert liquidation-moved')
        await goes(bot, 100_000)
        forget(bot)
        bot.stage.market('ETH', { price: 3_600 })
        const [far, near] = [60_000, 73_500].map((liquidation) => ({ ...FAR, liquidation }))
        const short = { symbol: 'ETH', size: -20, entry: 2_600, liquidation: 9_000 }
        await holds(bot, far ?? FAR, short)
        forget(bot)
        bot.stage.market('ETH', { price: 4_600 })
        const lost = await holds(bot, near ?? FAR, short)
        return [...lost, ...(await holds(bot, { ...FAR, liquidation: 82_000 }, short))]
      },
    },
    {
      title: 'Its funding costs so much a day',
      words: '`/alert funding-cost BTC $50`, at the present rate and price.',
      async play(bot) {
        await asked(bot, '/alert funding-cost BTC $50')
        bot.stage.market('BTC', { funding: 0.0004 })
        const dear = await passes(bot, 20_000)
        bot.stage.market('BTC', { funding: 0.0001 })
        return [...dear, ...(await passes(bot, 20_000))]
      },
    },
  ],
}
