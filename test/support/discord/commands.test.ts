import { Routes } from 'discord.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { refusedAs, REGISTERED, startBot } from './client.ts'
import { startDiscord } from './server.ts'

const discord = await startDiscord()
const bot = await startBot(discord)
afterAll(async () => {
  await bot[Symbol.asyncDispose]()
  await discord.stop()
})

const put = (commands: object[]) =>
  bot.client.rest.put(Routes.applicationCommands(discord.applicationId), { body: commands }) as Promise<
    { id: string; version: string; name: string }[]
  >
const option = (more: object = {}) => ({ type: 3, name: 'wallet', description: 'Which', ...more })
const command = (more: object = {}) => ({ name: 'positions', description: 'What is open', ...more })
const options = (...all: object[]) => [command({ options: all })]
const long = (length: number) => 'x'.repeat(length)

describe('Discord refuses commands', () => {
  test.each<[what: string, commands: object[], as: string]>([
    ['with a capital', [command({ name: 'Positions' })], '0.name[APPLICATION_COMMAND_INVALID_NAME]'],
    [
      'with a blank in the name',
      [command({ name: 'my positions' })],
      '0.name[APPLICATION_COMMAND_INVALID_NAME]',
    ],
    ['with a name of 33', [command({ name: long(33) })], '0.name[BASE_TYPE_BAD_LENGTH]'],
    ['without a description', [{ name: 'positions' }], '0.description[BASE_TYPE_REQUIRED]'],
    [
      'with a description of 101',
      [command({ description: long(101) })],
      '0.description[BASE_TYPE_BAD_LENGTH]',
    ],
    ['of the same name', [command(), command()], '1[APPLICATION_COMMANDS_DUPLICATE_NAME]'],
    ['of unknown contexts', [command({ contexts: [3] })], '0.contexts[0][BASE_TYPE_CHOICES]'],
    [
      'of unknown installs',
      [command({ integration_types: [2] })],
      '0.integration_types[0][BASE_TYPE_CHOICES]',
    ],
    [
      'with permissions that are a number',
      [command({ default_member_permissions: 32 })],
      'permissions[NUMBER_TYPE_COERCE]',
    ],
    ['with a field that is none', [command({ usage: 'x' })], '0.usage[STAND_IN_UNKNOWN_FIELD]'],
    [
      'with 26 options',
      options(...Array.from({ length: 26 }, (_, n) => option({ name: `o${n}` }))),
      '0.options[BASE_TYPE_MAX_LENGTH]',
    ],
    [
      'with 26 choices',
      options(option({ choices: Array.from({ length: 26 }, (_, n) => ({ name: `${n}`, value: `${n}` })) })),
      '0.options[0].choices[BASE_TYPE_MAX_LENGTH]',
    ],
    [
      'with a required option after another',
      options(option(), option({ name: 'symbol', required: true })),
      '0.options[1][APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID]: Required options must be placed before',
    ],
    [
      'with a required option after another, in a sub-command',
      options(option({ type: 1, options: [option(), option({ name: 'b', required: true })] })),
      '0.options[0].options[1][APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID]',
    ],
    [
      'with options beside sub-commands',
      options(option({ type: 1 }), option({ name: 'b' })),
      '0.options[1][APPLICATION_COMMAND_OPTIONS_TYPE_INVALID]',
    ],
    [
      'with groups in groups',
      options(option({ type: 2, options: [option({ type: 2 })] })),
      'type[BASE_TYPE_CHOICES]',
    ],
    ['with options in a group', options(option({ type: 2, options: [option()] })), 'type[BASE_TYPE_CHOICES]'],
    ['with a type that is none', options(option({ type: 12 })), '0.options[0].type[BASE_TYPE_CHOICES]'],
    [
      'with choices of another type',
      options(option({ type: 4, choices: [{ name: 'a', value: 'b' }] })),
      'NUMBER_TYPE_COERCE',
    ],
    [
      'with the same option twice',
      options(option(), option()),
      '0.options[1][APPLICATION_COMMAND_OPTIONS_NAME_INVALID]',
    ],
    [
      'with choices and autocomplete',
      options(option({ autocomplete: true, choices: [{ name: 'a', value: 'a' }] })),
      'autocomplete[APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID]',
    ],
    [
      'with a smallest text',
      options(option({ min_value: 1 })),
      'min_value[APPLICATION_COMMAND_OPTIONS_FIELD_INVALID]',
    ],
    [
      'of more than 8000 characters',
      options(
        ...Array.from({ length: 25 }, (_, n) =>
          option({
            name: `o${n}`,
            choices: Array.from({ length: 2 }, (_, m) => ({
              name: `${m}${long(90)}`,
              value: `${m}${long(90)}`,
            })),
          }),
        ),
      ),
      '0[APPLICATION_COMMAND_TOO_LARGE]: Command exceeds maximum size (8000)',
    ],
    ['more than 100', Array.from({ length: 101 }, (_, n) => command({ name: `c${n}` })), '30032'],
  ])('%s', async (_what, commands, as) => {
    expect(await refusedAs(put(commands))).toContain(as)
    expect(discord.commands()).toEqual([])
  })
})

