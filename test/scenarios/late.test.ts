import { describe, expect, test } from 'vitest'

import type { Send } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'

const MINUTE_MS = 60_000

/** BTC and ETH longs that are liquidated at 90, watched and far from it. */
async function watching(): Promise<BotUnderTest> {
  const bot = await startBot({ settings: UNHURRIED })
  for (const symbol of ['BTC', 'ETH']) bot.stage.market(symbol, { price: 130, funding: 0.0001 })
  bot.stage.positions(
    ALICE,
    ['BTC', 'ETH'].map((symbol) => ({ symbol, size: 1.5, entry: 120, liquidation: 90 })),
  )
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return bot
}

/** The platform answers nothing that helps until the test says so. */
function down(bot: BotUnderTest): () => void {
  let isDown = true
  const ending = (_send: Send): Delivery => {
    if (!isDown) return undefined as unknown as Delivery
    bot.delivers(ending)
    return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'connection refused' }
  }
  bot.delivers(ending)
  return () => void (isDown = false)
}

async function priceIs(bot: BotUnderTest, symbol: string, price: number, forMs: number): Promise<void> {
  bot.stage.market(symbol, { price, funding: 0.0001 })
  await bot.pass(forMs)
}

/** Ten minutes in which BTC falls through its lines and recovers, and ETH stays in danger. */
async function tenMinutes(bot: BotUnderTest): Promise<void> {
  await priceIs(bot, 'BTC', 98, MINUTE_MS)
  await priceIs(bot, 'ETH', 94, MINUTE_MS)
  await priceIs(bot, 'BTC', 94, MINUTE_MS)
  await priceIs(bot, 'BTC', 91, 2 * MINUTE_MS)
  await priceIs(bot, 'BTC', 130, 4 * MINUTE_MS)
  await priceIs(bot, 'ETH', 93, MINUTE_MS)
}

const heard = (bot: BotUnderTest) =>
  bot.hears().map((text) => text.replace(/\d\d:\d\d UTC/g, '14:02').split('\n'))

