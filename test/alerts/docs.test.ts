import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'
import type { BotUnderTest } from '../support/bot.ts'

const PATH = fileURLToPath(new URL('../../docs/alerts.md', import.meta.url))
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const HEAD = `# What Perch says, and when

Generated from the real bot on a stage: \`UPDATE_DOCS=1 npx vitest run test/alerts/docs.test.ts\` writes this page, and the test
fails while it is not current. The messages are in the order in which a trader meets them, as plain text, with buttons as
\`[label: the line that it says]\`; Telegram and Discord show them better.
`

const LONG = { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 90_000 }
/** A night of it is not tens of thousands of readings. */
const SLOW = { settings: { marketPollMs: 30_000, ownerPollMinMs: 60_000, ownerPollMaxMs: 600_000 } }

/** A BTC long far from its liquidation, watched since a minute ago. */
async function trading(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot(options)
  bot.stage.market('BTC', { price: 120_000, funding: 0.0001 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(0)
  await bot.says('/settings zone Europe/Berlin')
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return bot
}

/** The price is this from now on; what was said by the time it has been read and has held. */
async function goes(bot: BotUnderTest, price: number, funding = 0.0001, ms = 20_000): Promise<string[]> {
  bot.stage.market('BTC', { price, funding })
  await bot.pass(ms)
  return bot.hears()
}

async function passes(bot: BotUnderTest, ms: number): Promise<string[]> {
  await bot.pass(ms)
  return bot.hears()
}

async function holds(bot: BotUnderTest, ...positions: Parameters<BotUnderTest['stage']['positions']>[1]) {
  bot.stage.positions(ALICE, positions)
  await bot.pass(2 * MINUTE_MS)
  return bot.hears()
}

type Section = [title: string, words: string, play: (bot: BotUnderTest) => Promise<(string | undefined)[]>]

const SECTIONS: Section[] = [
  [
    'A line is reached',
    'A line that is not critical must hold for 15 s; `for 5m` in a rule asks for more.',
    (bot) => goes(bot, 110_000),
  ],
  [
    'It gets worse',
    'A worse line is told at once, and rings.',
    async (bot) => {
      await goes(bot, 110_000)
      return goes(bot, 99_000)
    },
  ],
  [
    'It is critical',
    'What is critical never waits, and rings whatever the hour.',
    (bot) => goes(bot, 94_000),
  ],
  [
    'Nobody answers',
    'It is said again after 1, 2, 4, 8 … minutes, at most every 30, with what it is now. From the third time on it goes to the fallback chat as well.',
    async (bot) => {
      await goes(bot, 94_000)
      return goes(bot, 93_500, 0.0001, MINUTE_MS)
    },
  ],
  [
    'Somebody acknowledges',
    'The answer takes the place of the message. It is quiet until it is worse or over, or for 12 h.',
    async (bot) => {
      await goes(bot, 94_000)
      return [await bot.says('/ack A1')]
    },
  ],
  [
    'A snooze, and its end',
    'A worse line breaks through; at its end it is said again if it is still so.',
    async (bot) => {
      await goes(bot, 94_000)
      return [await bot.says('/snooze A1 30m'), ...(await passes(bot, 30 * MINUTE_MS))]
    },
  ],
  [
    'It gets better',
    'One quiet message.',
    async (bot) => {
      await goes(bot, 94_000)
      return goes(bot, 97_000)
    },
  ],
  [
    'It is over',
    'Told quietly to whoever was warned, in a time of rest too.',
    async (bot) => {
      await goes(bot, 94_000)
      return goes(bot, 130_000)
    },
  ],
  [
    'The venue cannot be seen',
    'Nothing counts as over meanwhile. What is critical is said again by what was last known.',
    async (bot) => {
      await goes(bot, 94_000)
      for (const path of ['/', '/markets', '/positions']) bot.stage.fails(path, 503)
      const dark = await passes(bot, 45_000)
      for (const path of ['/', '/markets', '/positions']) bot.stage.fails(path, null)
      return [...dark, ...(await passes(bot, 15_000))]
    },
  ],
  [
    'A wallet cannot be read',
    'It is judged on by its last known position and the price: worse is told.',
    async (bot) => {
      await goes(bot, 98_000)
      bot.stage.fails('/positions', 503)
      const dark = await passes(bot, 45_000)
      const worse = await goes(bot, 93_000, 0.0001, 5_000)
      bot.stage.fails('/positions', null)
      return [...dark, ...worse, ...(await passes(bot, 10_000))]
    },
  ],
  [
    'Quiet hours and mutes',
    'What is not critical is held back and summed up at the end.',
    async (bot) => {
      const answer = await bot.says('/mute BTC 1h')
      await goes(bot, 98_000)
      return [answer, ...(await passes(bot, HOUR_MS))]
    },
  ],
  [
    'A position is opened',
    'Quiet, as all that people do themselves.',
    async (bot) => {
      bot.stage.market('ETH', { price: 2_600 })
      return holds(bot, LONG, { symbol: 'ETH', size: -20, entry: 2_600, liquidation: 3_400 })
    },
  ],
  ['It grows or shrinks', '', (bot) => holds(bot, { ...LONG, size: 2.5, liquidation: 92_000 })],
  ['It is closed', '', (bot) => holds(bot)],
  [
    'It is liquidated',
    'Said where the price reached its liquidation; what is not known is said as not known.',
    async (bot) => {
      await goes(bot, 94_000)
      await goes(bot, 89_000)
      return holds(bot)
    },
  ],
  [
    'Funding changes its direction',
    'From the side of whoever holds a position there.',
    async (bot) => {
      await goes(bot, 120_000, -0.0001)
      return goes(bot, 120_000, 0.0003)
    },
  ],
]

async function section([title, words, play]: Section): Promise<string> {
  await using bot = await trading()
  return page(title, words, await play(bot))
}

function page(title: string, words: string, said: (string | undefined)[]): string {
  expect(said, title).not.toEqual([])
  const shown = said.map((text) => `\`\`\`text\n${text}\n\`\`\`\n`).join('\n')
  return `## ${title}\n\n${words === '' ? '' : `${words}\n\n`}${shown}`
}

async function night(): Promise<string> {
  await using bot = await trading(SLOW)
  await goes(bot, 94_000, 0.0001, MINUTE_MS)
  await bot.pass(12.1 * HOUR_MS)
  const last = bot.hears().filter((text) => text.includes('I stop repeating'))
  return page(
    'Nobody has answered for a night',
    'The last time that it is said. Worse, and the end of it, are still told.',
    last,
  )
}

/** Where a rule of time, or a mistake of other bots, is told as a story: what | file under test/ | its title. */
const STORIES = String.raw`
A worse line is told at once, through acknowledgement and snooze | scenarios/waking | hides neither what is worse nor the end
A better line is one quiet message | engine/judge | is one quiet message
Cleared is told to whoever was warned, snoozed or not | scenarios/waking | hides neither what is worse nor the end
The first reading of a position may fire | scenarios/time-rules | a position that is critical when it is first seen is told at once
A line that is not critical must hold | scenarios/waking | waits for 15 s, and is told once then
What is critical never waits | scenarios/waking | never waits
The clear band keeps still what trembles around a line | scenarios/warnings | a price that trembles around a line is one message; past the clear band it is another story
What is critical is repeated until somebody acknowledges it | scenarios/waking | is said again after 1, 2, 4, 8, 16 and then every 30 minutes
An acknowledgement has an end | scenarios/waking | is reminded after a night
A snooze has an end | scenarios/waking | ends, and says so if it still fires
One tick and one chat are one message, worst first | scenarios/warnings | several positions in danger are one message, the worst first
Repeats of several alerts are one message | scenarios/waking | of two positions is said again in one message
Quiet hours let only what is critical ring | scenarios/rest | what is critical rings, and nothing else
What was held back is summed up | scenarios/rest | what fired, what is over and what still stands is summed up at the end, in one message
A mute never hides what is critical | scenarios/rest | never hides what is critical
What cannot be seen is told, and clears nothing | scenarios/blind | the price falls on: that is told, with how old the position is, and nothing counts as over
One outage of the venue is one message | scenarios/blind | people are told once after ten seconds, with what was last seen, and once on return
A restart changes nothing that is told | engine/owed | a restart with no time lost changes no message
A restart keeps what was held, snoozed and acknowledged | scenarios/waking | keeps it over a restart
A wall clock that jumps moves ends and not intervals | scenarios/waking | follows the wall clock, what is repeated does not
Two messages a day around a line, not sixty | engine/walk | days around the 10 % line at
Mistake 1: a repeat that never comes; a failed send that loses the alert | scenarios/delivery | survives a messenger that is down, and says how late it is
Mistake 2: a warning that swallows what is critical | scenarios/time-rules | a warning does not keep what is critical silent, however soon it follows
A danger on an old position is confirmed by a fresh read | scenarios/confirming | is told by a fresh read of its wallet, at once
What waited while a platform was down is one message | scenarios/late | is one message: what stands now, with its figures, and then what happened, the worst first
Mistake 3: silent after critical and healthy within the hour | scenarios/time-rules | critical, healthy and a warning within the hour: each of them is told
Mistake 4: first seen in danger, and nothing said | scenarios/time-rules | a position that is critical when it is first seen is told at once
Mistake 4: one refusal, and the person is unprotected | scenarios/fallback | a critical warning that the preferred platform does not take goes to the fallback as well, once
Mistake 5: an edit that rings nobody | scenarios/waking | is said again with what it is now and what it was
Mistake 6: a message that is too long is replaced by an error | engine/batch | is cut into messages of ten items
Mistake 7: one retry, then given up | scenarios/delivery | waits for a chat that is gone until somebody writes from there
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))

function stories(): string {
  const rows = STORIES.map(([what = '', file = '', title = '']) => {
    const path = `test/${file}.test.ts`
    const text = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
    expect(text, `${path} tells “${title}”`).toContain(title)
    return `| ${what} | \`${path}\` | ${title} |`
  })
  return [
    '## Where each of this is shown to hold',
    '',
    '| what | where | story |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

test('docs/alerts.md shows every message as it is', async () => {
  const sections: string[] = []
  for (const one of SECTIONS) sections.push(await section(one))
  sections.splice(4, 0, await night())
  const whole = [HEAD, ...sections, stories()].join('\n')
  if (process.env['UPDATE_DOCS']) writeFileSync(PATH, whole)
  expect(readFileSync(PATH, 'utf8')).toBe(whole)
})
