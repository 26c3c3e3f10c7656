import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTab, startBrowser } from '../../../support/browser.ts'
import { held, NEAR, opens, SCREENS } from './held.ts'
import { isTooWide, namelessControls, paleWords, smallControls, watchShifts } from './looks.ts'

/** Pictures of the page for docs/page.md, where `UPDATE_DOCS=1` asks for them. */
const PICTURES = fileURLToPath(new URL('../../../../docs/page/', import.meta.url))
const isUpdating = process.env['UPDATE_DOCS'] === '1'
/** Everything that a browser fetches before it shows positions, with headers. */
const MOST_BYTES = 40_000

const PICTURED = { dark: 'more', light: 'alerts' }
const ASKABLE = "Object.defineProperty(Notification, 'permission', { get: () => 'default' })"

let browser: Browser | null = null
beforeAll(async () => {
  browser = await startBrowser()
  if (isUpdating) mkdirSync(PICTURES, { recursive: true })
})
afterAll(() => browser?.close())

describe.each(SCREENS)('at $width px, $theme', ({ width, height, theme }) => {
  test('from /page in Telegram to an acknowledged critical alert, every part fits, can be read, and says its name', async ({
    skip,
  }) => {
    if (browser === null) return skip()
    await using world = await held()
    if (isUpdating) await world.walks()
    const tab = await openTab(browser, { width, height, theme })
    const { page } = tab
    // A browser without a screen refuses notifications: the picture shows what a phone shows.
    if (isUpdating) await tab.context.addInitScript(ASKABLE)
    await opens(tab, world, await world.link())
    expect(page.url()).not.toContain('#')
    expect(await tab.bytes()).toBeLessThanOrEqual(MOST_BYTES)

    await world.priceIs(NEAR)
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'BTC short' }) })
    const ack = card.getByRole('button', { name: /^Ack, alert A\d+/ })
    const name = '4.4% to liquidation, short BTC, main'
    await world.until(
      'the price is on the page',
      async () => (await card.getAttribute('aria-label')) === name,
    )
    await world.until('the alert is said aloud', async () =>
      (await page.locator('#news').innerText()).includes('BTC short · main: critical, 4.4%'),
    )
    await world.until('Ack is loud', async () => (await ack.getAttribute('class')) === 'loud')
    await world.until('the chart is drawn', () => card.locator('svg').isVisible())
    expect(await card.locator('svg').getAttribute('aria-label')).toContain(
      'now $113,443; liquidation $118,423',
    )
    expect(await isTooWide(page)).toBe(false)
    if (isUpdating) await page.screenshot({ path: `${PICTURES}positions-${width}-${theme}.png` })

    const faults: string[] = []
    for (const part of ['positions', 'alerts', 'history', 'more']) {
      await page.locator(`nav a[href="#${part}"]`).click()
      await world.until(
        `${part} is there`,
        async () => (await page.locator('[aria-busy=true]').count()) === 0,
      )
      const found = [
        ...(await smallControls(page)).map((one) => `small: ${one}`),
        ...(await namelessControls(page)).map((one) => `nameless: ${one}`),
        ...(await paleWords(page)).map((one) => `pale: ${one}`),
        ...((await isTooWide(page)) ? ['too wide'] : []),
      ]
      faults.push(...found.map((one) => `${part}: ${one}`))
      if (isUpdating && width === 390 && PICTURED[theme] === part)
        await page.screenshot({ path: `${PICTURES}${part}-${theme}.png` })
    }
    expect(faults).toEqual([])
    await page.locator('nav a[href="#positions"]').click()
    // Turned, or on a larger screen.
    for (const other of [568, 1_440]) {
      await page.setViewportSize({ width: other, height })
      expect(await isTooWide(page)).toBe(false)
    }
    await page.setViewportSize({ width, height })

    await ack.click()
    await world.until('it is acknowledged', async () => / · acknowledged by you/.test(await card.innerText()))
    expect(await ack.count()).toBe(0)
    expect(world.chat()).toMatch(/🚨 BTC short: 4\.4% to liquidation[^✓]+✓ .+quiet until it gets worse/)
    expect(tab.complaints).toEqual([])
    await tab.context.close()
  })
})

test('nothing moves while figures change', async ({ skip }) => {
  if (browser === null) return skip()
  await using world = await held()
  const tab = await openTab(browser, { width: 390, height: 844, theme: 'dark' })
  const { page } = tab
  await opens(tab, world, await world.link())
  await world.until('the chart is drawn', () => page.locator('.chart svg').first().isVisible())
  const shifts = await watchShifts(page)
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'BTC short' }) })
  const figure = card.locator('.away strong')
  for (const price of [100_900, 98_765, 99_900, 101_500]) {
    const before = await figure.innerText()
    await world.priceIs(price)
    await world.until('the distance is another one', async () => (await figure.innerText()) !== before)
  }
  expect(await shifts()).toBe(0)
  await tab.context.close()
})
