import { afterEach, beforeEach, expect, test } from 'vitest'

import { createScriptedBot, type ScriptedBot } from '../../../contracts/adapter/scripted-bot.ts'
import { NOON } from '../../../support/clock.ts'
import { openPage, type Page } from '../page.ts'
import { type Served, serve } from '../served.ts'
import { BOT_TOKEN, signed } from './launch.ts'

let served: Served
let bot: ScriptedBot
let page: Page

const launch = (id: number, more: Record<string, string> = {}) =>
  signed({ user: JSON.stringify({ id, first_name: 'Ann' }), auth_date: String(NOON / 1_000), ...more })

beforeEach(async () => {
  served = await serve({ telegramToken: BOT_TOKEN })
  bot = createScriptedBot()
  bot.known.add('telegram 42')
  await served.open().start(bot)
  page = openPage(served.url)
})
afterEach(async () => {
  page.leave()
  await served.close()
})

test('a Mini App is that person without any code, and speaks by a token where a frame has no cookie', async () => {
  const response = await page.enter({ initData: launch(42) })
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie()[0]).toContain('; Max-Age=86400; HttpOnly; SameSite=Strict')
  const { token } = (await response.json()) as { token: string }
  const frame = openPage(served.url)
  const headers = { authorization: `Perch ${token}` }
  expect((await frame.ask('/page/session', { headers })).status).toBe(200)
  const shown = await frame.ask('/page/session', { headers })
  expect(await shown.json()).toMatchObject({ name: 'Ann (Firefox, Linux)' })
  const said = { id: 'i1', line: '/tell me', seenUntil: 0 }
  expect((await frame.ask('/page/line', { method: 'POST', json: said, headers })).status).toBe(200)
  expect(bot.heard.map(({ from }) => from.by.user)).toEqual([...bot.open])
  expect(bot.heard.map(({ from }) => from.name)).toEqual(['Ann (Firefox, Linux)'])
  await frame.ask('/page/session', { method: 'DELETE', headers })
  expect((await frame.ask('/page/session', { headers })).status).toBe(401)
})

test('the token of a session opens nothing in a cookie of another name, nor without its word', async () => {
  const { token } = (await (await page.enter({ initData: launch(42) })).json()) as { token: string }
  const frame = openPage(served.url)
  for (const headers of [
    { authorization: token },
    { authorization: `Bearer ${token}` },
    { cookie: `other=${token}` },
  ] as Record<string, string>[])
    expect((await frame.ask('/page/session', { headers })).status).toBe(401)
})

test.each([
  ['whom Perch does not know', launch(43), 'I don’t know you yet. Say /start to me in our chat first.'],
  [
    'in a group',
    launch(42, { chat_type: 'supergroup' }),
    'Your positions are private: open the page from our private chat.',
  ],
  [
    'with forged data',
    launch(42).replace('%3A42', '%3A41'),
    'I could not check who you are. Close this and open it again from our chat.',
  ],
])('somebody %s stays outside and reads why', async (_name, initData, says) => {
  const response = await page.enter({ initData })
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({ says })
  expect(page.cookie()).toBeNull()
  expect(bot.open.size).toBe(0)
})

test('launch data are worth nothing where Telegram is off', async () => {
  await served.close()
  served = await serve()
  await served.open().start(bot)
  page = openPage(served.url)
  expect((await page.enter({ initData: launch(42) })).status).toBe(401)
})
