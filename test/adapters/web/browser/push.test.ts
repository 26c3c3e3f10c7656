import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTab, startBrowser, type Tab } from '../../../support/browser.ts'
import { held, type Held, opens } from './held.ts'

let browser: Browser | null = null
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** A push service of the browser: without a screen a browser reaches none. It keeps the key of a subscription. */
const SERVICE = `
  const urlBase64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  const subscribed = (key) => ({
    options: { applicationServerKey: Uint8Array.from(atob(key), (one) => one.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint: 'https://push.example.com/' + key, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => { window.current = null; return true },
  })
  window.current = window.current ?? null
  window.earlier = (key) => { window.current = subscribed(key) }
  Notification.requestPermission = async () => 'granted'
  Object.defineProperty(Notification, 'permission', { value: 'default' })
  PushManager.prototype.getSubscription = async () => window.current
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const other = window.current && urlBase64(window.current.options.applicationServerKey) !== key
    if (other) throw new DOMException('another key', 'InvalidStateError')
    return (window.current ??= subscribed(key))
  }
`

/** Perch has a key for browsers. What it says to one that is named is up to the test. */
function story(happens: (world: Held, tab: Tab) => Promise<void>) {
  return async ({ skip }: { skip: () => never }) => {
    if (browser === null) return skip()
    await using world = await held()
    const tab = await openTab(browser, { width: 390, height: 844, theme: 'dark' })
    await tab.page.addInitScript(SERVICE)
    await tab.page.route('**/push/key', (route) => route.fulfill({ json: { key: 'AAAA' } }))
    await opens(tab, world, await world.link())
    await tab.page.getByRole('link', { name: 'Status' }).click()
    await world.until('there is a switch', () => button(tab, 'Turn on').isVisible())
    await happens(world, tab)
    await tab.context.close()
  }
}

const button = ({ page }: Tab, name: string) => page.getByRole('button', { name, exact: true })
const isOn = ({ page }: Tab) => page.getByText('This browser takes notifications').isVisible()

/** Perch takes the browser, and offers a drill, as `/settings` does. */
async function takes(route: Route): Promise<void> {
  if (!route.request().postData()?.includes('/settings push ')) return route.continue()
  const answer = {
    ...{ items: [], table: null, footnote: null, repeat: null, file: null, question: null },
    ...{ at: 1, language: 'en' },
    buttons: [{ label: 'Drill', line: '/drill', replace: false, asks: null }],
  }
  await route.fulfill({ json: { answer } })
}

test(
  'a browser that Perch refuses is not said to get notifications',
  story(async (world, tab) => {
    await button(tab, 'Turn on').click()
    const card = tab.page.locator('.card', { hasText: 'Notifications on this device' })
    await world.until('it is answered', () => card.locator('.answer:not(.asking)').isVisible())
    await world.until('it can be tried again', () => button(tab, 'Turn on').isEnabled())
    expect(await isOn(tab)).toBe(false)
  }),
)

test(
  'a browser is on once Perch has taken it, be it at the second try, and can be turned on again',
  story(async (world, tab) => {
    await tab.page.route('**/page/line', takes)
    await tab.page.route('**/page/line', (route) => route.abort(), { times: 1 })
    await button(tab, 'Turn on').click()
    await world.until('it has failed', () => button(tab, 'Try again').isVisible())
    expect(await isOn(tab)).toBe(false)
    await button(tab, 'Try again').click()
    await world.until('it is on', () => isOn(tab))
    expect(await button(tab, 'Turn on again').isEnabled()).toBe(true)
  }),
)

test(
  'a browser that has the key of an earlier database takes the new one',
  story(async (world, tab) => {
    await tab.page.route('**/page/line', takes)
    await tab.page.evaluate(`window.earlier('BBBB')`)
    await button(tab, 'Turn on').click()
    await world.until('it is on', () => isOn(tab))
    expect(await tab.page.evaluate('window.current.toJSON().endpoint')).toBe('https://push.example.com/AAAA')
  }),
)
