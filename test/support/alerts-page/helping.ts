import type { BotUnderTest } from '../bot.ts'
import { handClock } from '../clock.ts'
import { agrees, anna, annaAndBob, bob, codeIn, silence } from '../people.ts'
import { CALM, type Chapter, LONG, MINUTE_MS, type Section, type Shown, stands } from './scene.ts'

const RED = 'red'

/** Anna's BTC long is far from its liquidation; Bob may use the bot. */
async function together(options: Section['options'] = { settings: {} }): Promise<BotUnderTest> {
  const bot = await annaAndBob({ clock: handClock(), ...options }, { ...LONG, price: 120_000 })
  await bot.pass(MINUTE_MS)
  silence(bot)
  return bot
}

/** The same, and Bob has agreed to stand in for her. */
async function agreed(options?: Section['options']): Promise<BotUnderTest> {
  const bot = await together(options)
  await agrees(bot, bob)
  return bot
}

async function priced(bot: BotUnderTest, price: number, ms = 5_000): Promise<void> {
  bot.stage.market('BTC', { price })
  await bot.pass(ms)
}

const to = ({ user }: { user: string }): Shown => ({
  note: `To ${user.charAt(0).toUpperCase()}${user.slice(1)}:`,
})
const heard = (bot: BotUnderTest, who: { user: string }): Shown[] => {
  const all = bot.hears(who.user, RED)
  return all.length === 0 ? [] : [to(who), ...all]
}

const sections: Section[] = [
  {
    title: 'Somebody is asked, and agrees',
    words:
      'Nobody gets another person’s alerts before they have read and agreed. Anna passes the code on, and Bob opens it.',
    begin: together,
    async play(bot) {
      const code = codeIn(await bot.says('/agree ask', anna))
      const asked = await bot.says(`/agree ${code}`, bob)
      const answer = await bot.says(`/agree ${code} yes`, bob)
      await bot.pass(1_000)
      return [to(bob), asked, answer, ...heard(bot, anna)]
    },
  },
  {
    title: 'It goes on to somebody else',
    words:
      'Anna has said `/escalate @bob 3m`. A critical alert that is unacknowledged for three minutes goes to Bob too, and so does each further reminder. He sees that alert and nothing else of hers.',
    begin: agreed,
    async play(bot) {
      await bot.says('/escalate @bob 3m', anna)
      await priced(bot, 94_000, 3 * MINUTE_MS + 10_000)
      return heard(bot, bob)
    },
  },
  {
    title: 'The backup person acknowledges',
    words: 'That ends the reminders for both. Anna’s own message says who it was.',
    begin: agreed,
    async play(bot) {
      await bot.says('/escalate @bob now', anna)
      await priced(bot, 94_000)
      await bot.says('/ack A1', bob)
      await bot.pass(5_000)
      return [to(anna), stands(bot, RED, 'anna')]
    },
  },
  {
    title: 'It is safe again',
    words: 'Everybody who got the alert gets the end, also after a handover is over.',
    begin: agreed,
    async play(bot) {
      await bot.says('/escalate @bob now', anna)
      await priced(bot, 94_000)
      silence(bot)
      await priced(bot, 130_000)
      const cleared = heard(bot, bob)
      await priced(bot, 94_000)
      silence(bot)
      await bot.says('/unwatch main yes', anna)
      await bot.pass(5_000)
      return [...cleared, { note: 'Or, when Anna has removed the rule:' }, ...bot.hears('bob', RED)]
    },
  },
  {
    title: 'A handover begins',
    words: 'Anna has said `/handover @bob until 20:00`. Unanswered alerts are named.',
    begin: agreed,
    async play(bot) {
      await priced(bot, 94_000)
      silence(bot)
      const answer = await bot.says('/handover @bob until 20:00', anna)
      await bot.pass(1_000)
      return [to(anna), answer, ...heard(bot, bob)]
    },
  },
  {
    title: 'A handover ends',
    words: 'By the clock, without ringing.',
    begin: () => agreed(CALM),
    async play(bot) {
      await bot.says('/handover @bob 10m', anna)
      silence(bot)
      await bot.pass(11 * MINUTE_MS)
      return [...heard(bot, bob), ...heard(bot, anna)]
    },
  },
  {
    title: 'A handover is taken back, and an agreement ends',
    words: '',
    begin: agreed,
    async play(bot) {
      await bot.says('/handover @bob 8h', anna)
      silence(bot)
      await bot.says('/handover end', anna)
      await bot.pass(1_000)
      const back = heard(bot, bob)
      await bot.says('/agree end @anna', bob)
      await bot.pass(1_000)
      return [...back, { note: 'To Anna, when Bob ends the agreement:' }, ...bot.hears('anna', RED)]
    },
  },
]

export const helping: Chapter = { title: 'A backup person', sections }
