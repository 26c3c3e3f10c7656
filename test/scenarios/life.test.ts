import { expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { createDice, type Dice, SEED } from '../support/seed.ts'

const PEOPLE = ['ann', 'ben', 'cid', 'dot', 'eve']
const GROUPS = ['club', 'desk', 'pit']
const COMMANDS = [
  `/watch ${ALICE} main`,
  `/watch ${BOB} hedge`,
  '/unwatch main',
  '/unwatch hedge',
  '/alert liq 15%',
  '/alert liq BTC 30%',
  `/alert liq ${ALICE} 12%`,
  '/alert flip',
  '/alert opened',
  '/remove R1',
  '/remove R3',
  '/remove R7',
  '/channel bind',
  '/channel unbind yes',
  '/channel test',
  '/settings numbers 1.234,5',
  '/alerts',
  '/status',
  '/positions',
  '/history',
  '/forget yes',
]

/** One thing that happens; what it was, for whoever has to find out what went wrong. */
async function something(bot: BotUnderTest, groups: string[], dice: Dice): Promise<string> {
  const { one, below, often, next } = dice
  const recorder = bot.platforms.get('chat')
  if (!recorder) throw new Error('no platform')
  const chance = next()
  if (chance < 0.55) {
    const [user, line] = [one(PEOPLE), one(COMMANDS)]
    const place = often(0.4) ? { place: { chat: one(groups), mayConfigure: true } } : {}
    const said = bot.says(line, { user, ...place })
    // Where the venue does not answer, the person waits for it.
    await bot.pass(6_000)
    await said
    return `${user} says ${line} ${JSON.stringify(place)}`
  }
  if (chance < 0.65) {
    const [path, fault] = [one(['/', '/positions', '/markets']), one([503, null, null])]
    bot.stage.fails(path, fault)
    return `${path} answers ${fault ?? 'well'}`
  }
  if (chance < 0.72) {
    const [chat, blocked] = [one([...PEOPLE, ...groups]), often(0.5)]
    recorder.blocks(chat, blocked)
    return `${chat} ${blocked ? 'locks the bot out' : 'lets it in'}`
  }
  if (chance < 0.77) {
    const at = below(groups.length)
    const from = groups[at] ?? ''
    // Into a new group, or into one that is there.
    const to = often(0.5) ? `${from}+` : one(groups)
    const known = recorder.groups.get(from)
    if (to !== from && known) {
      recorder.groups.set(to, known)
      recorder.moves(from, to)
      groups[at] = to
    }
    return `${from} moves to ${to}`
  }
  if (chance < 0.8) {
    await bot.killed.start(below(20_000))
    return 'killed'
  }
  if (chance < 0.9) {
    bot.stage.market('BTC', { price: 88 + next() * 60, funding: (next() - 0.5) / 500 })
    return 'the price moves'
  }
  const ms = below(90_000)
  await bot.pass(ms)
  return `${ms} ms pass`
}

test.each([SEED, 4, 1, 2, 3, 5])(
  'five people in three groups, whatever happens to them: no turn fails, and everybody is warned at the end (seed %i)',
  async (seed) => {
    const dice = createDice(seed)
    await using bot = await startBot({ platforms: ['chat'], settings: { ...UNHURRIED, access: 'open' } })
    const recorder = bot.platforms.get('chat')
    const groups = [...GROUPS]
    for (const name of GROUPS) recorder?.groups.set(name, { title: name, mayPost: true, configurers: PEOPLE })
    bot.stage.market('BTC', { price: 130, funding: 0.0002 })
    const position = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }
    for (const wallet of [ALICE, BOB]) bot.stage.positions(wallet, [position])
    for (const user of PEOPLE) await bot.says('/start', { user })
    const story: string[] = []
    for (let step = 0; step < 80; step++) story.push(await something(bot, groups, dice))

    // All is well again.
    for (const path of ['/', '/positions', '/markets']) bot.stage.fails(path, null)
    for (const chat of [...PEOPLE, ...groups]) recorder?.blocks(chat, false)
    bot.stage.market('BTC', { price: 200 })
    await bot.pass(20 * 60_000)
    for (const user of PEOPLE) {
      await bot.says('/start', { user })
      await bot.says(`/watch ${ALICE} last`, { user })
      // They may have taken the lines that it armed away, or set others.
      await bot.says(`/alert liq ${ALICE} 20% 10% 5% 2.5%`, { user })
    }
    await bot.pass(5 * 60_000)
    for (const user of PEOPLE) bot.hears(user)
    bot.stage.market('BTC', { price: 91 })
    await bot.pass(10_000)
    const unwarned = PEOPLE.filter((user) => !/\[CRITICAL\] BTC long: 1[.,]1%/.test(bot.hears(user).join()))
    const failed = bot.events.flatMap((event) =>
      event.is === 'turn-failed' && event.why !== 'the process is dead' ? [event.why] : [],
    )
    expect({ seed, unwarned, failed, story }).toEqual({ seed, unwarned: [], failed: [], story })
  },
)
