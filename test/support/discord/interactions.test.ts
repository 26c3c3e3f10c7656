import { type ChatInputCommandInteraction, type Interaction, MessageFlags } from 'discord.js'
import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { refusedAs, startBot } from './client.ts'
import { textOf } from './readable.ts'
import { startDiscord } from './server.ts'
import { BUTTONS, traders } from './traders.ts'

const onCommand =
  (work: (asked: ChatInputCommandInteraction) => Promise<unknown>) => async (asked: Interaction) => {
    if (asked.isChatInputCommand()) await work(asked)
  }

describe('a slash command', () => {
  test('is deferred, then answered to whoever asked alone', async () => {
    await using discord = await startDiscord({ clock: handClock() })
    const { general, ann, bob } = traders(discord)
    let seen = ''
    await using _bot = await startBot(discord, {
      register: true,
      hear: onCommand(async (asked) => {
        await asked.deferReply({ flags: MessageFlags.Ephemeral })
        seen = discord.ledger.shows(general, ann)
        await asked.editReply({ content: 'BTC long 2 ×', components: BUTTONS })
        await asked.followUp({ content: 'for everybody' })
        await asked.followUp({ content: 'for you', flags: MessageFlags.Ephemeral })
      }),
    })
    const asked = ann.runs('/positions wallet:main')
    expect(await asked.acked()).toBe(0)
    expect(textOf(await asked.answer())).toBe('BTC long 2 ×\n[Refresh] [Remove]')
    await general.gets('for you')
    expect(seen).toContain('Perch (only ann sees this):\nPerch is thinking…')
    expect(discord.ledger.shows(general, bob)).toBe('Perch:\nfor everybody')
    expect(discord.ledger.shows(general, ann)).toBe(
      [
        'ann: /positions wallet:main',
        'Perch (only ann sees this):\nBTC long 2 ×\n[Refresh] [Remove]',
        'Perch:\nfor everybody',
        'Perch (only ann sees this):\nfor you',
      ].join('\n\n'),
    )
    expect(discord.ledger.ackLatencies()).toHaveLength(1)
  })

  test('brings who asked, where and with what right', async () => {
    await using discord = await startDiscord()
    const { guild, ann } = traders(discord)
    const boss = guild.member('boss', { manageServer: true })
    const quiet = guild.channel('quiet', { permissions: { embed: false } })
    await using _bot = await startBot(discord, {
      register: true,
      hear: onCommand(async (asked) => {
        const { user, channelId, guildId, context, memberPermissions, appPermissions } = asked
        const options = asked.options.data.flatMap(({ options }) => options?.map(({ value }) => value) ?? [])
        const said = {
          who: user.username,
          channelId,
          guildId,
          context,
          options,
          manages: memberPermissions?.has('ManageGuild') ?? null,
          embeds: appPermissions.has('EmbedLinks'),
          whose: asked.options.getUser('for')?.username ?? null,
        }
        await asked.reply(JSON.stringify(said))
      }),
    })
    const told = async (asked: { answer(): Promise<{ content: string }> }): Promise<unknown> =>
      JSON.parse((await asked.answer()).content)
    expect(await told(boss.runs('/alert price-above symbol:BTC level:5 for:ann', {}, quiet))).toEqual({
      who: 'boss',
      channelId: quiet.id,
      guildId: guild.id,
      context: 0,
      options: ['btc', 5, ann.id],
      manages: true,
      embeds: false,
      whose: 'ann',
    })
    expect(await told(ann.runs('/alert price-above', { symbol: 'btc', level: 5 }, ann.dm))).toEqual({
      who: 'ann',
      channelId: ann.dm.id,
      guildId: null,
      context: 1,
      options: ['btc', 5],
      manages: null,
      embeds: true,
      whose: null,
    })
  })

  test('stays as visible as the deferral said', async () => {
    await using discord = await startDiscord()
    const { ann } = traders(discord)
    await using _bot = await startBot(discord, {
      register: true,
      hear: onCommand(async (asked) => {
        await asked.deferReply()
        await asked.followUp({ content: 'a secret', flags: MessageFlags.Ephemeral })
      }),
    })
    const answer = await ann.runs('/positions').answer()
    expect([answer.content, answer.visibleTo]).toEqual(['a secret', null])
  })

  test('gets no answer while no bot is there, and says so', async () => {
    await using discord = await startDiscord()
    const { general, ann } = traders(discord)
    {
      await using _bot = await startBot(discord, { register: true })
    }
    await discord.gateway.until(() => discord.gateway.connected() === 0, 'the bot is gone')
    const asked = ann.runs('/positions')
    await expect(asked.answer()).rejects.toThrow('The application did not respond')
    expect(discord.ledger.shows(general)).toBe('ann: /positions\nThe application did not respond')
  })

  test('deletes its answer', async () => {
    await using discord = await startDiscord()
    const { general, ann } = traders(discord)
    await using _bot = await startBot(discord, {
      register: true,
      hear: onCommand(async (asked) => {
        await asked.reply('soon gone')
        expect((await asked.fetchReply()).content).toBe('soon gone')
        await asked.deleteReply()
      }),
    })
    ann.runs('/positions')
    await discord.ledger.until(() => general.messages()[0]?.deletedAt, 'deleted')
    expect(discord.ledger.shows(general)).toBe('ann: /positions')
  })
})

