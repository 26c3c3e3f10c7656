import {
  blue,
  CALM,
  type Chapter,
  forget,
  goes,
  goesDown,
  holds,
  HOUR_MS,
  later,
  LONG,
  MINUTE_MS,
  passes,
  SHORT,
  SLOW,
  stands,
  TWO,
} from './scene.ts'

export const acknowledging: Chapter = {
  title: 'Nobody answers, or somebody does',
  sections: [
    {
      title: 'Nobody answers',
      words:
        'Reminders come 1, 3, 7, 15 and 31 minutes after the first alert, then every 30 minutes. Each shows the present figures.',
      async play(bot) {
        await goes(bot, 94_000)
        return goes(bot, 93_500, MINUTE_MS)
      },
    },
    {
      title: 'Still nobody answers',
      words:
        'From the third reminder on, after seven minutes, the fallback gets it too. `/settings escalate` makes it sooner.',
      options: { ...TWO, ...CALM },
      async play(bot) {
        await goes(bot, 94_000)
        await bot.pass(8 * MINUTE_MS)
        return [{ note: 'On the fallback, for the first time:' }, ...bot.hears('me', 'blue')]
      },
    },
    {
      title: 'Nobody answers all night',
      words: 'The last reminder. A worse tier and the end are still sent.',
      options: SLOW,
      async play(bot) {
        await goes(bot, 94_000, MINUTE_MS)
        const all = await passes(bot, 12.1 * HOUR_MS)
        return all.filter((text) => text.includes('Last reminder'))
      },
    },
    {
      title: 'The chat takes no messages',
      words: 'A critical alert goes to the fallback after a minute. The end goes there too.',
      options: { ...TWO, ...CALM },
      async play(bot) {
        const up = goesDown(bot, 'red')
        await goes(bot, 94_000)
        await bot.pass(50_000)
        const copy = bot.hears('me', 'blue').slice(0, 1)
        await bot.says('/ack', blue)
        up()
        await bot.pass(2 * MINUTE_MS)
        await holds(bot)
        const over = bot.hears('me', 'blue').slice(-1)
        return [...copy, ...over]
      },
    },
    {
      title: 'Somebody acknowledges',
      words: 'The message changes in place. It is quiet until it gets worse or clears, 12 h at most.',
      async play(bot) {
        await goes(bot, 94_000)
        return [await bot.says('/ack A1')]
      },
    },
    {
      title: 'Somebody acknowledges elsewhere',
      words: '',
      options: TWO,
      async play(bot) {
        await goes(bot, 94_000)
        await bot.says('/ack A1', blue)
        await bot.pass(5_000)
        const edited = stands(bot, 'red')
        await goes(bot, 91_000)
        bot.platforms.get('red')?.removes('me')
        forget(bot)
        await bot.says('/ack A1', blue)
        return [
          { note: 'The message changes in place:' },
          edited,
          { note: 'If it can’t be changed, one quiet message:' },
          ...(await passes(bot, 5_000)),
        ]
      },
    },
    {
      title: 'Somebody acknowledges everything that is on',
      words: '',
      async play(bot) {
        bot.stage.market('ETH', { price: 3_300 })
        await holds(bot, LONG, SHORT)
        await goes(bot, 94_000)
        return [await bot.says('/ack')]
      },
    },
    {
      title: 'An acknowledgement ends',
      words: 'After 12 h, if it is still on.',
      options: SLOW,
      async play(bot) {
        await goes(bot, 94_000, MINUTE_MS)
        await bot.says('/ack A1')
        return later(bot, 12 * HOUR_MS)
      },
    },
    {
      title: 'A snooze, and its end',
      words: 'At its end it is sent again if it is still on.',
      options: CALM,
      async play(bot) {
        await goes(bot, 94_000)
        return [await bot.says('/snooze A1 30m'), ...(await passes(bot, 30 * MINUTE_MS))]
      },
    },
    {
      title: 'Until it gets worse',
      words: 'A snooze without a time lasts 12 h. A worse threshold breaks through it, and so does the end.',
      async play(bot) {
        await goes(bot, 94_000)
        return [await bot.says('/snooze A1 worse'), ...(await goes(bot, 92_000))]
      },
    },
    {
      title: 'It is over while it is snoozed',
      words: 'The end is sent anyway.',
      async play(bot) {
        await goes(bot, 94_000)
        await bot.says('/snooze A1 2h')
        return goes(bot, 130_000)
      },
    },
  ],
}
