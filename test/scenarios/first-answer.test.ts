import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'

const NEAR = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }

/** What stands in a chat, each message by its first line. */
const order = (bot: BotUnderTest, chat = 'me') =>
  [...bot.platforms.values()].flatMap((platform) =>
    platform.sees(chat, chat).map(({ text }) => text.split('\n', 1)[0] ?? ''),
  )
const WATCHING = expect.stringContaining('Watching demo') as string
const ALERT = expect.stringContaining('BTC long: 2.2% to liquidation') as string

async function endangered(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot(options)
  bot.stage.market('BTC', { price: 92, funding: 0.0001 })
  bot.stage.positions(ALICE, [NEAR])
  bot.stage.positions(BOB, [NEAR])
  await bot.pass(0)
  return bot
}

/** The next answer there hangs until the end of the test. */
function hangs(bot: BotUnderTest, chat = 'me'): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  bot.platforms
    .values()
    .next()
    .value?.answersEnd(chat, async () => {
      await promise
      return { is: 'sent', ref: { address: { platform: 'recorder', chat, thread: null }, id: '0' } }
    })
  return resolve
}

/** The next answer to me fails, and is tried again after this time. */
function fails(bot: BotUnderTest, retryAfterMs: number): void {
  const busy = { is: 'delayed', retryAfterMs, scope: 'message', maybeSent: false, why: 'busy' } as const
  bot.platforms.get('recorder')?.answersEnd('me', () => busy)
}

describe('whoever watches a wallet that is in danger', () => {
  test('reads that it is watched, and then the alert', async () => {
    await using bot = await endangered()
    await bot.says(`/watch ${ALICE} demo`)
    await bot.pass(0)
    expect(order(bot)).toEqual([WATCHING, ALERT])
  })

  test('reads them in that order if the answer arrives at its second attempt', async () => {
    await using bot = await endangered()
    fails(bot, 500)
    await bot.says(`/watch ${ALICE} demo`)
    await bot.pass(1_000)
    expect(order(bot)).toEqual([WATCHING, ALERT])
  })

  test('reads the alert after two seconds if the answer hangs', async () => {
    await using bot = await endangered({ crowded: true })
    const ends = hangs(bot)
    await bot.says(`/watch ${ALICE} demo`)
    await bot.pass(1_990)
    expect(order(bot)).toEqual([])
    await bot.pass(20)
    expect(order(bot)).toEqual([ALERT])
    ends()
    await bot.pass(0)
  })

  test('reads the alert after two seconds if the answer fails', async () => {
    await using bot = await endangered()
    fails(bot, 5_000)
    await bot.says(`/watch ${ALICE} demo`)
    await bot.pass(1_990)
    expect(order(bot)).toEqual([])
    await bot.pass(20)
    expect(order(bot)).toEqual([ALERT])
    await bot.pass(5_000)
    expect(order(bot)).toEqual([ALERT, WATCHING])
  })

  test('holds no alert with many commands for longer than two seconds', async () => {
    await using bot = await endangered()
    fails(bot, 9_000)
    await bot.says(`/watch ${ALICE} demo`)
    await bot.pass(1_500)
    void bot.platforms.get('recorder')?.says('me', '/alert price BTC above 95')
    await bot.pass(480)
    expect(order(bot)).toEqual([])
    await bot.pass(30)
    expect(order(bot)).toEqual([ALERT])
  })

  test('delays nobody else: other chats are told at once', async () => {
    const settings = { access: 'open', marketPollMs: 500 } as const
    await using bot = await endangered({ platforms: ['recorder'], settings })
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(10_000)
    await bot.says(`/watch ${BOB} demo`, { user: 'you' })
    await bot.pass(10_000)
    fails(bot, 9_000)
    bot.stage.market('BTC', { price: 92 })
    await bot.says(`/watch ${ALICE} demo`)
    await bot.pass(1_000)
    expect(order(bot, 'you')).toEqual([WATCHING, ALERT])
    expect(order(bot)).toEqual([])
    await bot.pass(1_500)
    expect(order(bot)).toEqual([ALERT])
  })

  test('loses nothing if the process ends before the answer', async () => {
    await using bot = await endangered()
    fails(bot, 9_000)
    await bot.says(`/watch ${ALICE} demo`)
    expect(order(bot)).toEqual([])
    await bot.killed.start()
    await bot.pass(0)
    expect(order(bot).filter((line) => line.includes('to liquidation'))).toEqual([ALERT])
  })
})
