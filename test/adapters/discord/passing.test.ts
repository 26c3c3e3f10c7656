import { describe, expect, test } from 'vitest'

import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import { ALICE, BOB, CLAIM_CODE, UNHURRIED } from '../../support/bot.ts'
import { type DiscordBot, startDiscordBot } from '../../support/discord/bot.ts'
import type { Channel } from '../../support/discord/channels.ts'
import type { Fault } from '../../support/discord/faults.ts'
import type { Person } from '../../support/discord/people.ts'
import { textOf } from '../../support/discord/readable.ts'

const POST = 'POST /channels/:id/messages'
const HOUR_MS = 3_600_000

interface Home extends DiscordBot {
  olga: Person
  lobby: Channel
  /** What a place shows that was posted there, oldest first: the first line of each. */
  told(place: Channel): string[]
}

/** Olga watches a wallet that is long BTC, to be liquidated at 90. */
async function home(periods: Partial<PollPeriods> = {}): Promise<Home> {
  const bot = await startDiscordBot(() => periods)
  const guild = bot.discord.guild('Home')
  const lobby = guild.channel('lobby')
  const olga = guild.member('olga', { manageServer: true })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  bot.stage.market('ETH', { price: 200, funding: 0.0002 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  bot.stage.positions(BOB, [{ symbol: 'ETH', size: 4, entry: 200, liquidation: 150 }])
  await bot.online()
  await bot.says(olga, `/start code:${CLAIM_CODE}`, olga.dm)
  await bot.says(olga, `/watch address:${ALICE} label:main`, olga.dm)
  await bot.pass(5_000)
  const told = (place: Channel) =>
    place
      .messages()
      .flatMap((one) => (one.origin === 'post' ? [textOf(one).split('\n')[0] ?? ''] : []))
      .filter((line) => !line.includes('Test: alerts reach'))
  return { ...bot, olga, lobby, told }
}

/** A channel that hears of every flip of ETH's funding. */
async function flipsHeardIn({ discord, olga, says, pass }: Home): Promise<Channel> {
  const alerts = discord.guild('Home').channel('alerts')
  await says(olga, '/channel bind', alerts)
  await says(olga, '/alert funding-flip market:ETH', alerts)
  await pass(4_000)
  return alerts
}

describe('a 403 that comes and goes ends no chat:', () => {
  test.each<[what: string, fault: Omit<Fault, 'route'>]>([
    [
      '40333, which the edge answers',
      { kind: 'status', status: 403, body: { code: 40_333, message: 'internal network error' } },
    ],
    [
      'a code that nobody documents',
      { kind: 'status', status: 403, body: { code: 59_999, message: 'Something new' } },
    ],
    ['a page without any code', { kind: 'html', status: 403 }],
  ])('%s', async (_what, fault) => {
    await using bot = await home()
    bot.discord.fault({ route: POST, ...fault, times: 2 })
    bot.stage.market('BTC', { price: 93 })
    await bot.until(() => bot.told(bot.olga.dm).length === 1, 'the critical is told')
    expect(bot.told(bot.olga.dm)[0]).toContain('CRITICAL: BTC long: 3.2% to liquidation')
    expect(await bot.says(bot.olga, '/status', bot.olga.dm)).not.toContain('I cannot write')
  })
})

test('a chat that was broken in error heals by itself within the hour, and its warning arrives', async () => {
  await using bot = await home(UNHURRIED)
  const { olga, discord } = bot
  // Discord says for a moment that she takes no messages, and nobody says anything to the bot.
  discord.fault({ route: POST, kind: 'status', status: 403, body: { code: 50_007, message: 'Cannot send' } })
  bot.stage.market('BTC', { price: 93 })
  await bot.pass(HOUR_MS / 2)
  expect(bot.told(olga.dm)).toEqual([])
  await bot.pass(HOUR_MS / 2 + 10_000)
  expect(bot.told(olga.dm)[0]).toContain('CRITICAL: BTC long: 3.2% to liquidation')
  expect(olga.dm.shows(/the oldest (60 min|1 h) late/)).toBeDefined()
})

test('one that was closed and opened again is heard of at once after a command from anywhere', async () => {
  await using bot = await home()
  const { olga, lobby } = bot
  olga.closesMessages()
  bot.stage.market('BTC', { price: 93 })
  await bot.pass(10_000)
  olga.closesMessages(false)
  await bot.says(olga, '/wallets', lobby)
  await bot.until(() => bot.told(olga.dm).length > 0, 'the critical is told')
  expect(bot.told(olga.dm)[0]).toContain('CRITICAL: BTC long: 3.2% to liquidation')
})

test('commands in a channel that is still closed neither hammer there nor notify again', async () => {
  await using bot = await home()
  const { olga, discord } = bot
  const fred = discord.guild('Home').member('fred')
  const alerts = await flipsHeardIn(bot)
  alerts.permits({ send: false })
  bot.stage.market('ETH', { funding: -0.0002 })
  await bot.until(() => olga.dm.shows('I can’t write to'), 'she is told')
  const [before, notices] = [discord.ledger.counts()[POST] ?? 0, bot.told(olga.dm).length]
  for (let commands = 0; commands < 5; commands++) await bot.says(fred, '/markets', alerts)
  await bot.pass(10_000)
  expect((discord.ledger.counts()[POST] ?? 0) - before).toBeLessThanOrEqual(1)
  expect(bot.told(olga.dm)).toHaveLength(notices)
})

test('one channel that answers 500 delays nobody else’s warning', async () => {
  await using bot = await home()
  const { olga, discord } = bot
  const alerts = await flipsHeardIn(bot)
  discord.fault({ route: `POST /channels/${alerts.id}/messages`, kind: 'status', times: 100 })
  bot.stage.market('ETH', { funding: -0.0002 })
  await bot.pass(45_000)
  expect(discord.ledger.requests().filter(({ fault }) => fault === 'status').length).toBeGreaterThan(4)
  const began = bot.clock.monotonic()
  bot.stage.market('BTC', { price: 93 })
  await bot.until(() => bot.told(olga.dm).some((line) => line.includes('CRITICAL')), 'the critical is told')
  // The next look at the markets, and nothing else.
  expect(bot.clock.monotonic() - began).toBeLessThanOrEqual(2_500)
  expect(olga.dm.shows(/sent .* late/)).toBeUndefined()
})

test('a 429 in front of Discord holds everything for as long as it asks, not one channel alone', async () => {
  await using bot = await home()
  const { olga, discord } = bot
  const alerts = await flipsHeardIn(bot)
  discord.fault({ route: POST, kind: 'html', status: 429, headers: { 'retry-after': '8' } })
  bot.stage.market('ETH', { funding: -0.0002 })
  await bot.pass(2_500)
  const before = discord.ledger.counts()[POST] ?? 0
  bot.stage.market('BTC', { price: 93 })
  await bot.pass(4_000)
  expect(discord.ledger.counts()[POST] ?? 0).toBe(before)
  await bot.until(() => bot.told(olga.dm).length > 0, 'the critical is told')
  await bot.until(() => alerts.shows('funding flipped'), 'the channel is told')
})

test('after an outage of three seconds the newest state is the last word, and what is late says so', async () => {
  await using bot = await home()
  const { olga, discord } = bot
  await discord.down()
  for (const price of [93.5, 130, 91.8]) {
    bot.stage.market('BTC', { price })
    await bot.pass(2_000)
  }
  await discord.up()
  await bot.until(() => bot.told(olga.dm).length === 3, 'all of it is told')
  await bot.pass(50_000)
  expect(bot.told(olga.dm)).toEqual([
    expect.stringMatching(/^CRITICAL: BTC long: 3\.7% to liquidation/),
    expect.stringMatching(/^RESOLVED: BTC long is safe again/),
    expect.stringMatching(/^CRITICAL: BTC long: 2\.0% to liquidation/),
  ])
  const late = olga.dm.messages().filter((one) => textOf(one).includes('BTC long'))
  expect(late.length).toBeGreaterThanOrEqual(3)
  for (const one of late.slice(-3, -1)) expect(textOf(one)).toMatch(/seen at .*, sent .* late/)
})
