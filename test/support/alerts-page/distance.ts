import { ALICE } from '../bot.ts'
import { type Chapter, forget, goes, holds, LONG, passes, SHORT, stands } from './scene.ts'

export const distance: Chapter = {
  title: 'A position comes near its liquidation price',
  sections: [
    {
      title: 'A threshold is passed',
      words:
        'A threshold that is not critical must hold for 15 s. `for 5m` in a rule asks for more. A threshold that is passed by far is reported at once.',
      play: (bot) => goes(bot, 110_000),
    },
    {
      title: 'It gets worse',
      words: 'A worse threshold is sent at once, and rings.',
      async play(bot) {
        await goes(bot, 110_000)
        return goes(bot, 99_000)
      },
    },
    {
      title: 'It is critical',
      words: 'A critical alert never waits, and rings at any hour.',
      play: (bot) => goes(bot, 94_000),
    },
    {
      title: 'What closing would do',
      words:
        'The message is edited without ringing, as soon as the venue has answered. `/fix A1` shows the figures again.',
      async play(bot) {
        await goes(bot, 94_000)
        return [stands(bot, 'recorder')]
      },
    },
    {
      title: 'Several at once',
      words: 'One message, the worst first.',
      async play(bot) {
        bot.stage.market('ETH', { price: 2_600 })
        await holds(bot, LONG, SHORT)
        forget(bot)
        bot.stage.market('ETH', { price: 3_300 })
        return goes(bot, 94_000)
      },
    },
    {
      title: 'The position was read a while ago',
      words:
        'Its wallet is read again first. If that takes more than two seconds, the alert is sent with the age of the data.',
      async play(bot) {
        bot.stage.fails('/positions', 'hang')
        return goes(bot, 94_000, 5_000)
      },
    },
    {
      title: 'It is past its liquidation price',
      words: '',
      async play(bot) {
        await goes(bot, 91_000)
        await bot.says('/ack')
        await goes(bot, 130_000)
        return goes(bot, 89_500)
      },
    },
    {
      title: 'It gets better',
      words: 'One quiet message.',
      async play(bot) {
        await goes(bot, 94_000)
        return goes(bot, 97_000)
      },
    },
    {
      title: 'It is safe again',
      words: 'Sent quietly to everybody who was warned, in quiet hours too.',
      async play(bot) {
        await goes(bot, 94_000)
        return goes(bot, 130_000)
      },
    },
    {
      title: 'It has no liquidation price now',
      words: 'Believed once the venue has said so twice.',
      async play(bot) {
        await goes(bot, 94_000)
        bot.stage.positions(ALICE, [{ ...LONG, liquidation: 0 }])
        return passes(bot, 10_000)
      },
    },
  ],
}
