import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { isConfigured, schema } from '../../../adapters/discord/config.ts'
import {
  argumentName,
  calledName,
  optionName,
  slashCommands,
} from '../../../adapters/discord/gateway/commands.ts'
import { identifyWaitMs } from '../../../adapters/discord/gateway/identify.ts'
import { isSame, register } from '../../../adapters/discord/gateway/registration.ts'
import { createApi, EdgeLimit } from '../../../adapters/discord/send/api.ts'
import { outcomeOf } from '../../../adapters/discord/send/outcome.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { argument } from '../../../src/chat/argument.ts'
import { commandList } from '../../../src/commands/index.ts'
import { handClock } from '../../support/clock.ts'
import { newForm } from '../../support/discord/form.ts'
import { startDiscord } from '../../support/discord/server.ts'
import { checkCommands } from '../../support/discord/validate/commands.ts'

const refused = (status: number, code: number) =>
  new DiscordAPIError({ code, message: 'no' }, code, status, 'POST', 'http://x', {})
const limited = (retryAfter: number, global: boolean) =>
  new RateLimitError({
    global,
    retryAfter,
    timeToReset: retryAfter,
    limit: 5,
    method: 'POST',
    url: '',
    route: '',
    majorParameter: '',
    hash: '',
    sublimitTimeout: 0,
    scope: 'user',
  })
const failed = (code: string) =>
  Object.assign(new Error('fetch failed'), { cause: Object.assign(new Error(code), { code }) })

describe('a failed send', () => {
  test.each([10003, 10004, 50001, 50007, 50013, 50278])('with %s is gone', (code) => {
    expect(outcomeOf(refused(code === 10003 ? 404 : 403, code))).toMatchObject({ is: 'gone' })
  })
  test.each<[what: string, error: unknown, outcome: object]>([
    ['of a wrong form is refused', refused(400, 50035), { is: 'rejected' }],
    ['of a message that is gone is refused', refused(404, 10008), { is: 'rejected' }],
    [
      'too many is waited for',
      limited(3_000, false),
      { is: 'delayed', retryAfterMs: 3_000, scope: 'chat', maybeSent: false },
    ],
    [
      'too many in all keeps all waiting',
      limited(3_000, true),
      { is: 'delayed', scope: 'platform', maybeSent: false },
    ],
    ['too many, for how long is not said', limited(0, false), { is: 'delayed', retryAfterMs: null }],
    [
      'too many in front of Discord keeps all waiting',
      new EdgeLimit(3_000),
      { is: 'delayed', retryAfterMs: 3_000, scope: 'platform', maybeSent: false },
    ],
    [
      'with a 500 may have been sent, and holds nobody else up',
      new HTTPError(500, '', 'POST', 'x', {}),
      { is: 'delayed', scope: 'chat', maybeSent: true },
    ],
    [
      'with a token that is refused has not',
      refused(401, 0),
      { is: 'delayed', scope: 'platform', maybeSent: false },
    ],
    [
      'at a wall in front of Discord has not',
      refused(403, 0),
      { is: 'delayed', scope: 'chat', maybeSent: false },
    ],
    [
      'with a code that comes and goes has not',
      refused(403, 40333),
      { is: 'delayed', scope: 'chat', maybeSent: false },
    ],
    [
      'with a code that nobody documents ends no chat',
      refused(403, 59999),
      { is: 'delayed', scope: 'chat', maybeSent: false },
    ],
    ['that opens one conversation too many holds nobody else up', refused(403, 40003), { scope: 'chat' }],
    [
      'with nobody there has not, and meets everybody',
      failed('ECONNREFUSED'),
      { is: 'delayed', scope: 'platform', maybeSent: false },
    ],
    [
      'with a broken connection may have',
      failed('UND_ERR_SOCKET'),
      { is: 'delayed', scope: 'chat', maybeSent: true },
    ],
    [
      'that was given up may have',
      new DOMException('aborted', 'AbortError'),
      { is: 'delayed', maybeSent: true },
    ],
  ])('%s', (_what, error, outcome) => {
    expect(outcomeOf(error)).toMatchObject(outcome)
  })
})

describe('sessions begin', () => {
  const minutes = (n: number) => n * 60_000
  test('five seconds apart, and at growing distances when there are too many', () => {
    const former: number[] = []
    const waits = Array.from({ length: 16 }, () => {
      const now = former.at(-1) ?? 0
      const ms = identifyWaitMs(former, null, now)
      former.push(now + ms)
      return ms / 1000
    })
    expect(waits).toEqual([0, 5, 5, 5, 5, 5, 5, 5, 5, 10, 20, 40, 80, 160, 300, 300])
    expect(identifyWaitMs([0], null, minutes(61))).toBe(0)
  })
  test('never more often in a day than Discord allows, however they fail', () => {
    let now = 0
    const former: number[] = []
    while (now < minutes(24 * 60)) {
      now += identifyWaitMs(former, null, now)
      former.push(now)
    }
    expect(former.length).toBeLessThan(500)
  })
  test('sparingly when the starts of the day run low, and not at all without one', () => {
    const limit = { total: 1000, remaining: 500, resetAfterMs: minutes(600) }
    expect(identifyWaitMs([], limit, 0)).toBe(0)
    expect(identifyWaitMs([], { ...limit, remaining: 200 }, 0)).toBe(minutes(3))
    expect(identifyWaitMs([], { ...limit, remaining: 0 }, 0)).toBe(minutes(600))
  })
})

