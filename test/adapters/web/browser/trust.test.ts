import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Glance } from '../../../../src/chat/holdings.ts'
import { openTab, type Screen, startBrowser, type Tab } from '../../../support/browser.ts'
import { held, type Held, NEAR, opens } from './held.ts'

const PHONE: Screen = { width: 390, height: 844, theme: 'dark' }
/** BTC, short, is 9% from its liquidation. */
const WARNED = 108_600

let browser: Browser | null = null
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** A test with Ann's page in a browser whose clock stands still. */
function story(happens: (world: Held, tab: Tab) => Promise<void>) {
  return async ({ skip }: { skip: () => never }) => {
    if (browser === null) return skip()
    await using world = await held()
    const tab = await openTab(browser, PHONE)
    await tab.page.clock.install()
    await opens(tab, world, await world.link())
    await happens(world, tab)
    await tab.context.close()
  }
}

/** The alerts that fire, as Perch knows them. */
async function firing({ page }: Tab): Promise<Glance['firing']> {
  return page.evaluate<Glance['firing']>(
    `fetch('page/glance').then((answer) => answer.json()).then(({ firing }) => firing)`,
  )
}

const card = ({ page }: Tab) =>
  page.locator('.card', { has: page.getByRole('heading', { name: 'BTC short' }) })

test(
  'an acknowledgement is not about what the page has not shown',
  story(async (world, tab) => {
    await world.priceIs(WARNED)
    const row = card(tab).locator('.alert').first()
    await world.until('the alert is there', () => row.isVisible())
    // The stream is cut, and requests get through.
    await tab.page.route('**/page/events', (route) => route.abort())
    world.cuts()
    world.heals()
    await world.priceIs(NEAR)
    await tab.page.clock.runFor(10_000)
    await row.getByRole('button', { name: 'Ack' }).click()
    await world.until('it is answered', () => row.getByText('rang').isVisible())
    const [alert] = await firing(tab)
    expect(alert).toMatchObject({ severity: 'critical', heed: { is: 'waiting' } })
    // The answer shows the worse alert, so its button is about that.
    await row.locator('.answer').getByRole('button', { name: 'Ack' }).click()
    await world.until('it is acknowledged', async () => (await firing(tab))[0]?.heed.is === 'acknowledged')
  }),
)

test(
  'nobody is told that they are signed out while they are not',
  story(async (world, tab) => {
    await tab.page.route('**/page/session', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 500, json: { says: 'That did not work.' } })
        : route.continue(),
    )
    await tab.page.getByRole('link', { name: 'Status' }).click()
    await tab.page.getByRole('button', { name: 'Sign out' }).click()
    await world.until('it says why', () => tab.page.getByText('That did not work.').isVisible())
    expect(await tab.page.getByText('signed out').count()).toBe(0)
  }),
)

test(
  'a wallet that was never read is not passed over in silence',
  story(async (world, tab) => {
    const glance = await tab.page.evaluate<Glance>(`fetch('page/glance').then((answer) => answer.json())`)
    const wallets = [...glance.wallets, { label: 'vault', readAt: null }]
    const body = `event: glance\ndata: ${JSON.stringify({ ...glance, wallets })}\n\n`
    await tab.page.route('**/page/events', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body }),
    )
    world.cuts()
    world.heals()
    await tab.page.clock.runFor(3_000)
    await world.until('it says so', () => tab.page.getByText('vault: not read since my start').isVisible())
    expect(await tab.page.getByText('main: not read').count()).toBe(0)
  }),
)

test(
  'a message that may have been told before says so',
  story(async (world, tab) => {
    const said = {
      ...{
        items: [{ tone: 'info', title: ['BTC fell'], lines: [], buttons: [], alertId: null }],
        table: null,
      },
      ...{ buttons: [], footnote: null, file: null, question: null, at: 1, language: 'en' },
      repeat: '(possible repeat)',
    }
    await tab.page.route('**/page/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `event: said\ndata: ${JSON.stringify(said)}\n\n`,
      }),
    )
    world.cuts()
    world.heals()
    await tab.page.clock.runFor(3_000)
    await world.until('it is told', () => tab.page.getByText('BTC fell').isVisible())
    expect(await tab.page.locator('main .answer').innerText()).toContain('(possible repeat)')
  }),
)

test(
  'prices are not called live because a new stream has begun, before it has told any',
  story(async (world, tab) => {
    await tab.page.route('**/page/events', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: ': Perch lives\n\n' }),
    )
    world.cuts()
    world.heals()
    for (let second = 0; second < 20; second++) await tab.page.clock.runFor(1_000)
    await world.until('they are old', async () =>
      /^prices [23]\d s old$/.test(await tab.page.locator('.fresh').innerText()),
    )
  }),
)

test(
  'a refusal below the form is closed, and nothing is asked again',
  story(async (world, tab) => {
    await tab.page.getByRole('link', { name: 'Alerts' }).click()
    await world.until('the form is there', () => tab.page.getByLabel('Alert when').isVisible())
    await tab.page.getByLabel('Only this market').fill('NOPE')
    await tab.page.getByLabel('How close to liquidation').fill('15%')
    const calls: string[] = []
    tab.page.on('request', (request) => {
      if (request.url().endsWith('/page/call')) calls.push(request.url())
    })
    await tab.page.getByRole('button', { name: 'Set alert' }).click()
    const answer = tab.page.locator('.editor .answer')
    await world.until('it is refused', async () => /NOPE/.test(await answer.innerText()))
    await answer.getByRole('button', { name: 'Close' }).click()
    await world.until('it is closed', async () => (await answer.count()) === 0)
    expect(calls).toHaveLength(1)
  }),
)

test(
  'an alert that is set by the second try is on the list, and has left the form',
  story(async (world, tab) => {
    await tab.page.getByRole('link', { name: 'Alerts' }).click()
    await world.until('the form is there', () => tab.page.getByLabel('Alert when').isVisible())
    await tab.page.getByLabel('How close to liquidation').fill('15%')
    await tab.page.route('**/page/call', (route) => route.abort(), { times: 1 })
    await tab.page.getByRole('button', { name: 'Set alert' }).click()
    const again = tab.page.getByRole('button', { name: 'Try again' })
    await world.until('it has failed', () => again.isVisible())
    expect(await tab.page.getByLabel('How close to liquidation').inputValue()).toBe('15%')
    await again.click()
    const list = tab.page.locator('.card:not(.editor)', { has: tab.page.locator('.answer') })
    await world.until('it is on the list', async () => (await list.innerText()).includes('15%'))
    expect(await tab.page.getByLabel('How close to liquidation').inputValue()).toBe('')
  }),
)
