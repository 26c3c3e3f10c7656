import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { blue, onTwoPlatforms, red } from '../support/two-platforms.ts'

const MINUTE_MS = 60_000
const held = (symbol: string) => ({ symbol, size: 1.5, entry: 120, liquidation: 90 })

/** BTC and ETH longs that are liquidated at 90, watched and far from it. */
async function watching(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot({ settings: UNHURRIED, ...options })
  for (const symbol of ['BTC', 'ETH']) bot.stage.market(symbol, { price: 130, funding: 0.0001 })
  bot.stage.positions(ALICE, [held('BTC'), held('ETH')])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return bot
}
const firsts = (bot: BotUnderTest) =>
  bot.hears().flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))
async function at(bot: BotUnderTest, price: number, symbol = 'BTC', ms = 20_000): Promise<string[]> {
  bot.stage.market(symbol, { price })
  await bot.pass(ms)
  return firsts(bot)
}

describe.each(['/ack A1', '/snooze A1 8h', '/snooze A1 worse'])(
  'a warning on which somebody says %s',
  (line) => {
    test('does not keep what is critical silent, nor what repeats that', async () => {
      await using bot = await watching()
      expect(await at(bot, 98)).toEqual([expect.stringContaining('[WARNING] BTC long: 8.2%')])
      await bot.says(line)
      expect(await at(bot, 94, 'BTC', 6_000)).toEqual([expect.stringContaining('[CRITICAL] BTC long: 4.3%')])
      expect(await at(bot, 94, 'BTC', 3 * MINUTE_MS)).toHaveLength(2)
    })

    test('is told as over all the same', async () => {
      await using bot = await watching()
      await at(bot, 98)
      await bot.says(line)
      expect(await at(bot, 130)).toEqual([expect.stringContaining('[RESOLVED] BTC long')])
    })
  },
)

test('whoever has acknowledged what is critical has acknowledged the warning that it becomes', async () => {
  await using bot = await watching()
  await at(bot, 94)
  await bot.says('/ack A1')
  expect(await at(bot, 97)).toEqual([expect.stringContaining('[INFO] BTC long recovered to 7.2%')])
  expect(await at(bot, 97, 'BTC', 30 * MINUTE_MS)).toEqual([])
  expect(await bot.says('/alerts')).toContain('acknowledged by me')
})

test('and is rung all the same when that becomes critical once more', async () => {
  await using bot = await watching()
  await at(bot, 94)
  await bot.says('/ack A1')
  await at(bot, 97)
  expect(await at(bot, 94)).toEqual([expect.stringContaining('[CRITICAL] BTC long: 4.3%')])
})

test('an acknowledgement of one position goes for no other one', async () => {
  await using bot = await watching()
  await at(bot, 94)
  await at(bot, 94, 'ETH')
  await bot.says('/ack A1')
  const said = await at(bot, 94, 'ETH', 3 * MINUTE_MS)
  expect(said.length).toBeGreaterThan(0)
  for (const line of said) expect(line).toContain('ETH long')
})

test('an acknowledgement of all shows each of them as acknowledged', async () => {
  await using bot = await watching()
  await at(bot, 94)
  await at(bot, 94, 'ETH')
  const answer = await bot.says('/ack')
  expect(answer).toContain('✓ 2 alerts: quiet until')
  expect(answer.match(/acknowledged by me until/g)).toHaveLength(2)
  expect(answer).not.toContain('next reminder')
})

test('an acknowledgement in any chat that was rung ends the ringing in all of them', async () => {
  await using bot = await onTwoPlatforms()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(8 * MINUTE_MS)
  for (const { platform, user } of [red, blue]) expect(bot.hears(user, platform).length).toBeGreaterThan(0)
  await bot.says('/ack', blue)
  await bot.pass(35 * MINUTE_MS)
  for (const { platform, user } of [red, blue]) expect(bot.hears(user, platform)).toEqual([])
})

test('a message of before a restart is the one that shows who acknowledged it', async () => {
  await using bot = await onTwoPlatforms()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(4_000)
  await bot.restart()
  await bot.says('/ack A1', blue)
  await bot.pass(4_000)
  const [alert] =
    bot.platforms
      .get('red')
      ?.sees('olga', 'olga')
      .filter(({ text }) => text.includes('(A1)')) ?? []
  expect(alert?.text).toContain('✓ olga-blue,')
})

test('a chat that refuses once is named where its person can read it, and warnings go there', async () => {
  await using bot = await onTwoPlatforms()
  bot.platforms.get('red')?.delivers('olga', () => ({ is: 'gone', why: 'blocked by the user' }))
  bot.stage.market('BTC', { price: 98 })
  await bot.pass(30_000)
  const heard = bot.hears('olga-blue', 'blue').join('\n')
  expect(heard).toContain('I can’t write to red chat olga any longer\n  blocked by the user')
  expect(heard).toContain('[WARNING] BTC long: 8.2% to liquidation')
  expect(await bot.says('/status', blue)).toContain('blocked by the user')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(10_000)
  expect(bot.hears('olga-blue', 'blue').join()).toContain('[CRITICAL] BTC long: 4.3% to liquidation')
})

test('a snooze that ends while nothing is seen does not say that it is still so', async () => {
  await using bot = await watching()
  await at(bot, 94)
  await bot.says('/snooze A1 10m')
  bot.stage.fails('/', 503)
  await bot.pass(MINUTE_MS)
  bot.hears()
  await bot.pass(10 * MINUTE_MS)
  const said = bot.hears().join('\n')
  expect(said).toContain('BTC long · main: 4.3% when I last told you (A1)')
  expect(said).toContain('Snooze over. I can’t see whether it’s still on.')
  expect(said).not.toContain('Snooze over, still on')
})
