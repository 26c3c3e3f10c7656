import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openDesk, trader } from '../commands/desk.ts'
import { ALICE, BOB, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { breathe } from '../support/clock.ts'
import type { Fault } from '../support/stage.ts'

const DEADLINE_MS = 5_000
const FAULTS: Fault[] = [500, 429, 'hang', 'html', 'empty', 'garbage', 'nonsense']
const ENDPOINTS = ['/markets', '/positions', '/orders', '/post-trade-details']

/** Figures and sentences that would be lies about what cannot be seen, and what no person should ever read. */
const NEVER =
  /\$0(?:\.00)?(?![\d.])|(?<![\d.])0%|\b0 (?:markets|positions|orders)\b|[Nn]o open position|[Nn]o order|undefined|NaN|null\b|\[object|\.ts:\d|Error\b|did not work/

/** What a person reads, and how long they waited by the clock that the test turns. */
async function ask(bot: BotUnderTest, line: string): Promise<{ text: string; waitedMs: number }> {
  const began = bot.clock.monotonic()
  let text: string | null = null
  const answer = bot.platforms.get(trader.platform)?.says(trader.user, line)
  answer?.then(
    (said) => (text = said),
    (error: unknown) => (text = String(error)),
  )
  await breathe(40)
  while (text === null && bot.clock.monotonic() - began < 2 * DEADLINE_MS) {
    // As fine as it must be: the deadline is a multiple of it.
    await bot.clock.advance(500)
    await breathe(40)
  }
  return { text: text ?? 'no answer', waitedMs: bot.clock.monotonic() - began }
}

function breaks(bot: BotUnderTest, fault: Fault, endpoints = ENDPOINTS): void {
  for (const endpoint of endpoints) bot.stage.fails(endpoint, fault)
}

/** One bot for the tests that follow here: what one of them asks changes nothing for the next. */
function oneBot(open: () => Promise<BotUnderTest>): () => BotUnderTest {
  let bot: BotUnderTest | undefined
  beforeAll(async () => void (bot = await open()))
  afterAll(() => bot?.[Symbol.asyncDispose]())
  return () => {
    if (!bot) throw new Error('no bot: it is there while tests run')
    return bot
  }
}

/** Each command, what it says of what was seen before, and what it says when nothing ever was. */
const COMMANDS: [line: string, seen: RegExp[], never: RegExp[]][] = [
  [
    '/positions',
    [/Data is \d+ s old/, /BTC long · main: 5\.3% away/, /ETH short/, /prices \d+ s old/],
    [/I can’t see everything now/, /main: /, /prices: /],
  ],
  [
    '/orders',
    [/Data is \d+ s old/, /BTC order: pending/, /orders \d+ s old/],
    [/I can’t see everything now/, /main: /],
  ],
  ['/markets', [/Data is \d+ s old/, /BTC +97678/], [/I can’t see this now: /]],
  [
    '/market BTC',
    [/Data is \d+ s old/, /BTC \$97,678/],
    [/I can’t tell yet whether “BTC” is a market: I haven’t seen the venue/],
  ],
  [
    '/funding',
    [/BTC long · main pays/, /positions \d+ s old/, /Data is \d+ s old/],
    [/I can’t see this now: /],
  ],
  [
    '/preview main BTC -50%',
    [/The venue gave no preview/, /The venue/],
    [/I can’t tell yet whether “BTC” is a market: I haven’t seen the venue/],
  ],
  [
    '/status',
    [/I can’t see everything/, /3 markets \d+ s old/, /2 wallets \d+ s old/, /prices since .*: /],
    [/I can’t see everything/, /the markets were never read/, /1 wallet not all read yet/],
  ],
  ['/start', [/I’m watching 2 wallets/, /I can’t see everything now/], [/I can’t see the venue now: /]],
  [
    `/watch ${BOB} hedge`,
    [/Already watching hedge/, /Sol long/, /Data is \d+ s old/],
    [/✓ Watching hedge/, /I couldn’t see its positions: /, /no all-clear/],
  ],
  ['/wallets', [/2 positions, \d+ s old/], [/not seen yet/]],
]

describe.each(FAULTS)('a venue that answers everything with %s', (fault) => {
  // What it refuses waits for its turn.
  const crowded = fault === 429
  describe('after it was seen', () => {
    const there = oneBot(async () => {
      const bot = await openDesk(UNHURRIED, { crowded })
      for (const [asked] of COMMANDS) await bot.says(asked, trader)
      breaks(bot, fault)
      await bot.pass(16_000)
      return bot
    })
    test.each(COMMANDS)('%s says what was seen, how old it is, and what is missing', async (line, seen) => {
      const { text, waitedMs } = await ask(there(), line)
      for (const words of seen) expect(text).toMatch(words)
      expect(text).not.toMatch(NEVER)
      expect(waitedMs).toBeLessThanOrEqual(DEADLINE_MS)
    })
  })

  describe('from the beginning', () => {
    const there = oneBot(async () => {
      const bot = await startBot({ platforms: [trader.platform], crowded, clock: handClock() })
      breaks(bot, fault)
      await bot.restart()
      await ask(bot, `/start ${CLAIM_CODE}`)
      await ask(bot, `/watch ${ALICE} main`)
      return bot
    })
    test.each(COMMANDS)('%s says that nothing was ever seen', async (line, _seen, never) => {
      const { text, waitedMs } = await ask(there(), line)
      for (const words of never) expect(text).toMatch(words)
      expect(text).not.toMatch(NEVER)
      expect(waitedMs).toBeLessThanOrEqual(DEADLINE_MS)
    })
  })
})

describe.each(ENDPOINTS)('a venue of which only %s is down', (endpoint) => {
  const touched: Record<string, string[]> = {
    '/markets': [
      '/positions',
      '/markets',
      '/market BTC',
      '/funding',
      '/status',
      '/start',
      '/preview main BTC -50%',
      `/watch ${BOB} hedge`,
    ],
    '/positions': ['/positions', '/status', `/watch ${BOB} hedge`, '/preview main BTC -50%'],
    '/orders': ['/orders'],
    '/post-trade-details': ['/preview main BTC -50%'],
  }
  const there = oneBot(async () => {
    const bot = await openDesk(UNHURRIED)
    for (const [asked] of COMMANDS) await bot.says(asked, trader)
    breaks(bot, 500, [endpoint])
    await bot.pass(16_000)
    return bot
  })
  test.each(COMMANDS.map(([line]) => line))('%s says so exactly when it matters', async (line) => {
    const { text, waitedMs } = await ask(there(), line)
    const saysSo = /I can.t see|Data is \d+ s old|gave no preview|Last seen/.test(text)
    expect(saysSo).toBe(touched[endpoint]?.includes(line))
    expect(waitedMs).toBeLessThanOrEqual(DEADLINE_MS)
  })
})

test('what comes back is fresh again, without a word about the past', async () => {
  await using bot = await openDesk(UNHURRIED)
  breaks(bot, 500)
  await bot.pass(16_000)
  expect((await ask(bot, '/positions')).text).toMatch(/Data is \d+ s old/)
  for (const endpoint of ENDPOINTS) bot.stage.fails(endpoint, null)
  await bot.pass(5_500)
  const { text } = await ask(bot, '/positions')
  expect(text).not.toContain('Data is')
  expect(text).toContain('live')
})
