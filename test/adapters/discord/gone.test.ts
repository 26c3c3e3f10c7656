import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createApi, ShutOut } from '../../../adapters/discord/send/api.ts'
import { ALICE, CLAIM_CODE } from '../../support/bot.ts'
import { handClock } from '../../support/clock.ts'
import { type DiscordBot, startDiscordBot } from '../../support/discord/bot.ts'
import type { Channel } from '../../support/discord/channels.ts'
import type { Message } from '../../support/discord/messages.ts'
import type { Discord } from '../../support/discord/server.ts'

const POST = 'POST /channels/:id/messages'

let discord: Discord
let bot: DiscordBot
let funding = 0.0002

beforeAll(async () => {
  // Nobody is there yet: the start waits for nothing, and gets in when it can.
  bot = await startDiscordBot(undefined, { down: true })
  discord = bot.discord
  bot.stage.market('BTC', { price: 130, funding })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(10_000)
  await discord.up()
  await bot.online()
})
afterAll(() => bot[Symbol.asyncDispose]())

const flip = () => bot.stage.market('BTC', { funding: (funding = -funding) })
const gets = (channel: Channel, words: string | RegExp, after?: Message) =>
  bot.until(() => channel.shows(words, after), `${String(words)} in ${channel.name}`)
function newest(channel: Channel): Message {
  const message = channel.messages().at(-1)
  if (!message) throw new Error(`nothing was said in ${channel.name}`)
  return message
}
const countOf = (route: string) => discord.ledger.counts()[route] ?? 0

describe('a channel where nothing arrives any more', () => {
  test.each<
    [
      how: string,
      channel: string,
      end: (guild: ReturnType<Discord['guild']>) => void,
      why: RegExp,
      back: ((guild: ReturnType<Discord['guild']>) => void) | null,
    ]
  >([
    [
      'the bot is thrown out (50001)',
      'a',
      (guild) => guild.kicks(),
      /removed there/,
      (guild) => guild.invites(),
    ],
    [
      'it may not post (50013)',
      'b',
      (guild) => guild.channel('b').permits({ send: false }),
      /may not post/,
      (guild) => guild.channel('b').permits({ send: true }),
    ],
    ['the channel is deleted (10003)', 'c', (guild) => guild.channel('c').remove(), /does not exist/, null],
  ])('%s: whoever bound it is told, and nobody hammers', async (_how, name, end, why, back) => {
    const guild = discord.guild(`Guild ${name}`)
    const channel = guild.channel(name)
    const olga = discord.guild(`Guild ${name}`).member('olga', { manageServer: true })
    // One guild more that is shared, or direct messages would go with it.
    discord.guild('Home').channel('lobby')
    discord.guild('Home').member('olga')
    const says = (line: string) => bot.says(olga, line, channel)
    await says(`/start code:${CLAIM_CODE}`)
    expect(await says('/channel bind')).toContain('is bound')
    await gets(channel, 'Test: alerts reach')
    await says('/alert funding-flip market:BTC')
    await bot.pass(4_000)
    flip()
    await gets(channel, 'funding flipped')

    end(guild)
    flip()
    await gets(olga.dm, why)
    const before = countOf(POST)
    flip()
    await bot.pass(8_000)
    expect(countOf(POST)).toBe(before)

    if (back === null) return
    back(guild)
    const last = newest(channel)
    // A command from there heals it; what has waited arrives.
    await says('/channel list')
    await gets(channel, 'funding flipped', last)
    await says('/channel unbind sure:yes')
  })
})

describe('a person who cannot be written to', () => {
  test.each<[how: string, end: (fred: ReturnType<Discord['user']>) => void]>([
    ['closes direct messages (50007)', (fred) => fred.closesMessages()],
    ['shares no server any more (50278)', (fred) => fred.installs(false)],
  ])('%s: the operator is told', async (_how, end) => {
    const olga = discord.guild('Home').member('olga')
    const fred = discord.user(`fred ${_how.slice(-6, -1)}`)
    const invitation = /\/start (\S+)`/.exec(await bot.says(olga, '/invite', olga.dm))?.[1] ?? ''
    await bot.says(fred, `/start code:${invitation}`)
    await bot.says(fred, `/watch address:${ALICE} label:main`)
    await bot.pass(6_000)
    const last = newest(olga.dm)
    end(fred)
    flip()
    await gets(olga.dm, 'I can’t write to', last)
  })
})

test('requests that Discord refuses are counted, and stop long before it shuts us out', async () => {
  const clock = handClock()
  const told: string[] = []
  const { token, apiUrl } = discord
  const emit = (event: { is: string; why?: unknown }) => void told.push(String(event.why))
  const api = createApi({ token, apiUrl, clock, emit, mostInvalid: 5 })
  const channel = discord.guild('Home').channel('closed', { permissions: { view: false } })
  const look = () => api.bot('GET', `/channels/${channel.id}`)
  for (let more = 0; more < 5; more++) await expect(look()).rejects.toThrow('Missing Access')
  const before = discord.ledger.requests().length
  await expect(look()).rejects.toSatisfy(
    (error) => error instanceof ShutOut && error.retryAfterMs === 600_000,
  )
  expect(discord.ledger.requests()).toHaveLength(before)
  expect(told).toEqual([expect.stringContaining('5 requests were refused')])
  await clock.advance(600_001)
  await expect(look()).rejects.toThrow('Missing Access')
})

test('one 401 costs one request', async () => {
  const { token, apiUrl } = discord
  const api = createApi({ token, apiUrl, clock: handClock(), emit: () => {} })
  discord.fault({ route: 'GET /users/@me', kind: 'status', status: 401 })
  await expect(api.bot('GET', '/users/@me')).rejects.toThrow('401')
  await expect(api.bot('GET', '/users/@me')).resolves.toMatchObject({ bot: true })
})
