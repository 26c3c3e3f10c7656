import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { identityOf } from '../../../adapters/web/sign-in/credential.ts'
import { item, message } from '../../../src/message/message.ts'
import { createScriptedBot, type ScriptedBot } from '../../contracts/adapter/scripted-bot.ts'
import { eventually } from '../../support/patience.ts'
import { openPage, type Page, statusOf } from './page.ts'
import { type Served, serve } from './served.ts'
import { BOT_TOKEN } from './sign-in/launch.ts'

const CODE = 'ABCD-EFGH-JKLM'

let served: Served
let bot: ScriptedBot
let page: Page

async function begin(settings: Parameters<typeof serve>[0] = {}): Promise<void> {
  served = await serve({ telegramToken: BOT_TOKEN, ...settings })
  bot = createScriptedBot()
  bot.codes.add(CODE)
  await served.open().start(bot)
  page = openPage(served.url)
}
beforeEach(() => begin())
afterEach(async () => {
  page.leave()
  await served.close()
})

const line = { id: 'i1', line: '/show x', seenUntil: 0 }
const PATHS: [method: string, path: string, json?: unknown][] = [
  ['GET', '/page/session'],
  ['GET', '/page/glance'],
  ['GET', '/page/events'],
  ['GET', '/page/course?market=1&since=0&columns=100'],
  ['GET', '/page/forms'],
  ['POST', '/page/line', line],
  ['POST', '/page/call', { id: 'i1', command: 'show', args: {} }],
  ['POST', '/page/try', { id: 'i1', kind: 'price-below', args: {} }],
]

