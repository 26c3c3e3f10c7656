import { ALICE } from '../bot.ts'
import {
  CALM,
  type Chapter,
  goes,
  holds,
  HOUR_MS,
  later,
  LONG,
  MINUTE_MS,
  passes,
  SHORT,
  SLOW,
} from './scene.ts'

export const resting: Chapter = {
  title: 'Quiet hours, mutes and digests',
  sections: [
    {
      title: 'A mute, and its end',
      words: 'Alerts that aren’t critical wait, and come in one message.',
      options: CALM,
      async play(bot) {
        const answer = await bot.says('/mute BTC 10m')
        await goes(bot, 98_000)
        return [answer, ...(await passes(bot, 10 * MINUTE_MS))]
      },
    },
    {
      title: 'Quiet hours',
      words: 'Critical alerts still ring. The rest is one message in the morning.',
      options: CALM,
      async play(bot) {
        const answer = await bot.says('/quiet 12:00-12:10')
        await goes(bot, 98_000)
        await goes(bot, 130_000)
        bot.stage.market('ETH', { price: 2_600 })
        await holds(bot, LONG, SHORT)
        await goes(bot, 99_000)
        return [answer, ...(await passes(bot, 7 * MINUTE_MS))]
      },
    },
    {
      title: 'Quiet hours after which nothing is on',
      words: 'The summary itself is quiet then.',
      options: CALM,
      async play(bot) {
        await bot.says('/quiet 12:00-12:10')
        await goes(bot, 98_000)
        await goes(bot, 130_000)
        return passes(bot, 9 * MINUTE_MS)
      },
    },
    {
      title: 'The digest of a day',
      words:
        '`/digest 18:00` sets it. It makes no sound. A picture of the day follows where your chat shows pictures.',
      options: SLOW,
      async play(bot) {
        await bot.says('/digest 18:00')
        await goes(bot, 98_000, MINUTE_MS)
        bot.stage.market('ETH', { price: 2_600 })
        bot.stage.positions(ALICE, [LONG, SHORT])
        await bot.pass(10 * MINUTE_MS)
        bot.stage.fails('/markets', 503)
        await bot.pass(5 * MINUTE_MS)
        bot.stage.fails('/markets', null)
        await bot.pass(MINUTE_MS)
        await bot.says('/mute ETH 8h')
        return (await later(bot, 6 * HOUR_MS)).slice(-1)
      },
    },
    {
      title: 'A digest with nothing to tell',
      words: '',
      options: SLOW,
      async play(bot) {
        await bot.says('/digest 18:00')
        await holds(bot)
        await later(bot, 6 * HOUR_MS)
        return (await later(bot, 24 * HOUR_MS)).slice(-1)
      },
    },
    {
      title: 'A digest that is late',
      words: 'It was due while Perch was off.',
      options: SLOW,
      async play(bot) {
        await bot.says('/digest 18:00')
        await bot.restart(8 * HOUR_MS)
        return (await passes(bot, 10 * MINUTE_MS)).slice(-1)
      },
    },
    {
      title: 'A digest while the venue cannot be seen',
      words: '',
      options: SLOW,
      async play(bot) {
        await bot.says('/digest 13:00')
        for (const path of ['/markets', '/positions']) bot.stage.fails(path, 503)
        return (await passes(bot, HOUR_MS)).slice(-1)
      },
    },
  ],
}
