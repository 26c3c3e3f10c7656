import { once } from 'node:events'

import { Events } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { startBot } from './client.ts'
import { type Discord, startDiscord } from './server.ts'

/** A bot that answers every command, in a guild with ann. */
async function story(discord: Discord) {
  const guild = discord.guild('Traders')
  const general = guild.channel('general')
  const ann = guild.member('ann')
  const bot = await startBot(discord, {
    register: true,
    hear: async (asked) => {
      if (asked.isChatInputCommand()) await asked.reply('here I am')
    },
  })
  return { general, ann, bot }
}

test('a bot is ready after it identified, with its guilds and no intents', async () => {
  await using discord = await startDiscord()
  const guild = discord.guild('Traders')
  discord.guild('Left').kicks()
  await using bot = await startBot(discord)
  expect([...bot.client.guilds.cache.keys()]).toEqual([guild.id])
  expect(bot.client.user.id).toBe(discord.botId)
  expect(bot.client.application.id).toBe(discord.applicationId)
  expect(discord.gateway.identifies).toMatchObject([{ intents: 0, shard: [0, 1], right: true }])
})

describe.concurrent('a bot comes back and hears what it missed', () => {
  test.each<[after: string, trouble: (discord: Discord) => void]>([
    ['after the connection dropped', ({ gateway }) => gateway.drop()],
    ['when told to reconnect', ({ gateway }) => gateway.reconnect()],
    ['after 4000', ({ gateway }) => gateway.close(4000)],
    ['after its session timed out', ({ gateway }) => gateway.close(4009)],
    ['when its session may be resumed', ({ gateway }) => gateway.invalidate(true)],
  ])('%s', async (_after, trouble) => {
    await using discord = await startDiscord()
    const { ann, bot } = await story(discord)
    await using _ = bot
    trouble(discord)
    const asked = ann.runs('/positions')
    expect((await asked.answer()).content).toBe('here I am')
    await discord.gateway.until(() => discord.gateway.resumes.length === 1, 'resumed')
    expect(discord.gateway.identifies).toHaveLength(1)
    expect(bot.trouble).toEqual([])
  })

  test('after heartbeats were not acknowledged', async () => {
    await using discord = await startDiscord({ heartbeatMs: 200 })
    const { ann, bot } = await story(discord)
    await using _ = bot
    await discord.gateway.until(() => discord.gateway.heartbeats() > 1, 'it beats')
    discord.gateway.withholdAcks()
    await discord.gateway.until(() => discord.gateway.connected() === 0, 'it gave up')
    discord.gateway.withholdAcks(false)
    expect((await ann.runs('/positions').answer()).content).toBe('here I am')
    // A machine that is busy at the wrong moment makes it two.
    expect(discord.gateway.resumes.length).toBeGreaterThan(0)
    expect(discord.gateway.identifies).toHaveLength(1)
  })

  test('after sockets were refused for a while, with what it missed replayed', async () => {
    await using discord = await startDiscord()
    const { ann, bot } = await story(discord)
    await using _ = bot
    discord.gateway.refuse()
    discord.gateway.drop()
    await discord.gateway.until(() => discord.gateway.connected() === 0, 'it is gone')
    const asked = ann.runs('/positions')
    expect(asked.failure()).toBeNull()
    discord.gateway.refuse(false)
    await asked.answer()
    expect(discord.gateway.resumes).toMatchObject([{ replayed: 1 }])
  })
})

describe.concurrent('a bot starts a new session', () => {
  test.each<[after: string, trouble: (discord: Discord) => void]>([
    ['after its session became invalid', ({ gateway }) => gateway.invalidate(false)],
    ['after a normal close', ({ gateway }) => gateway.close(1000)],
  ])('%s', async (_after, trouble) => {
    await using discord = await startDiscord()
    const { ann, bot } = await story(discord)
    await using _ = bot
    trouble(discord)
    await discord.gateway.until(
      () => discord.gateway.identifies.length === 2 && discord.gateway.connected() === 1,
      'identified again',
    )
    expect(discord.gateway.resumes).toEqual([])
    expect((await ann.runs('/positions').answer()).content).toBe('here I am')
  })
})

describe('a fatal close', () => {
  test.each([4004, 4010, 4014])(
    '%s ends the connection while the client still says it is ready',
    async (code) => {
      await using discord = await startDiscord()
      const { bot } = await story(discord)
      await using _ = bot
      const gone = once(bot.client, Events.ShardDisconnect)
      discord.gateway.close(code)
      await gone
      expect(bot.trouble).toContain(`disconnected ${code}`)
      expect(bot.client.isReady()).toBe(true)
      expect(discord.gateway.connected()).toBe(0)
    },
  )
})

