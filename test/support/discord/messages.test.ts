import { DiscordAPIError, REST, Routes } from 'discord.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { type Bot, refusedAs, startBot } from './client.ts'
import { textOf } from './readable.ts'
import { type Discord, startDiscord } from './server.ts'

let discord: Discord
let bot: Bot
const clock = handClock()

beforeAll(async () => {
  discord = await startDiscord({ clock })
  bot = await startBot(discord)
})
afterAll(async () => {
  await bot[Symbol.asyncDispose]()
  await discord.stop()
})

/** discord.js hands a file to the undici that came first in this process, which may take none but its own: fetch takes any. */
const withFiles = () =>
  new REST({ api: discord.apiUrl, version: '10', makeRequest: fetch as never }).setToken(discord.token)

const button = (more: object = {}) => ({ type: 2, style: 1, label: 'Go', custom_id: 'go', ...more })
const row = (...buttons: object[]) => ({ content: 'x', components: [{ type: 1, components: buttons }] })
const embed = (embed: object) => ({ embeds: [embed] })

describe('where the bot may not post', () => {
  test.each<[what: string, change: (discord: Discord) => { id: string }, as: string]>([
    [
      'it does not see the channel',
      (d) => d.guild('G').channel('a', { permissions: { view: false } }),
      '403 50001',
    ],
    [
      'it may not send there',
      (d) => d.guild('G').channel('b', { permissions: { send: false } }),
      '403 50013',
    ],
    [
      'it may not embed there',
      (d) => d.guild('G').channel('c', { permissions: { embed: false } }),
      '403 50013',
    ],
    [
      'it may not send in a thread',
      (d) => d.guild('G').channel('d', { kind: 'thread', permissions: { sendInThreads: false } }),
      '403 50013',
    ],
    ['it is a forum', (d) => d.guild('G').channel('e', { kind: 'forum' }), '400 50008'],
    [
      'the channel is deleted',
      (d) => {
        const channel = d.guild('G').channel('f')
        channel.remove()
        return channel
      },
      '404 10003',
    ],
    [
      'it was thrown out',
      (d) => {
        const guild = d.guild('Elsewhere')
        guild.kicks()
        return guild.channel('g')
      },
      '403 50001',
    ],
  ])('because %s, it is told so', async (_what, change, as) => {
    expect(await refusedAs(bot.post(change(discord), embed({ title: 'x' })))).toContain(as)
  })

  test('announcements and threads are fine', async () => {
    const guild = discord.guild('G')
    const news = guild.channel('news', { kind: 'announcement' })
    await bot.post(news, { content: 'x' })
    await bot.post(guild.channel('talk', { kind: 'thread', parent: news, permissions: { send: false } }), {
      content: 'x',
    })
  })
})

describe('a direct message', () => {
  const write = async (id: string) => {
    const dm = (await bot.client.rest.post(Routes.userChannels(), { body: { recipient_id: id } })) as {
      id: string
    }
    return bot.post(dm, { content: 'psst' })
  }

  test('reaches whoever shares a guild with the bot', async () => {
    const ann = discord.guild('Traders').member('ann')
    await write(ann.id)
    await ann.dm.gets('psst')
  })

  test('reaches whoever installed the app, and nobody else', async () => {
    const zoe = discord.user('zoe')
    await write(zoe.id)
    zoe.installs(false)
    expect(await refusedAs(write(zoe.id))).toContain('403 50278')
  })

  test('does not reach whoever closed theirs', async () => {
    const bob = discord.guild('Traders').member('bob')
    bob.closesMessages()
    expect(await refusedAs(write(bob.id))).toContain('403 50007')
    bob.closesMessages(false)
    await write(bob.id)
  })

  test('does not reach whoever left', async () => {
    const guild = discord.guild('Traders')
    guild.member('eve').leaves()
    expect(await refusedAs(write(discord.user('eve', { installed: false }).id))).toContain('403 50278')
  })
})

describe('a nonce', () => {
  test('makes a repeat harmless for three minutes, channel by channel', async () => {
    const guild = discord.guild('Traders')
    const [here, there] = [guild.channel('here'), guild.channel('there')]
    const body = { content: 'BTC is near', nonce: 'a41', enforce_nonce: true }
    const first = await bot.post(here, body)
    expect(await bot.post(here, { ...body, content: 'again' })).toMatchObject({
      id: first.id,
      content: 'BTC is near',
    })
    await bot.post(there, body)
    await clock.advance(3 * 60_000 + 1)
    expect((await bot.post(here, body)).id).not.toBe(first.id)
    expect(here.messages()).toHaveLength(2)
    expect(there.messages()).toHaveLength(1)
  })

  test('does nothing unless it is enforced', async () => {
    const channel = discord.guild('Traders').channel('twice')
    for (let i = 0; i < 2; i++) await bot.post(channel, { content: 'x', nonce: 'b1' })
    expect(channel.messages()).toHaveLength(2)
  })
})