describe('a stranger', () => {
  test.each(PATHS)('gets nothing by %s %s, however they ask', async (method, path, json) => {
    const answers = []
    for (const headers of [
      {},
      { cookie: 'perch=' },
      { cookie: `perch=${'x'.repeat(43)}` },
      { cookie: `perch=${'x'.repeat(43)}; perch=${'y'.repeat(43)}` },
      { authorization: `Perch ${'x'.repeat(43)}` },
      { authorization: 'Bearer x' },
    ] as Record<string, string>[]) {
      const response = await page.ask(path, { method, headers, ...(json === undefined ? {} : { json }) })
      answers.push(`${response.status} ${await response.text()}`)
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^401 \{"says":"Say \/page to Perch/)
    expect(bot.heard).toEqual([])
  })

  test('who reads the database cannot speak: what is kept is no secret', async () => {
    await page.enter({ code: CODE })
    const [kept = ''] = bot.open
    const headers = { cookie: `perch=${kept}` }
    expect((await openPage(served.url).ask('/page/glance', { headers })).status).toBe(401)
    expect(page.cookie()).not.toContain(kept)
    expect(identityOf((page.cookie() ?? '').slice('perch='.length)).user).toBe(kept)
  })

  test('who guesses codes is told to wait, and locks nobody out', async () => {
    for (let guess = 0; guess < 20; guess++)
      expect((await page.enter({ code: `GUES-SGUE-${guess}` })).status).toBe(401)
    expect((await page.enter({ code: 'GUES-SGUE-SS20' })).status).toBe(429)
    expect((await page.enter({ code: CODE })).status).toBe(200)
    await served.clock.advance(60_000)
    expect((await page.enter({ code: 'GUES-SGUE-SS21' })).status).toBe(401)
  })
})

describe('a session', () => {
  test('opens with a code once', async () => {
    expect((await page.enter({ code: CODE })).status).toBe(200)
    expect((await page.ask('/page/session')).status).toBe(200)
    const other = openPage(served.url)
    const again = await other.enter({ code: CODE })
    expect(again.status).toBe(401)
    expect(await again.json()).toEqual({ says: expect.stringContaining('used before') as string })
    expect(other.cookie()).toBeNull()
  })

  test('never has the secret that a browser brought with it', async () => {
    const planted = 'p'.repeat(43)
    const response = await page.ask('/page/session', {
      method: 'POST',
      json: { code: CODE },
      headers: { cookie: `perch=${planted}` },
    })
    expect(response.status).toBe(200)
    expect(page.cookie()).not.toContain(planted)
    const headers = { cookie: `perch=${planted}` }
    expect((await openPage(served.url).ask('/page/session', { headers })).status).toBe(401)
  })

  test('has a new secret at each sign-in, and the one before ends', async () => {
    await page.enter({ code: CODE })
    const before = page.cookie() ?? ''
    bot.codes.add('another')
    await page.enter({ code: 'another' })
    expect(page.cookie()).not.toBe(before)
    const old = await openPage(served.url).ask('/page/session', { headers: { cookie: before } })
    expect(old.status).toBe(401)
    expect(bot.open.size).toBe(1)
  })

  test('ends when somebody signs out, here and on every page of it', async () => {
    await page.enter({ code: CODE })
    const cookie = page.cookie() ?? ''
    await page.connect()
    const response = await page.ask('/page/session', { method: 'DELETE' })
    expect(response.headers.getSetCookie()).toEqual([
      'perch=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    ])
    expect((await openPage(served.url).ask('/page/glance', { headers: { cookie } })).status).toBe(401)
    await eventually(() => !page.isConnected())
    expect(page.heard.map(({ event }) => event)).toEqual(['glance', 'over'])
  })

  test.each([
    [undefined, /^perch=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/],
    [
      'https://perch.example.com',
      /^__Host-perch=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
    ],
    ['http://perch.lan:8080', /^perch=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/],
  ])('behind %s has a cookie that nothing else reads', async (publicUrl, cookie) => {
    await served.close()
    await begin(publicUrl === undefined ? {} : { publicUrl })
    const response = await page.enter({ code: CODE })
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(cookie)])
    // Browsers keep to https only where it is.
    const encrypted = publicUrl?.startsWith('https:') ? 'max-age=31536000' : null
    expect(response.headers.get('strict-transport-security')).toBe(encrypted)
  })
})

describe('another site', () => {
  beforeEach(async () => void (await page.enter({ code: CODE })))

  test.each(['cross-site', 'same-site', 'none', ''])(
    'changes and reads nothing in the name of a signed-in browser (%s)',
    async (site) => {
      for (const [method, path, json] of [
        ...PATHS,
        ['POST', '/page/session', { code: CODE }] as const,
        ['DELETE', '/page/session'] as const,
      ]) {
        const headers = { 'sec-fetch-site': site }
        const response = await page.ask(path, { method, headers, ...(json === undefined ? {} : { json }) })
        expect(response.status, `${method} ${path}`).toBe(403)
        await response.body?.cancel()
      }
      expect(bot.heard).toEqual([])
      expect(bot.open.size).toBe(1)
    },
  )

  test('is not told from a browser that does not say who asks: nothing changes then', async () => {
    const headers = { cookie: page.cookie() ?? '', 'content-type': 'application/json' }
    const asked = { method: 'POST', headers, body: JSON.stringify(line) }
    expect((await fetch(`${served.url}/page/line`, asked)).status).toBe(403)
    expect(bot.heard).toEqual([])
  })

  test('cannot send a form: a browser asks nobody before it does', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const headers = { 'content-type': type }
      const body = JSON.stringify(line)
      expect((await page.ask('/page/line', { method: 'POST', headers, body })).status).toBe(415)
    }
    expect(bot.heard).toEqual([])
  })

  test('may not read answers, nor show them in a frame', async () => {
    for (const path of ['/page/glance', '/page/nothing', '/page/session']) {
      const { headers } = await page.ask(path)
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        ...['script', 'style', 'img', 'connect', 'manifest', 'worker'].map((kind) => `${kind}-src 'self'`),
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self' https://web.telegram.org https://weba.telegram.org https://webk.telegram.org",
      ])
    }
  })

  test.each([
    [{ telegramToken: null, hasDiscord: false }, /frame-ancestors 'self'$/],
    [
      { telegramToken: null, hasDiscord: true },
      /frame-ancestors 'self' https:\/\/discord\.com https:\/\/\*\.discordsays\.com$/,
    ],
  ])('shows the page in a frame only where its chat is on', async (settings, policy) => {
    await served.close()
    await begin(settings)
    expect((await page.ask('/page/session')).headers.get('content-security-policy')).toMatch(policy)
  })
})

describe('a name that leads to this machine', () => {
  const statusBy = (host: string) => statusOf(served.url, '/page/session', { host })

  test.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5',
  ])('is not taken for ours: %s', async (host) => expect(await statusBy(host)).toBe(421))
  test.each(['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'localhost'])('is ours: %s', async (host) =>
    expect(await statusBy(host)).toBe(401),
  )
  test('is ours where PUBLIC_URL says so, with its usual port or without', async () => {
    await served.close()
    await begin({ publicUrl: 'https://perch.example.com' })
    for (const host of ['perch.example.com', 'perch.example.com:443', 'PERCH.example.com'])
      expect(await statusBy(host)).toBe(401)
    for (const host of ['perch.example.com:8080', 'perch.example.com.evil.example'])
      expect(await statusBy(host)).toBe(421)
  })
})

test('behind a path of PUBLIC_URL the page is the same, whether a proxy hands the path on or not', async () => {
  await served.close()
  await begin({ publicUrl: 'https://example.com/perch' })
  for (const path of ['/perch/page/session', '/page/session']) expect((await page.ask(path)).status).toBe(401)
  expect((await page.ask('/crow/page/session')).status).toBe(404)
  expect((await page.ask('/perch/page/')).headers.get('location')).toBe('../page')
})