describe('slash commands', () => {
  const slash = slashCommands(commandList(kinds))
  const find = (name: string) => slash.find((one) => one.name === name)
  test('are what Discord takes, wherever Perch is installed', () => {
    const { form, errors } = newForm()
    checkCommands(form, slash)
    expect(errors()).toBeNull()
    for (const one of slash) expect(one).toMatchObject({ contexts: [0, 1, 2], integration_types: [0, 1] })
  })
  test('read as entries of a menu, and in German where that has words of its own', () => {
    for (const { description } of slash) expect(description).toMatch(/^\p{Lu}[^]*[^.]$/u)
    const language = find('settings')?.options.find(({ name }) => name === 'language')
    expect(language).toMatchObject({
      description: 'Choose the language',
      description_localizations: { de: 'Sprache wählen' },
    })
    const german = (words: string) => [
      { name: 'x', description: 'x', description_localizations: { de: words } },
    ]
    const whole = (words: string) =>
      german(words).map((one) => ({
        ...one,
        options: [],
        contexts: [0],
        integration_types: [0],
        default_member_permissions: null,
      }))
    expect(
      isSame(
        whole('eins'),
        german('eins').map((one) => ({ ...one, contexts: [0], integration_types: [0] })),
      ),
    ).toBe(true)
    expect(
      isSame(
        whole('eins'),
        german('zwei').map((one) => ({ ...one, contexts: [0], integration_types: [0] })),
      ),
    ).toBe(false)
  })
  test('leave out what works at a terminal only, and keep what is about a place from others', () => {
    expect(find('quit')).toBeUndefined()
    expect(slash.filter((one) => one.default_member_permissions !== null).map(({ name }) => name)).toEqual([
      'channel',
    ])
    expect(find('channel')).toMatchObject({ default_member_permissions: '32' })
  })
  test('have a sub-command for each form, required options first, likely values completed', () => {
    expect(find('alert')?.options.map(({ name }) => name)).toEqual(kinds.map(({ name }) => name))
    expect(find('settings')?.options[0]?.name).toBe('show')
    expect(find('positions')?.options).toMatchObject([
      { name: 'wallet', type: 3, autocomplete: true },
      { name: 'market', type: 3, autocomplete: true },
      { name: 'page', type: 4 },
      { name: 'what', type: 3 },
    ])
    const optionOf = (kind: string, name: string) =>
      find('alert')
        ?.options.find((form) => form.name === kind)
        ?.options?.find((option) => option.name === name)
    expect(optionOf('pnl', 'lines')).toMatchObject({ type: 3, required: true, autocomplete: true })
    expect(optionOf('no-stop', 'above')).toMatchObject({ type: 3, autocomplete: true })
    expect(find('watch')?.options).toMatchObject([
      { name: 'address', required: true },
      { name: 'mine' },
      { name: 'label' },
    ])
  })
  test('want the market of a kind that needs one, and take a price as people type it', () => {
    const args = z.object({
      market: argument.market(),
      wallet: argument.wallet().optional(),
      level: argument.price(),
    })
    const form = { name: 'above', aliases: [], summary: 'tells you', examples: [], args }
    const [command] = slashCommands([
      { name: 'alert', aliases: [], summary: 'sets', who: 'person', audience: 'bound', forms: [form] },
    ])
    expect(command?.options[0]?.options).toEqual([
      expect.objectContaining({ name: 'market', type: 3, required: true, autocomplete: true }),
      {
        ...{ name: 'level', type: 3, required: true, max_length: 300 },
        description: 'A price, e.g. 70000 or $70k',
        description_localizations: { de: 'Ein Kurs, z. B. 70000 oder $70k' },
      },
      expect.not.objectContaining({ required: true }),
    ])
  })
  test('are called by the names of the declarations', () => {
    expect(calledName('alert', 'price-above')).toBe('alert price-above')
    expect(calledName('settings', 'show')).toBe('settings')
    expect(argumentName(optionName('minUsd'))).toBe('minUsd')
  })
  test('are registered once, with the words of every language', async () => {
    const clock = handClock()
    await using discord = await startDiscord({ clock })
    const { token, apiUrl, applicationId } = discord
    const api = createApi({ token, apiUrl, clock, emit: () => {} })
    const again = async () => register(api, applicationId, slash, new AbortController().signal)
    const ids = await again()
    expect(await again()).toEqual(ids)
    expect(discord.commandPuts()).toBe(1)
  })
  test('are registered only when they changed', () => {
    const there = slash.toReversed().map((one) => ({ ...one, contexts: [2, 1, 0] }))
    expect(isSame(slash, there)).toBe(true)
    const [first, ...rest] = slash
    expect(isSame(slash, rest)).toBe(false)
    expect(isSame(slash, [{ ...first, description: 'other' } as (typeof slash)[number], ...rest])).toBe(false)
  })
})

test('the environment: a token, and where the API is', () => {
  expect(isConfigured({ DISCORD_BOT_TOKEN: 'x' })).toBe(true)
  expect(isConfigured({ DISCORD_BOT_TOKEN: ' ' })).toBe(false)
  expect(schema.parse({ DISCORD_BOT_TOKEN: ' abc ' })).toEqual({
    token: 'abc',
    apiUrl: 'https://discord.com/api',
  })
  expect(schema.parse({ DISCORD_BOT_TOKEN: 'abc', DISCORD_API_URL: 'http://127.0.0.1:1/api/' }).apiUrl).toBe(
    'http://127.0.0.1:1/api',
  )
  const mistakes = schema.safeParse({ DISCORD_API_URL: 'x' }).error?.issues.map(({ message }) => message)
  expect(mistakes?.join('\n')).toContain('DISCORD_API_URL is the URL')
  expect(schema.safeParse({}).error?.issues[0]?.message).toContain(
    'DISCORD_BOT_TOKEN is the token of your bot',
  )
})
