import { ALICE, BOB, type BotUnderTest } from '../bot.ts'
import { CALM, type Chapter, forget, goes, LONG, MINUTE_MS, passes } from './scene.ts'

const dark = (bot: BotUnderTest, fault: 503 | null) => bot.stage.fails('/', fault)

export const unseen: Chapter = {
  title: 'Perch cannot see',
  sections: [
    {
      title: 'The venue cannot be seen',
      words: 'Nothing counts as safe meanwhile. Reminders of critical alerts show what was last known.',
      async play(bot) {
        await goes(bot, 94_000)
        dark(bot, 503)
        const said = await passes(bot, 45_000)
        dark(bot, null)
        return [...said, ...(await passes(bot, 15_000))]
      },
    },
    {
      title: 'A wallet cannot be read',
      words: 'Its last known positions are watched against live prices. Worse is sent.',
      async play(bot) {
        await goes(bot, 98_000)
        bot.stage.fails('/positions', 503)
        const said = await passes(bot, 45_000)
        const worse = await goes(bot, 93_000, 5_000)
        bot.stage.fails('/positions', null)
        return [...said, ...worse, ...(await passes(bot, 10_000))]
      },
    },
    {
      title: 'Several wallets cannot be read',
      words: 'One outage is one message, and so is its end.',
      async play(bot) {
        bot.stage.positions(BOB, [{ ...LONG, size: 3 }])
        await bot.says(`/watch ${BOB} desk`)
        await goes(bot, 98_000)
        bot.stage.fails('/positions', 503)
        const said = await passes(bot, MINUTE_MS)
        bot.stage.fails('/positions', null)
        return [...said, ...(await passes(bot, 2 * MINUTE_MS))]
      },
    },
    {
      title: 'One of them is near danger, another is far from it',
      words: 'The near one rings after half a minute and names the other, which follows quietly.',
      options: CALM,
      async play(bot) {
        bot.stage.market('ETH', { price: 2_600 })
        bot.stage.positions(BOB, [{ symbol: 'ETH', size: 10, entry: 2_600, liquidation: 1_300 }])
        await bot.says(`/watch ${BOB} desk`)
        await goes(bot, 98_000)
        bot.stage.fails('/positions', 503)
        return passes(bot, 5 * MINUTE_MS)
      },
    },
    {
      title: 'A market disappears from the list',
      words: '',
      async play(bot) {
        bot.stage.market('ETH', { price: 2_600 })
        await goes(bot, 98_000)
        bot.stage.market('BTC', { missing: true })
        const said = await passes(bot, 20_000)
        bot.stage.market('BTC', { missing: false })
        return [...said, ...(await passes(bot, 5_000))]
      },
    },
    {
      title: 'A snooze ends while nothing is seen',
      words: 'Nobody can say whether it is still on. The message shows what was last known.',
      options: CALM,
      async play(bot) {
        await goes(bot, 94_000)
        await bot.says('/snooze A1 10m')
        dark(bot, 503)
        await bot.pass(MINUTE_MS)
        forget(bot)
        return passes(bot, 9.5 * MINUTE_MS)
      },
    },
    {
      title: 'A price gets worse while nobody looks',
      words: 'What was missed comes with the return.',
      options: CALM,
      async play(bot) {
        await goes(bot, 98_000)
        dark(bot, 503)
        await bot.pass(5 * MINUTE_MS)
        forget(bot)
        bot.stage.market('BTC', { price: 93_000 })
        dark(bot, null)
        return passes(bot, 5_000)
      },
    },
    {
      title: 'Perch was not running',
      words: 'What got worse or happened meanwhile is sent once.',
      async play(bot) {
        await goes(bot, 98_000)
        bot.stage.market('BTC', { price: 93_000 })
        bot.stage.market('ETH', { price: 2_600 })
        bot.stage.positions(ALICE, [LONG, { symbol: 'ETH', size: 10, entry: 2_600, liquidation: 1_300 }])
        await bot.restart(7 * MINUTE_MS)
        return passes(bot, 50_000)
      },
    },
  ],
}
