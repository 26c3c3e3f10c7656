import { HTTPError, RateLimitError, Routes } from 'discord.js'
import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { PATIENCE_MS } from '../patience.ts'
import { padded } from '../pictures.ts'
import { refusedAs, startBot } from './client.ts'
import { type Discord, startDiscord } from './server.ts'

const POST = 'POST /channels/:id/messages'
const BODY = { content: 'BTC is near', nonce: 'a41', enforce_nonce: true }

/** A bot and the channel where it posts. */
async function story(discord: Discord, rest: object = {}) {
  const general = discord.guild('Traders').channel('general')
  return { general, bot: await startBot(discord, { rest }) }
}

async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof HTTPError) return `HTTP ${error.status}`
    const { cause, code, name, message } = error as Error & { code?: string }
    return `${name} ${code ?? (cause as { code?: string } | undefined)?.code ?? message}`
  }
}

describe('a post meets', () => {
  test.each<[what: string, fault: Parameters<Discord['fault']>[0], as: RegExp, delivered: number]>([
    ['a 500', { route: POST, kind: 'status' }, /HTTP 500/, 0],
    ['a 503 with a body of its own', { route: POST, kind: 'status', status: 503, body: {} }, /HTTP 503/, 0],
    ['Cloudflare', { route: POST, kind: 'html' }, /HTTP 502/, 0],
    ['a reset', { route: '*', kind: 'reset' }, /ECONNRESET|UND_ERR_SOCKET/, 0],
    ['silence', { route: '/channels/:id/messages', kind: 'hang' }, /AbortError/, 0],
    ['a delivery, then a 500', { route: POST, kind: 'deliver-then-500' }, /HTTP 500/, 1],
    ['a delivery, then a reset', { route: POST, kind: 'deliver-then-reset' }, /ECONNRESET|UND_ERR_SOCKET/, 1],
    ['a delivery, then silence', { route: POST, kind: 'deliver-then-hang' }, /AbortError/, 1],
    ['half an answer', { route: POST, kind: 'half-body' }, /ECONNRESET|UND_ERR_SOCKET|terminated/, 1],
    ['an answer that comes too late', { route: POST, kind: 'delay', ms: 5_000 }, /AbortError/, 1],
    [
      'a page where JSON should be',
      { route: POST, kind: 'html', status: 403 },
      /TypeError|cloudflare|DiscordAPIError/,
      0,
    ],
  ])('%s, and the repeat with its nonce makes one message', async (_what, fault, as, delivered) => {
    await using discord = await startDiscord()
    // Only where no answer comes is it short: elsewhere the answer decides, however slow the machine.
    const { bot, general } = await story(discord, as.test('AbortError') ? { timeout: 200 } : {})
    await using _ = bot
    discord.fault(fault)
    expect(await failure(bot.post(general, BODY))).toMatch(as)
    expect(general.messages()).toHaveLength(delivered)
    bot.client.rest.options.timeout = PATIENCE_MS
    await bot.post(general, BODY)
    expect(general.messages()).toHaveLength(1)
    expect(discord.ledger.requests().map(({ fault }) => fault)).toContain(fault.kind)
  })

  test('a connection that breaks off half-way through a file, and nothing else does', async () => {
    await using discord = await startDiscord()
    // As the adapter: undici takes a form of its own version alone, and a dispatcher may be another version's.
    const { bot, general } = await story(discord, { makeRequest: fetch })
    await using _ = bot
    discord.fault({ route: POST, kind: 'half-upload' })
    await bot.post(general, { content: 'words' })
    const files = [{ name: 'chart.png', data: Buffer.from(padded(90_000)), contentType: 'image/png' }]
    const upload = () => bot.client.rest.post(Routes.channelMessages(general.id), { body: {}, files })
    expect(await failure(upload())).not.toBe('none')
    expect(general.messages()).toHaveLength(1)
    expect(await failure(upload())).toBe('none')
    expect(general.messages()).toHaveLength(2)
  })

  test('a slow answer, and goes through', async () => {
    const clock = handClock()
    await using discord = await startDiscord({ clock })
    const { bot, general } = await story(discord)
    await using _ = bot
    discord.fault({ route: POST, kind: 'delay', ms: 50 })
    let answered = false
    const posting = bot.post(general, BODY).then(() => (answered = true))
    await general.gets(BODY.content)
    await clock.advance(49)
    expect(answered).toBe(false)
    await clock.advance(1)
    expect(await posting).toBe(true)
  })

  test('three troubles in a row, of which only its route knows', async () => {
    await using discord = await startDiscord()
    const { bot, general } = await story(discord)
    await using _ = bot
    const other = discord.guild('Traders').channel('other')
    discord.fault({ route: `POST /channels/${general.id}/messages`, kind: 'status', times: 2, after: 1 })
    await bot.post(general, BODY)
    expect(await failure(bot.post(general, BODY))).toBe('HTTP 500')
    await bot.post(other, BODY)
    expect(await failure(bot.post(general, BODY))).toBe('HTTP 500')
    await bot.post(general, BODY)
    expect(discord.ledger.counts()[POST]).toBe(5)
  })

  test('one 401, after which discord.js has no token', async () => {
    await using discord = await startDiscord()
    const { bot, general } = await story(discord)
    await using _ = bot
    discord.fault({ route: POST, kind: 'status', status: 401 })
    expect(await refusedAs(bot.post(general, BODY))).toContain('401')
    await expect(bot.post(general, BODY)).rejects.toThrow('Expected token to be set')
    bot.client.rest.setToken(discord.token)
    await bot.post(general, BODY)
    expect(discord.ledger.invalidRequests()).toBe(1)
  })
})

