import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { say } from '../../../../src/message/message.ts'
import type { Conversation } from '../../../../src/chat/conversation.ts'
import type { ScriptedBot } from '../../../contracts/adapter/scripted-bot.ts'
import { breathe } from '../../../support/clock.ts'
import { eventually } from '../../../support/patience.ts'
import { openPage, type Page } from '../page.ts'
import { type Served, signedIn } from '../served.ts'

const NEVER = new AbortController().signal

let served: Served
let bot: ScriptedBot
let adapter: Conversation
let page: Page

beforeEach(async () => void ({ served, bot, adapter, page } = await signedIn()))
afterEach(async () => {
  page.leave()
  await served.close()
})

const events = (from = page) => from.heard.map(({ event }) => event)
const failures = (from = page) =>
  from.heard.map(({ data }) => (data as { failure?: { why: string } | null }).failure?.why ?? null)
const tells = (why: string) => bot.tells({ failure: { since: 1, why } })
const count = (so: number, from = page) => eventually(() => from.heard.length === so)
/** Another page of the same session, in another tab. */
const tab = () => {
  const another = openPage(served.url)
  const cookie = page.cookie() ?? ''
  const { ask } = another
  another.ask = (path, asked = {}) => ask(path, { ...asked, headers: { ...asked.headers, cookie } })
  return another
}

describe('an open page', () => {
  test('is told what there is, then each change, each under a name of its own', async () => {
    await page.connect()
    await count(1)
    tells('one')
    await count(2)
    tells('two')
    await count(3)
    expect(events()).toEqual(['glance', 'glance', 'glance'])
    expect(failures()).toEqual([null, 'one', 'two'])
    expect(new Set(page.heard.map(({ id }) => id)).size).toBe(3)
  })

  test('hears every ten seconds that Perch lives, and only where nothing else was said', async () => {
    await page.connect()
    await count(1)
    const before = page.bytes()
    await served.clock.advance(9_999)
    expect(page.bytes()).toBe(before)
    await served.clock.advance(1)
    await eventually(() => page.bytes() > before)
    expect(page.heard).toHaveLength(1)
    const after = page.bytes()
    await served.clock.advance(9_000)
    tells('news')
    await count(2)
    const told = page.bytes()
    await served.clock.advance(9_999)
    await breathe()
    expect(page.bytes()).toBe(told)
    expect(told).toBeGreaterThan(after)
  })

  test('that was cut off gets everything anew: nothing is missed, and nothing comes twice', async () => {
    await page.connect()
    await count(1)
    page.leave()
    await eventually(() => bot.followers() === 0)
    tells('missed')
    tells('newest')
    await page.connect()
    await count(2)
    expect(failures()).toEqual([null, 'newest'])
    expect(bot.followers()).toBe(1)
  })

  test('that reads nothing costs no memory: it gets the newest when it reads on', async () => {
    const response = await page.ask('/page/events')
    const reader = response.body?.getReader()
    for (let change = 0; change < 2_000; change++) {
      tells(`${change} ${'x'.repeat(2_000)}`)
      if (change % 100 === 0) await breathe()
    }
    tells('newest')
    let read = ''
    const decoder = new TextDecoder()
    while (!read.includes('newest')) read += decoder.decode((await reader?.read())?.value, { stream: true })
    // Sockets hold some of it; the rest was never written.
    expect(read.split('event: glance').length).toBeLessThan(1_900)
  })

  test('that reads nothing of what it is told ends, and asks for everything anew', async () => {
    const [user = ''] = bot.open
    const response = await page.ask('/page/events')
    const to = { platform: 'web', chat: user, thread: null }
    const send = {
      ...{ to, key: 'k', message: say('x'.repeat(100_000)), alertIds: [], silent: false, plain: false },
      ...{ possibleRepeat: false, replyTo: null, mention: null },
    }
    let told = 0
    while (told < 1_000 && (await adapter.deliver(send, NEVER)).is === 'sent') told++
    // Sockets hold some of it; of the rest Perch holds no more than fifty.
    expect(told).toBeGreaterThanOrEqual(50)
    expect(told).toBeLessThan(200)
    expect([bot.followers(), served.clock.waiting()]).toEqual([0, 0])
    await response.body?.cancel()
  })

  test('shows what its session is told; without one, nothing is told', async () => {
    const [user = ''] = bot.open
    const to = { platform: 'web', chat: user, thread: null }
    const send = {
      ...{ to, key: 'k', message: say('the danger'), alertIds: [], silent: false, plain: false },
      ...{ possibleRepeat: false, replyTo: null, mention: null },
    }
    expect(await adapter.deliver(send, NEVER)).toMatchObject({ is: 'gone' })
    await page.connect()
    expect(await adapter.deliver(send, NEVER)).toMatchObject({ is: 'sent' })
    await count(2)
    expect(page.heard[1]).toMatchObject({ event: 'said', data: { items: [{ title: ['the danger'] }] } })
  })
})

describe('the stream ends', () => {
  test('with the session, and says so', async () => {
    await page.connect()
    await count(1)
    const [user = ''] = bot.open
    await bot.signOut({ platform: 'web', user })
    await eventually(() => !page.isConnected())
    expect(events()).toEqual(['glance', 'over'])
    expect(bot.followers()).toBe(0)
    expect(served.clock.waiting()).toBe(0)
    expect(await page.connect()).toBe(false)
  })

  test('of the oldest page, when the same session opens a sixth', async () => {
    await page.connect()
    const tabs = Array.from({ length: 5 }, tab)
    for (const one of tabs) await one.connect()
    await eventually(() => !page.isConnected())
    expect(events()).toEqual(['glance', 'elsewhere'])
    tells('news')
    for (const one of tabs) await count(2, one)
    expect(bot.followers()).toBe(5)
    for (const one of tabs) one.leave()
    await eventually(() => bot.followers() === 0)
  })

  test('when Perch stops; a page that asks again is told to wait', async () => {
    await page.connect()
    await count(1)
    await adapter.stop()
    await eventually(() => !page.isConnected())
    expect(events()).toEqual(['glance'])
    expect((await page.ask('/page/events')).status).toBe(503)
    expect(served.clock.waiting()).toBe(0)
  })

  test('without a trace when the page is closed', async () => {
    for (let time = 0; time < 20; time++) {
      await page.connect()
      page.leave()
      await eventually(() => bot.followers() === 0)
    }
    expect(served.clock.waiting()).toBe(0)
  })
})

test('a request that reads no body opens no stream', async () => {
  expect((await page.ask('/page/events', { method: 'HEAD' })).status).toBe(404)
  expect(bot.followers()).toBe(0)
  expect(served.clock.waiting()).toBe(0)
})

test('a session opens at most 60 streams a minute', async () => {
  for (let time = 0; time < 60; time++) {
    await page.connect()
    page.leave()
  }
  expect((await page.ask('/page/events')).status).toBe(429)
  await served.clock.advance(60_000)
  expect(await page.connect()).toBe(true)
})