describe('a request', () => {
  beforeEach(async () => void (await page.enter({ code: CODE })))

  test('that is too long is not read to its end', async () => {
    const long = { ...line, line: 'x'.repeat(17_000) }
    expect((await page.ask('/page/line', { method: 'POST', json: long })).status).toBe(413)
    expect(bot.heard).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['an id that is a path', JSON.stringify({ ...line, id: '../x' })],
    ['a line that is too long', JSON.stringify({ ...line, line: 'x'.repeat(4_001) })],
    ['more than is asked for', JSON.stringify({ ...line, by: { platform: 'telegram', user: '42' } })],
    ['a time that is none', JSON.stringify({ ...line, seenUntil: -1 })],
  ])('with %s is refused', async (_name, body) => {
    const headers = { 'content-type': 'application/json' }
    expect((await page.ask('/page/line', { method: 'POST', headers, body })).status).toBe(400)
    expect(bot.heard).toEqual([])
  })

  test('comes from its session alone, and saw nothing that is yet to come', async () => {
    await page.say('/tell me', 'one')
    const [{ from } = { from: null }] = bot.heard
    expect(from).toMatchObject({ tellsNobody: true, private: true, whisper: true, mayConfigure: true })
    expect(from?.seenUntil).toBe(served.clock.now())
    expect(from?.id).toBe(`page/${from?.by.user.slice(0, 16)}/one`)
  })

  test('asks for courses at most 60 times a minute, and for none of a market that is a stranger’s', async () => {
    const ask = (market: string) => page.ask(`/page/course?market=${market}&since=0&columns=100`)
    const [theirs, unknown] = [await ask('2'), await ask('no%20such%20market')]
    expect([theirs.status, unknown.status]).toEqual([404, 404])
    expect(await theirs.text()).toBe(await unknown.text())
    for (let time = 2; time < 60; time++) expect((await ask('1')).status).toBe(200)
    expect((await ask('1')).status).toBe(429)
    expect((await page.ask('/page/course?market=1&since=x&columns=100')).status).toBe(400)
  })

  test('for a course while too many are drawn is told to wait', async () => {
    bot.course = async () => 'busy'
    const response = await page.ask('/page/course?market=1&since=0&columns=100')
    expect([response.status, await response.json()]).toEqual([
      503,
      { says: 'Too many at once. Wait a minute, please.' },
    ])
  })
})

test('words of strangers are text: an answer is JSON, whatever is in it', async () => {
  await page.enter({ code: CODE })
  const odd = '"><img src=x onerror=alert(1)></script><script>alert(1)</script>\u2028'
  bot.answers('odd', () =>
    message([item('critical', odd, [[{ strong: odd }]], [{ label: odd, line: odd, replace: false }])]),
  )
  const response = await page.ask('/page/line', { method: 'POST', json: { ...line, line: '/tell odd' } })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const { answer } = (await response.json()) as { answer: unknown }
  expect(answer).toMatchObject({
    items: [{ title: [odd], lines: [[{ strong: odd }]], buttons: [{ label: odd, line: odd }] }],
  })
})

test('a session that cannot be ended now neither costs the next one, nor is said to have ended', async () => {
  await page.enter({ code: CODE })
  bot.signOut = () => Promise.reject(new Error('SQLITE_FULL'))
  bot.codes.add('NEXT-CODE')
  const before = page.cookie()
  expect((await page.enter({ code: 'NEXT-CODE' })).status).toBe(200)
  expect(page.cookie()).not.toBe(before)
  expect((await page.ask('/page/session')).status).toBe(200)
  await page.connect()
  const ended = await page.ask('/page/session', { method: 'DELETE' })
  expect([ended.status, page.cookie()]).toEqual([503, null])
  // Whoever signs out here leaves no page open in another tab.
  await eventually(() => !page.isConnected())
  expect(page.heard.at(-1)?.event).toBe('over')
  expect(served.events).toContainEqual(
    expect.objectContaining({ is: 'trouble', why: 'a page could not be signed out' }),
  )
})

test('no secret is in any event, whatever fails', async () => {
  await page.enter({ code: CODE })
  bot.answers('fails', () => Promise.reject(new Error('SQLITE_FULL')))
  await page.say('/tell fails')
  bot.signIn = () => Promise.reject(new Error('SQLITE_FULL'))
  const initData = 'hash=0123'
  const failed = await page.enter({ code: 'SECR-ETCO-DE42' })
  expect(failed.status).toBe(500)
  expect(await failed.text()).not.toMatch(/SQLITE|SECR/)
  await page.enter({ initData })
  bot.course = () => Promise.reject(new Error('SQLITE_FULL'))
  expect((await page.ask('/page/course?market=1&since=0&columns=100')).status).toBe(500)
  const told = JSON.stringify(served.events, (_key, value: unknown) =>
    value instanceof Error ? `${value.message} ${value.stack}` : value,
  )
  expect(told).toContain('SQLITE_FULL')
  for (const secret of [
    CODE,
    'SECR-ETCO-DE42',
    initData,
    BOT_TOKEN,
    page.cookie()?.slice('perch='.length) ?? '?',
  ])
    expect(told).not.toContain(secret)
})