describe('what a channel shows', () => {
  test('words, embeds, buttons and files, whom they ring, and how they changed', async () => {
    const guild = discord.guild('Traders')
    const channel = guild.channel('shown')
    const ann = guild.member('ann')
    const role = guild.role('traders')
    const first = await bot.post(channel, {
      content: `<@${ann.id}> <@&${role.id}> @everyone BTC`,
      allowed_mentions: { parse: [], roles: [role.id] },
      embeds: [{ title: 'Near', description: 'two\nlines', fields: [{ name: 'Price', value: '70k' }] }],
      components: row(button(), button({ label: 'Off', custom_id: 'off', disabled: true })).components,
    })
    await withFiles().post(Routes.channelMessages(channel.id), {
      body: { content: 'chart', flags: 4096, message_reference: { message_id: first.id } },
      files: [{ name: 'chart.png', data: Buffer.from('png'), contentType: 'image/png' }],
    })
    await bot.client.rest.patch(Routes.channelMessage(channel.id, first.id), {
      body: { content: 'BTC is safe', components: [] },
    })
    expect(discord.ledger.shows(channel)).toBe(
      [
        'Perch (rings @traders, edited):\nBTC is safe\n┃ **Near**\n┃ two\n┃ lines\n┃ Price: 70k',
        'Perch (silent, a reply):\nchart\n<chart.png, 3 bytes>',
      ].join('\n\n'),
    )
    const [message] = channel.messages()
    expect(message?.former.map(({ content }) => content)).toEqual([
      `<@${ann.id}> <@&${role.id}> @everyone BTC`,
    ])
    await bot.client.rest.delete(Routes.channelMessage(channel.id, first.id))
    expect(discord.ledger.shows(channel)).not.toContain('safe')
  })

  test('without allowed mentions, everybody named is rung', async () => {
    const guild = discord.guild('Traders')
    const channel = guild.channel('loud')
    await bot.post(channel, { content: `<@${guild.member('ann').id}> @here` })
    expect(channel.messages()[0]?.pings).toEqual(['@ann', '@here'])
  })

  test('discord.js reads and writes it through its own objects', async () => {
    const ann = discord.guild('Traders').member('ann')
    const user = await bot.client.users.createDM(ann.id)
    const sent = await user.send({ content: 'one', embeds: [{ title: 'two' }] })
    await sent.edit('three')
    expect(textOf(await ann.dm.gets('three'))).toBe('three\n┃ **two**')
  })
})

describe('the door', () => {
  const ask = (
    path: string,
    { headers = {}, ...how }: RequestInit & { headers?: Record<string, string> } = {},
  ) =>
    fetch(`${discord.apiUrl}${path}`, {
      headers: {
        'user-agent': 'DiscordBot (https://example.org, 1)',
        authorization: `Bot ${discord.token}`,
        ...headers,
      },
      ...how,
    })

  test.each<
    [what: string, path: string, how: RequestInit & { headers?: Record<string, string> }, status: number]
  >([
    ['a route that is none', '/v10/nothing', {}, 404],
    ['a method that is none', '/v10/gateway/bot', { method: 'DELETE' }, 405],
    ['another version', '/v9/users/@me', {}, 400],
    ['a wrong token', '/v10/users/@me', { headers: { authorization: 'Bot x' } }, 401],
    ['no word of who asks', '/v10/users/@me', { headers: { 'user-agent': 'node' } }, 403],
    [
      'broken JSON',
      '/v10/users/@me/channels',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['a channel id that is none', '/v10/channels/here', {}, 400],
  ])('refuses %s', async (_what, path, how, status) => {
    expect((await ask(path, how)).status).toBe(status)
  })

  test('a 204 has no content type', async () => {
    const channel = discord.guild('Traders').channel('typed')
    const response = await ask(`/v10/channels/${channel.id}/typing`, { method: 'POST' })
    expect([response.status, response.headers.get('content-type')]).toEqual([204, null])
  })

  test('says who the bot is', async () => {
    expect(await (await ask('/v10/users/@me')).json()).toMatchObject({ id: discord.botId, bot: true })
    expect(await (await ask('/v10/applications/@me')).json()).toMatchObject({ id: discord.applicationId })
    await expect(bot.client.channels.fetch('123456789012345678')).rejects.toBeInstanceOf(DiscordAPIError)
  })
})
