import { describe, expect, test } from 'vitest'

import type { View } from '../../adapters/web/answer/view.ts'
import type { Course, Glance } from '../../src/chat/holdings.ts'
import { held, type Held } from '../adapters/web/browser/held.ts'
import { openPage, type Page, textOf } from '../adapters/web/page.ts'

/** Ann's page, opened by the code of her link. */
async function signedIn(world: Held): Promise<Page> {
  const page = openPage(world.url)
  const response = await page.enter({ code: await codeOf(world) })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return page
}
const codeOf = async (world: Held) => (await world.link()).split('#')[1] ?? ''
const glance = async (page: Page) => (await (await page.ask('/page/glance')).json()) as Glance

/** The answer to a line, while the clock goes on. */
async function says(world: Held, page: Page, line: string, id?: string): Promise<string> {
  let view: View | null | undefined
  void page.say(line, id).then((answer) => (view = answer))
  await world.until(`“${line}” is answered`, () => view !== undefined)
  return view ? textOf(view) : ''
}

describe('the link of /page', () => {
  test('opens the page of whoever asked, once, for ten minutes', async () => {
    await using world = await held()
    const code = await codeOf(world)
    const page = openPage(world.url)
    expect((await page.enter({ code })).status).toBe(200)
    expect((await openPage(world.url).enter({ code })).status).toBe(401)
    const { positions, simulated, reader } = await glance(page)
    expect(positions.map(({ symbol, wallet }) => `${symbol} ${wallet}`)).toEqual([
      'SOL main',
      'BTC main',
      'ETH main',
    ])
    expect({ simulated, zone: reader.zone }).toEqual({ simulated: true, zone: 'Europe/Berlin' })
    const later = await codeOf(world)
    await world.bot.pass(10 * 60_000)
    const late = await openPage(world.url).enter({ code: later })
    expect(await late.json()).toEqual({ says: expect.stringContaining('ten minutes') as string })
  })

  test('is not needed in Telegram: its launch data are that person', async () => {
    await using world = await held()
    const initData = new URLSearchParams(world.app().split('#')[1]).get('tgWebAppData') ?? ''
    const page = openPage(world.url)
    expect((await page.enter({ initData })).status).toBe(200)
    expect((await glance(page)).positions).toHaveLength(3)
  })
})

describe('on the page', () => {
  test('a critical alert comes by itself, and is acknowledged there for everybody', async () => {
    await using world = await held()
    const page = await signedIn(world)
    await page.connect()
    await world.priceIs(117_500)
    const newest = () => page.heard.at(-1)?.data as Glance
    await world.until('the alert is there', () => newest().firing.length > 0)
    const [alert] = newest().firing
    expect(alert).toMatchObject({ severity: 'critical', about: 'BTC short · main', heed: { is: 'waiting' } })
    const line = `/ack A${alert?.alertId}`
    const first = await says(world, page, line, 'tap')
    await world.until('it is acknowledged', () => newest().firing[0]?.heed.is === 'acknowledged')
    const heed = newest().firing[0]?.heed
    // The name under which /pages lists it.
    expect(heed).toMatchObject({ by: 'Ann (Firefox, Linux)' })
    expect((await world.bot.says(world.ann, '/pages')).join()).toContain('Ann (Firefox, Linux)')
    await world.bot.pass(10_000)
    // The request is repeated where its answer was lost: it is the same tap.
    const again = await says(world, page, line, 'tap')
    expect(first).toContain('quiet until it gets worse or clears')
    expect(again).not.toBe('')
    expect(newest().firing[0]?.heed).toEqual(heed)
    expect(world.bot.events.filter(({ is }) => is === 'trouble')).toEqual([])
    page.leave()
  })

  test('a market shows its course to those who have a position there, and nothing to others', async () => {
    await using world = await held()
    const page = await signedIn(world)
    world.bot.stage.market('DOGE', { price: 0.2 })
    await world.bot.pass(10_000)
    const { positions } = await glance(page)
    const market = positions.find(({ symbol }) => symbol === 'BTC')?.market ?? ''
    const ask = (id: string) => page.ask(`/page/course?market=${encodeURIComponent(id)}&since=0&columns=100`)
    const course = (await (await ask(market)).json()) as Course
    expect(course).toMatchObject({ symbol: 'BTC', market })
    expect(course.prices.length).toBeGreaterThan(0)
    const statuses = await Promise.all(
      ['DOGE', '3', '4', 'no such market', '../x'].map(async (id) => (await ask(id)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([404]))
  })

  test('what is typed into a rule is tried, and set by the same words', async () => {
    await using world = await held()
    const page = await signedIn(world)
    const json = (more: object) => ({
      method: 'POST',
      json: { id: `r${JSON.stringify(more).length}`, ...more },
    })
    const args = { market: 'BTC', way: 'below', level: '90000' }
    let tried: View | null = null
    void page
      .ask('/page/try', json({ kind: 'price', args }))
      .then(async (response) => (tried = ((await response.json()) as { answer: View }).answer))
    await world.until('it is tried', () => tried !== null)
    expect(textOf(tried as unknown as View)).toMatch(/would|never|not/i)
    expect(await says(world, page, '/alert price BTC below 90000')).toContain('90,000')
    expect(await says(world, page, '/alerts')).toContain('90,000')
  })

  test('a browser in another language changes nothing of what chats say', async () => {
    await using world = await held()
    const page = await signedIn(world)
    const { ask } = page
    page.ask = (path, asked = {}) => ask(path, { ...asked, headers: { 'accept-language': 'de-DE,de;q=0.9' } })
    expect(await says(world, page, '/positions')).toContain('liquidation')
    expect((await world.bot.says(world.ann, '/positions')).join()).toContain('liquidation')
    expect(await (await page.ask('/page/nothing')).json()).toEqual({ says: 'Nicht gefunden.' })
  })

  test('nobody makes a further way in, or becomes somebody else', async () => {
    await using world = await held()
    const page = await signedIn(world)
    for (const line of [
      '/page',
      '/assistant new claude',
      '/link',
      '/invite',
      '/forget',
      '/start CODE-0001-CODE',
    ]) {
      const answer = await says(world, page, line)
      expect(answer, line).not.toMatch(/#|perch_|CODE-\d/)
      expect(answer, line).toMatch(/chat/)
    }
    expect((await page.ask('/page/session')).status).toBe(200)
  })
})

test('whoever forgets everything is signed out on every page', async () => {
  await using world = await held()
  const page = await signedIn(world)
  await page.connect()
  await world.bot.says(world.ann, '/forget')
  await world.bot.says(world.ann, '/forget yes')
  await world.until('the page is told', () => page.heard.at(-1)?.event === 'over')
  expect((await page.ask('/page/glance')).status).toBe(401)
})

test('neither code nor cookie is in an event, whatever is asked', async () => {
  await using world = await held()
  const code = await codeOf(world)
  const page = openPage(world.url)
  await page.enter({ code })
  await says(world, page, '/positions')
  await page.enter({ code })
  await page.ask('/page/session', { method: 'DELETE' })
  const secret = page.cookie() ?? '1'.padStart(43, 's')
  const told = JSON.stringify(world.bot.events)
  expect(told).not.toContain(code)
  expect(told).not.toContain(secret)
})
