import type { Browser, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTab, startBrowser, type Tab } from '../../../support/browser.ts'
import { held, type Held, NEAR, opens } from './held.ts'

let browser: Browser | null = null
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

interface Shown {
  title: string
  options: { body: string; tag: string; actions: { action: string; title: string }[]; data: unknown }
}

/** The page's service worker in the browser. A browser without a screen shows no notification: they are noted down instead. */
async function workerOf({ context, page }: Tab): Promise<Worker> {
  const started = context.waitForEvent('serviceworker')
  await page.evaluate(`navigator.serviceWorker.register('page/worker.js', { scope: '/page' })`)
  const worker = await started
  await page.evaluate('navigator.serviceWorker.ready')
  await worker.evaluate(`
    self.shown = []
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      self.shown.push({ title, options })
    }
  `)
  return worker
}

const shownBy = (worker: Worker): Promise<Shown[]> => worker.evaluate('self.shown')

/** Gives the worker a message as the browser's push service does. */
async function push(tab: Tab, world: Held, content: object): Promise<void> {
  const cdp = await tab.context.newCDPSession(tab.page)
  const registration = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  await cdp.send('ServiceWorker.deliverPushMessage', {
    ...{ origin: world.url, registrationId: await registration, data: JSON.stringify(content) },
  })
}

/** Somebody taps the button of the newest notification. Resolves when the worker has done its work. */
function taps(worker: Worker, action: string): Promise<void> {
  return worker.evaluate(`(async () => {
    const work = []
    const event = new ExtendableEvent('notificationclick')
    const { options } = self.shown.at(-1)
    Object.defineProperties(event, {
      action: { value: ${JSON.stringify(action)} },
      notification: { value: { data: options.data, close() {} } },
      waitUntil: { value: (one) => work.push(one) },
    })
    self.dispatchEvent(event)
    await Promise.all(work)
  })()`)
}

test('a notification acknowledges once, and comes again where the tap did not arrive', async ({ skip }) => {
  if (browser === null) return skip()
  await using world = await held()
  const tab = await openTab(browser, { width: 390, height: 844, theme: 'dark' })
  await opens(tab, world, await world.link())
  const worker = await workerOf(tab)
  await world.priceIs(NEAR)
  const row = tab.page.locator('.alert', { hasText: 'critical since' })
  await world.until('the alert is there', () => row.isVisible())
  const alert = /A\d+/.exec(await row.innerText())?.[0] ?? ''
  await push(tab, world, {
    ...{ version: 1, title: 'BTC short: 4.4% to liquidation', body: '$113,443 → $118,423', tag: 'abc' },
    ...{
      alertIds: [Number(alert.slice(1))],
      tone: 'critical',
      silent: false,
      at: world.bot.clock.now(),
      lang: 'en',
    },
    ...{ url: `${world.url}/page`, ack: { label: 'Ack', line: `/ack ${alert}`, url: null } },
  })
  await world.until('it is shown', async () => (await shownBy(worker)).length > 0)
  const [first] = await shownBy(worker)
  expect(first).toMatchObject({
    title: 'BTC short: 4.4% to liquidation',
    options: { tag: 'abc', actions: [{ action: 'ack', title: 'Ack' }] },
  })

  world.cuts()
  await taps(worker, 'ack')
  expect((await shownBy(worker)).map(({ title }) => title)).toEqual([
    'BTC short: 4.4% to liquidation',
    '⚠ BTC short: 4.4% to liquidation',
  ])
  world.heals()
  await taps(worker, 'ack')
  await world.bot.pass(1_000)
  expect(world.chat()).toMatch(/✓ .+quiet until it gets worse/)
  const before = world.bot.telegram.ledger.sends.length
  await taps(worker, 'ack')
  await world.bot.pass(1_000)
  expect(world.bot.telegram.ledger.sends).toHaveLength(before)
  expect(await shownBy(worker)).toHaveLength(2)
  await tab.context.close()
})

test('a tap that Perch could not keep, or that is about an earlier alarm, shows the notification again', async ({
  skip,
}) => {
  if (browser === null) return skip()
  await using world = await held()
  const tab = await openTab(browser, { width: 390, height: 844, theme: 'dark' })
  await opens(tab, world, await world.link())
  const worker = await workerOf(tab)
  const row = tab.page.locator('.card', { hasText: 'BTC' }).locator('.alert')
  await world.priceIs(108_600)
  await world.until('the alert is there', () => row.isVisible())
  const alert = /A\d+/.exec(await row.innerText())?.[0] ?? ''
  const before = world.bot.clock.now()
  await world.priceIs(NEAR)
  await push(tab, world, {
    ...{ version: 1, title: 'BTC short: 9% to liquidation', body: '', tag: 'def', tone: 'warning' },
    ...{ alertIds: [Number(alert.slice(1))], silent: false, at: before, lang: 'en' },
    ...{ url: `${world.url}/page`, ack: { label: 'Ack', line: `/ack ${alert}`, url: null } },
  })
  await world.until('it is shown', async () => (await shownBy(worker)).length > 0)
  const tap = taps(worker, 'ack')
  await world.until('it is shown again', async () => (await shownBy(worker)).length > 1)
  await tap
  expect((await shownBy(worker)).at(-1)?.title).toBe('⚠ BTC short: 9% to liquidation')

  // A button that has no effect any more says why, and is not offered again.
  const url = `${world.url}/b/over`
  await tab.context.route(url, (route) => route.fulfill({ status: 409, body: 'A2 is over since 13:05.' }))
  await worker.evaluate(`self.shown.at(-1).options.data.ack.url = ${JSON.stringify(url)}`)
  await taps(worker, 'ack')
  expect((await shownBy(worker)).at(-1)?.options).toMatchObject({
    body: 'A2 is over since 13:05.',
    actions: [],
  })
  await tab.context.close()
})