test('the daily starts are counted; one more resets the token', async () => {
  await using discord = await startDiscord({ sessionStarts: 1 })
  const ask = () =>
    fetch(`${discord.apiUrl}/v10/gateway/bot`, {
      headers: { 'user-agent': 'DiscordBot (x, 1)', authorization: `Bot ${discord.token}` },
    })
  {
    await using _bot = await startBot(discord)
  }
  expect(await (await ask()).json()).toMatchObject({ session_start_limit: { total: 1, remaining: 0 } })
  const late = await open(discord)
  late.say(2, { token: discord.token, intents: 0, properties: {} })
  expect(await late.closed).toBe(4004)
  expect((await ask()).status).toBe(401)
})

/** A bare socket that has heard HELLO. */
async function open(discord: Discord, query = '?v=10&encoding=json') {
  const socket = new WebSocket(`${discord.apiUrl.replace('http', 'ws').replace('/api', '/gw')}${query}`)
  const heard: { op: number; d: unknown; t: string | null }[] = []
  socket.on('message', (said: Buffer) => heard.push(JSON.parse(said.toString()) as (typeof heard)[number]))
  const closed = once(socket, 'close').then(([code]) => code as number)
  await Promise.race([once(socket, 'message'), closed])
  return {
    heard,
    closed,
    say: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    raw: (said: string) => socket.send(said),
    hears: (look: () => boolean) =>
      new Promise<void>((resolve) => {
        if (look()) return resolve()
        socket.on('message', () => void (look() && resolve()))
        return undefined
      }),
    [Symbol.dispose]: () => socket.terminate(),
  }
}

describe('the gateway closes', () => {
  const properties = { os: 'linux', browser: 'x', device: 'x' }
  test.each<[what: string, said: (token: string) => [op: number, d: unknown] | string, code: number]>([
    ['on a wrong token', () => [2, { token: 'x', intents: 0, properties }], 4004],
    ['on a resume with a wrong token', () => [6, { token: 'x', session_id: 'x', seq: 0 }], 4004],
    ['on intents that are none', (token) => [2, { token, intents: -1, properties }], 4013],
    ['on intents that nobody approved', (token) => [2, { token, intents: 1 << 15, properties }], 4014],
    ['on a shard that is none', (token) => [2, { token, intents: 0, properties, shard: [1, 1] }], 4010],
    ['on an opcode that is none', () => [99, {}], 4001],
    ['on what is no JSON', () => 'hello', 4002],
    ['on a presence before it knows who speaks', () => [3, {}], 4003],
  ])('%s', async (_what, said, code) => {
    await using discord = await startDiscord()
    using socket = await open(discord)
    expect(socket.heard).toMatchObject([{ op: 10, d: { heartbeat_interval: 41_250 } }])
    const what = said(discord.token)
    if (typeof what === 'string') socket.raw(what)
    else socket.say(...what)
    expect(await socket.closed).toBe(code)
  })

  test('on a second identify, on another version, on too much talk', async () => {
    await using discord = await startDiscord()
    using twice = await open(discord)
    for (let i = 0; i < 2; i++) twice.say(2, { token: discord.token, intents: 0, properties })
    expect(await twice.closed).toBe(4005)
    using old = await open(discord, '?v=9&encoding=json')
    expect(await old.closed).toBe(4012)
    using loud = await open(discord)
    for (let i = 0; i < 121; i++) loud.say(1, null)
    expect(await loud.closed).toBe(4008)
  })

  test('and on a resume from the future; one of a session that is over is invalid', async () => {
    await using discord = await startDiscord()
    using first = await open(discord)
    first.say(2, { token: discord.token, intents: 0, properties })
    await first.hears(() => first.heard.length === 2)
    const session_id = (first.heard[1]?.d as { session_id?: string } | undefined)?.session_id
    using second = await open(discord)
    second.say(6, { token: discord.token, session_id, seq: 99 })
    expect(await second.closed).toBe(4007)
    using third = await open(discord)
    third.say(6, { token: discord.token, session_id, seq: 1 })
    await third.hears(() => third.heard.length === 2)
    expect(third.heard[1]).toMatchObject({ op: 9, d: false })
  })
})