describe('an answer', () => {
  test.each<
    [what: string, waitMs: number, work: (asked: ChatInputCommandInteraction) => Promise<unknown>, as: string]
  >([
    ['later than 3 s is for nobody', 3_001, (asked) => asked.reply('late'), '404 10062: Unknown interaction'],
    ['within 3 s is in time', 3_000, (asked) => asked.reply('in time'), 'not refused'],
    [
      'is given once',
      0,
      async (asked) => {
        await asked.reply('one')
        asked.replied = false
        await asked.reply('two')
      },
      '400 40060: Interaction has already been acknowledged.',
    ],
    ['must come before edits', 0, (asked) => asked.webhook.editMessage('@original', 'x'), '404 10015'],
    ['says something', 0, (asked) => asked.reply({ content: '' }), '50006'],
    [
      'names its mistakes below data',
      0,
      (asked) => asked.reply({ content: 'x'.repeat(2001) }),
      'data.content[BASE_TYPE_MAX_LENGTH]',
    ],
  ])('%s', async (_what, waitMs, work, as) => {
    const clock = handClock()
    await using discord = await startDiscord({ clock })
    const { ann } = traders(discord)
    const { promise, resolve } = Promise.withResolvers<string>()
    await using _bot = await startBot(discord, {
      register: true,
      hear: onCommand(async (asked) => {
        await clock.advance(waitMs)
        resolve(await refusedAs(work(asked)))
      }),
    })
    const asked = ann.runs('/positions')
    expect(await promise).toContain(as)
    if (waitMs > 3_000) expect(asked.failure()).toBe('The application did not respond')
  })

  test.each<[what: string, waitMs: number, as: string]>([
    ['can be changed for fifteen minutes', 15 * 60_000, 'not refused'],
    ['cannot be changed after them', 15 * 60_000 + 1, '401 50027: Invalid Webhook Token'],
  ])('%s, which costs the client nothing', async (_what, waitMs, as) => {
    const clock = handClock()
    await using discord = await startDiscord({ clock })
    const { ann, general } = traders(discord)
    const { promise, resolve } = Promise.withResolvers<string>()
    await using bot = await startBot(discord, {
      register: true,
      hear: onCommand(async (asked) => {
        await asked.deferReply()
        await clock.advance(waitMs)
        resolve(await refusedAs(asked.editReply('x')))
      }),
    })
    ann.runs('/positions')
    expect(await promise).toContain(as)
    await bot.post(general, { content: 'still here' })
  })

  test('is followed by at most five where the user alone installed the app', async () => {
    await using discord = await startDiscord()
    const zoe = discord.user('zoe')
    const { promise, resolve } = Promise.withResolvers<string>()
    await using _bot = await startBot(discord, {
      register: true,
      hear: onCommand(async (asked) => {
        await asked.reply('first')
        for (let i = 0; i < 5; i++) await asked.followUp(`more ${i}`)
        resolve(await refusedAs(asked.followUp('too much')))
      }),
    })
    const chat = zoe.chatsPrivately('zoe and bob')
    zoe.runs('/positions', {}, chat)
    expect(await promise).toContain('40094')
    expect(discord.ledger.messages(chat)).toHaveLength(6)
  })
})