describe('rate limits', () => {
  test('a 429 with headers is waited for by discord.js', async () => {
    await using discord = await startDiscord()
    const { bot, general } = await story(discord)
    await using _ = bot
    discord.fault({ route: POST, kind: 'status', status: 429, retryAfterMs: 100 })
    await bot.post(general, BODY)
    expect(discord.ledger.requests().filter(({ route }) => route === POST)).toMatchObject([
      { status: 429 },
      { status: 200 },
    ])
    expect(discord.ledger.invalidRequests()).toBe(1)
  })

  test('a shared one does not count as invalid', async () => {
    await using discord = await startDiscord()
    const { bot, general } = await story(discord)
    await using _ = bot
    discord.fault({ route: POST, kind: 'status', status: 429, retryAfterMs: 50, scope: 'shared' })
    await bot.post(general, BODY)
    expect(discord.ledger.invalidRequests()).toBe(0)
  })

  test('a 429 without headers makes discord.js ask again at once', async () => {
    await using discord = await startDiscord()
    const { bot, general } = await story(discord)
    await using _ = bot
    discord.fault({ route: POST, kind: 'status', status: 429, headers: false, times: 20 })
    await bot.post(general, BODY)
    expect(discord.ledger.counts()[POST]).toBe(21)
  })

  test('a 429 can be told at once instead', async () => {
    await using discord = await startDiscord()
    const { bot, general } = await story(discord, { rejectOnRateLimit: () => true })
    await using _ = bot
    discord.fault({ route: POST, kind: 'status', status: 429, retryAfterMs: 3_000, global: true })
    await expect(bot.post(general, BODY)).rejects.toSatisfy(
      (error) => error instanceof RateLimitError && error.global && error.retryAfter >= 3_000,
    )
  })

  test('a bucket is announced before it is empty, channel by channel', async () => {
    await using discord = await startDiscord({ limits: { routes: { [POST]: { limit: 2, perMs: 300 } } } })
    const { bot, general } = await story(discord)
    await using _ = bot
    const other = discord.guild('Traders').channel('other')
    await Promise.all([1, 2, 3].map((n) => bot.post(general, { content: `${n}` })))
    await bot.post(other, { content: 'x' })
    // It waited, or there would have been a 429.
    expect(general.messages()).toHaveLength(3)
    expect(discord.ledger.requests().some(({ status }) => status === 429)).toBe(false)
  })

  test('whoever does not listen gets a 429 with everything in it', async () => {
    await using discord = await startDiscord({ limits: { routes: { '*': { limit: 1, perMs: 60_000 } } } })
    const headers = { 'user-agent': 'DiscordBot (x, 1)', authorization: `Bot ${discord.token}` }
    const ask = () => fetch(`${discord.apiUrl}/v10/users/@me`, { headers })
    expect((await ask()).headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': '1',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    })
    expect(await refused.json()).toMatchObject({ message: 'You are being rate limited.', global: false })
  })

  test('fifty requests a second are the most, but interactions are exempt', async () => {
    await using discord = await startDiscord({ clock: handClock(), limits: { globalPerSecond: 3 } })
    const { bot, general } = await story(discord, { rejectOnRateLimit: () => true })
    await using _ = bot
    await bot.post(general, { content: '1' })
    await bot.post(general, { content: '2' })
    await expect(bot.post(general, { content: '3' })).rejects.toBeInstanceOf(RateLimitError)
    const route = Routes.interactionCallback('123456789012345678', 'x')
    const headers = { 'user-agent': 'DiscordBot (x, 1)', 'content-type': 'application/json' }
    const response = await fetch(`${discord.apiUrl}/v10${route}`, { method: 'POST', headers, body: '{}' })
    expect(response.status).toBe(404)
  })

  test('too many invalid requests shut the bot out', async () => {
    await using discord = await startDiscord({ invalidLimit: 3 })
    const { bot, general } = await story(discord)
    await using _ = bot
    general.permits({ send: false })
    for (let i = 0; i < 3; i++) await refusedAs(bot.post(general, BODY))
    general.permits({ send: true })
    const response = await fetch(`${discord.apiUrl}/v10/users/@me`)
    expect([response.status, response.headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
  })
})

describe('the whole of it', () => {
  test('is down at login, and a new client gets in when it is up', async () => {
    await using discord = await startDiscord()
    await discord.down()
    expect(await failure(startBot(discord))).toMatch(/ECONNREFUSED/)
    await discord.up()
    await using bot = await startBot(discord)
    await bot.post(discord.guild('Traders').channel('general'), BODY)
  })

  test('refuses a login at REST', async () => {
    await using discord = await startDiscord()
    discord.fault({ route: 'GET /gateway/bot', kind: 'status', status: 401 })
    await expect(startBot(discord)).rejects.toThrow('An invalid token was provided.')
  })

  test('goes down under a bot, which resumes', async () => {
    await using discord = await startDiscord()
    const { bot, general } = await story(discord)
    await using _ = bot
    await discord.down()
    expect(await failure(bot.post(general, BODY))).toMatch(/ECONNREFUSED|UND_ERR_SOCKET|ECONNRESET/)
    await discord.up()
    await discord.gateway.until(() => discord.gateway.connected() === 1, 'back')
    await bot.post(general, BODY)
  })
})
