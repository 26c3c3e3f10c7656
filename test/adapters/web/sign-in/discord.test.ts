import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { ScriptedBot } from '../../../contracts/adapter/scripted-bot.ts'
import { createScriptedBot } from '../../../contracts/adapter/scripted-bot.ts'
import { openPage, type Page } from '../page.ts'
import { type Served, serve } from '../served.ts'
import { type DiscordSignIn, discordSignIn } from './discord-sign-in.ts'

const APP = { id: '100200300400500600', secret: 'the-client-secret-of-discord' }
const ANN = '700800900100200300'

let discord: DiscordSignIn
let served: Served
let bot: ScriptedBot
let page: Page

beforeEach(async () => {
  discord = await discordSignIn(APP)
  served = await serve({ discord: { ...APP, api: discord.api } })
  bot = createScriptedBot()
  bot.known.add(`discord ${ANN}`)
  await served.open().start(bot)
  page = openPage(served.url)
})
afterEach(async () => {
  page.leave()
  await served.close()
  await discord.close()
})

/** Leaves for Discord. Returns its address, and the cookie that comes back. */
async function leaves() {
  const response = await page.ask('/page/discord')
  const [cookie = ''] = response.headers.getSetCookie()
  return { status: response.status, to: response.headers.get('location') ?? '', cookie }
}
/** Comes back as a browser does: from another site, without the strict cookie. */
const comesBack = (address: string, cookie: string) => {
  const { pathname, search } = new URL(address)
  const headers = { 'sec-fetch-site': 'cross-site', cookie: cookie.split(';', 1)[0] ?? '' }
  return page.ask(`${pathname}${search}`, { headers })
}

describe('somebody signs in by Discord', () => {
  test('and is on the page, once they have agreed there', async () => {
    const { status, to, cookie } = await leaves()
    expect(status).toBe(303)
    expect(cookie).toMatch(/^perch-trip=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax/)
    const back = await comesBack(discord.agrees(to, ANN), cookie)
    expect(back.status).toBe(303)
    expect(back.headers.get('location')).toBe('../page')
    expect(back.headers.getSetCookie()[0]).toMatch(/^perch-trip=; Path=\/; Max-Age=0;/)
    expect(discord.asked).toEqual([
      { path: '/api/oauth2/token', status: 200 },
      { path: '/api/users/@me', status: 200 },
    ])
    const session = await page.ask('/page/session')
    expect(await session.json()).toMatchObject({ name: 'Ann (Firefox, Linux)' })
  })

  test('but not who Perch does not know', async () => {
    const { to, cookie } = await leaves()
    const back = await comesBack(discord.agrees(to, '111222333444555666'), cookie)
    expect(back.headers.get('location')).toBe('../page#refused=unknown')
    expect((await page.ask('/page/session')).status).toBe(401)
  })
})

describe('a way back that is not theirs leads to no session', () => {
  const isRefused = async (back: Response) => {
    expect(back.headers.get('location')).toBe('../page#refused=proof')
    expect(back.headers.getSetCookie().join()).not.toMatch(/(^|,)perch=/)
    expect(bot.open.size).toBe(0)
  }

  test('without the cookie of the browser that left', async () => {
    const { to } = await leaves()
    await isRefused(await comesBack(discord.agrees(to, ANN), 'perch-trip='))
    expect(discord.asked).toEqual([])
  })

  test('with the cookie of another trip', async () => {
    const [mine, theirs] = [await leaves(), await leaves()]
    await isRefused(await comesBack(discord.agrees(theirs.to, ANN), mine.cookie))
    expect(discord.asked).toEqual([])
  })

  test('with a state that Perch never gave', async () => {
    const { to } = await leaves()
    const made = 'A'.repeat(43)
    const address = new URL(discord.agrees(to, ANN))
    address.searchParams.set('state', made)
    await isRefused(await comesBack(address.href, `perch-trip=${made}`))
  })

  test('a second time', async () => {
    const { to, cookie } = await leaves()
    const address = discord.agrees(to, ANN)
    await comesBack(address, cookie)
    bot.open.clear()
    await isRefused(await comesBack(address, cookie))
    // Discord was not asked again: it alone might have refused.
    expect(discord.asked).toHaveLength(2)
  })

  test('with a bot, which is nobody', async () => {
    discord.bots.add(ANN)
    const { to, cookie } = await leaves()
    await isRefused(await comesBack(discord.agrees(to, ANN), cookie))
    expect(discord.asked.map(({ status }) => status)).toEqual([200, 200])
  })

  test('after ten minutes', async () => {
    const { to, cookie } = await leaves()
    const address = discord.agrees(to, ANN)
    await served.clock.advance(10 * 60_000)
    await isRefused(await comesBack(address, cookie))
    expect(discord.asked).toEqual([])
  })

  test('with a code that somebody has taken from another trip: it proves another secret', async () => {
    const [mine, theirs] = [await leaves(), await leaves()]
    const code = new URL(discord.agrees(theirs.to, ANN)).searchParams.get('code') ?? ''
    const address = new URL(discord.agrees(mine.to, ANN))
    address.searchParams.set('code', code)
    await isRefused(await comesBack(address.href, mine.cookie))
    expect(discord.asked).toEqual([{ path: '/api/oauth2/token', status: 400 }])
  })

  test('when the person says no there', async () => {
    const { to, cookie } = await leaves()
    const state = new URL(to).searchParams.get('state') ?? ''
    await isRefused(await comesBack(`${served.url}/page/discord?error=access_denied&state=${state}`, cookie))
  })
})

test('at most 60 a minute leave for Discord, so that none pushes out those who are there', async () => {
  for (let trip = 0; trip < 60; trip++) expect((await leaves()).status).toBe(303)
  expect(await leaves()).toMatchObject({ status: 429, cookie: '' })
  await served.clock.advance(60_000)
  expect((await leaves()).status).toBe(303)
})

test('neither the secret of the application nor a token of Discord is in an event', async () => {
  const { to, cookie } = await leaves()
  await comesBack(discord.agrees(to, ANN), cookie)
  await discord.close()
  const again = await leaves()
  await comesBack(discord.agrees(again.to, ANN), again.cookie)
  expect(to).not.toContain(APP.secret)
  expect(JSON.stringify(served.events)).not.toMatch(/the-client-secret|token-\d|code-\d/)
})