test('two hundred new commands a day are the most', async () => {
  await using other = await startDiscord()
  await using bot = await startBot(other)
  const route = Routes.applicationCommands(other.applicationId)
  const hundred = (from: string) => Array.from({ length: 100 }, (_, n) => command({ name: `${from}${n}` }))
  await bot.client.rest.put(route, { body: hundred('a') })
  await bot.client.rest.put(route, { body: hundred('a') })
  await bot.client.rest.put(route, { body: hundred('b') })
  expect(await refusedAs(bot.client.rest.put(route, { body: [command()] }))).toContain('30034')
})

describe('with commands registered', () => {
  beforeAll(async () => {
    discord.guild('Traders').channel('general')
    await put(REGISTERED)
  })

  test('they keep their ids, and a version until they change', async () => {
    const before = await put(REGISTERED)
    const after = await put([
      { ...REGISTERED[0], description: 'Everything that is open' },
      ...REGISTERED.slice(1),
    ])
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(after.map(({ version }, index) => version === before[index]?.version)).toEqual([false, true, true])
    expect(await bot.client.application.commands.fetch()).toHaveProperty('size', 3)
  })

  test('a guild has its own beside them', async () => {
    const guild = discord.guild('Own')
    const route = Routes.applicationGuildCommands(discord.applicationId, guild.id)
    await bot.client.rest.put(route, { body: [command({ name: 'local' })] })
    expect(guild.member('ann').runs('/local', {}, guild.channel('general')).interaction.what).toBe('/local')
    expect(() => discord.guild('Traders').member('ann').runs('/local')).toThrow('registered no /local')
    guild.kicks()
    expect(await refusedAs(bot.client.rest.get(route))).toContain('50001')
  })

  test.each<[line: string, why: string]>([
    ['/nothing', 'The bot has registered no /nothing; there are /positions /alert /channel'],
    ['/alert', '/alert needs one of: price-above'],
    ['/alert price-below', '/alert needs one of: price-above'],
    ['/alert price-above symbol:BTC', '/alert price-above needs the option "level"'],
    ['/alert price-above symbol:DOGE level:1', '/alert price-above symbol is one of BTC, not "DOGE"'],
    ['/alert price-above symbol:BTC level:high', '/alert price-above level is a number, not "high"'],
    ['/alert price-above symbol:BTC level:-1', '/alert price-above level is at least 0, not -1'],
    ['/alert price-above symbol:BTC level:1 for:nobody', 'there is no user nobody'],
    ['/alert price-above band:2 symbol:BTC level:1', 'has no option "band"; there are symbol, level, for'],
    ['/positions main', '/positions does not take "main"'],
    ['/positions wallet:', '/positions wallet is empty'],
    ['/channel', 'Discord does not show /channel to ann (default_member_permissions)'],
  ])('Discord would not send %s', (line, why) => {
    expect(() => discord.guild('Traders').member('ann').runs(line)).toThrow(why)
  })

  test('Discord sends what fits, however it is written', () => {
    const guild = discord.guild('Traders')
    const [ann, bob] = [guild.member('ann'), guild.member('bob')]
    const wanted = `/alert price-above symbol:btc level:70000 for:${bob.id}`
    const written = ann.runs('/alert price-above symbol:BTC level:70000 for:bob')
    const given = ann.runs('/alert price-above', { symbol: 'btc', level: 70_000, for: bob })
    expect([written.interaction.what, given.interaction.what]).toEqual([wanted, wanted])
    expect(ann.runs('/positions wallet:my own: main').interaction.what).toBe('/positions wallet:my own: main')
  })

  test('whoever manages the server sees what needs it, in a guild only', () => {
    const guild = discord.guild('Traders')
    const boss = guild.member('boss', { manageServer: true })
    expect(boss.runs('/channel').interaction.owners).toEqual({ '0': guild.id })
    expect(() => boss.runs('/channel', {}, boss.dm)).toThrow('not offered in direct messages')
  })

  test('an app that a user installed goes with them everywhere', () => {
    const zoe = discord.user('zoe')
    const place = zoe.chatsPrivately('zoe and bob', discord.guild('Traders').member('bob'))
    const { owners } = zoe.runs('/positions', {}, place).interaction
    expect(owners).toEqual({ '1': zoe.id })
    zoe.installs(false)
    expect(() => zoe.runs('/positions', {}, place)).toThrow('not installed in private channels, nor for zoe')
  })
})