describe('what waited while the platform was down', () => {
  test('is one message: what stands now, with its figures, and then what happened, the worst first', async () => {
    await using bot = await watching()
    const up = down(bot)
    await tenMinutes(bot)
    expect(bot.hears()).toEqual([])
    up()
    await bot.pass(MINUTE_MS)
    const [lines = [], ...more] = heard(bot)
    expect(more).toEqual([])
    const at = lines.indexOf('Delayed alerts, 14:02 to 14:02:')
    expect(lines[0]).toBe('[CRITICAL] ETH long: 3.2% to liquidation (A2)')
    expect(lines[1]).toBe('  on since 14:02')
    expect(lines.slice(0, at).at(-1)).toContain('[Ack: /ack A2]')
    expect(lines.slice(at + 1)).toEqual([
      '  14:02 ETH long: 4.3% to liquidation (A2)',
      '  14:02 BTC long: 4.3% to liquidation (A1)',
      '  14:02 BTC long: 1.1% to liquidation (A1)',
      '  14:02 BTC long: 8.2% to liquidation (A1)',
      '  14:02 BTC long is safe again: 30.8% from liquidation (A1)',
      'as of 14:02: one message for all that waited, the oldest 11 min late',
    ])
    expect(bot.platforms.get('recorder')?.sees('me', 'me').at(-1)?.silent).toBe(false)
    // Nobody has answered it: it is said again as if it had been sent in time.
    await bot.pass(6 * MINUTE_MS)
    expect(heard(bot).flat()).toContainEqual(expect.stringContaining('ETH long'))
  })

  test('speaks of the moment in which it is sent, however long it has been one', async () => {
    await using bot = await watching()
    const up = down(bot)
    await tenMinutes(bot)
    await priceIs(bot, 'ETH', 92.5, 3 * MINUTE_MS)
    up()
    await bot.pass(MINUTE_MS)
    expect(heard(bot).map(([title]) => title)).toEqual(['[CRITICAL] ETH long: 2.7% to liquidation (A2)'])
  })

  test('rings for nothing that is over, and says that it is', async () => {
    await using bot = await watching()
    const up = down(bot)
    await tenMinutes(bot)
    await priceIs(bot, 'ETH', 130, MINUTE_MS)
    up()
    await bot.pass(MINUTE_MS)
    const [lines = [], ...more] = heard(bot)
    expect(more).toEqual([])
    expect(lines[0]).toBe('[INFO] None of what waited here is still on')
    for (const symbol of ['BTC', 'ETH'])
      expect(lines.join('\n')).toMatch(`14:02 ${symbol} long is safe again`)
    expect(bot.platforms.get('recorder')?.sees('me', 'me').at(-1)?.silent).toBe(true)
  })

  test.each([
    ['in quiet hours for nothing that is not critical', 98, true],
    ['in quiet hours for what is critical', 94, false],
  ])('rings %s', async (_what, price, silent) => {
    await using bot = await watching()
    const up = down(bot)
    for (const symbol of ['BTC', 'ETH']) await priceIs(bot, symbol, price, MINUTE_MS)
    await bot.says('/settings zone UTC')
    await bot.says('/quiet 11:00-14:00')
    await bot.pass(2 * MINUTE_MS)
    up()
    await bot.pass(MINUTE_MS)
    expect(heard(bot).flat()).toContainEqual(expect.stringContaining('Delayed alerts'))
    expect(bot.platforms.get('recorder')?.sees('me', 'me').at(-1)?.silent).toBe(silent)
  })

  test('names who acknowledged it elsewhere meanwhile, and has no button for that', async () => {
    await using bot = await watching()
    const up = down(bot)
    await tenMinutes(bot)
    await bot.says('/ack A2')
    await bot.pass(2 * MINUTE_MS)
    up()
    await bot.pass(MINUTE_MS)
    const [lines = [], ...more] = heard(bot)
    expect(more).toEqual([])
    expect(lines[1]).toBe('  on since 14:02, acknowledged by me, 14:02')
    expect(lines.join('\n')).not.toContain('/ack A2')
    expect(bot.platforms.get('recorder')?.sees('me', 'me').at(-1)?.silent).toBe(true)
  })

  test('is in the trail of each alert as sent', async () => {
    await using bot = await watching()
    const up = down(bot)
    await tenMinutes(bot)
    up()
    await bot.pass(MINUTE_MS)
    expect(await bot.says('/why A1')).not.toMatch(/waits|not sent/)
    expect(await bot.says('/why A1')).toMatch(/sent .* after detection/)
  })

  test('is not made one before a minute, nor a single message ever', async () => {
    await using bot = await watching()
    const up = down(bot)
    await priceIs(bot, 'BTC', 98, MINUTE_MS)
    await bot.pass(5 * MINUTE_MS)
    up()
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringMatching(/^\[WARNING\] BTC long: 8.2%[^]*min late/)])
    const upAgain = down(bot)
    await priceIs(bot, 'BTC', 94, 10_000)
    await priceIs(bot, 'ETH', 94, 10_000)
    upAgain()
    await bot.pass(MINUTE_MS)
    expect(bot.hears().join('\n')).not.toContain('Delayed alerts')
  })

  test.each([
    ['before they are made one', 0],
    ['after it', 1],
  ])('is neither lost nor repeated when the process is killed %s', async (_when, commits) => {
    await using bot = await watching()
    const up = down(bot)
    await tenMinutes(bot)
    bot.killed.beforeCommit(commits)
    await bot.pass(2_000)
    up()
    await bot.killed.start(1_000)
    await bot.pass(MINUTE_MS)
    const [lines = [], ...more] = heard(bot)
    expect(more).toEqual([])
    expect(lines[0]).toContain('ETH long')
    expect(lines.filter((line) => /^ {2}14:02 .*\(A\d\)/.test(line))).toHaveLength(5)
  })
})
