import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTab, type Screen, startBrowser, type Tab } from '../../../support/browser.ts'
import { ALICE } from '../../../support/bot.ts'
import { EVIL, held, type Held, NEAR, opens } from './held.ts'

const PHONE: Screen = { width: 390, height: 844, theme: 'dark' }
const GERMAN: Screen = { ...PHONE, language: 'de-DE' }

let browser: Browser | null = null
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** A test with Ann's page in a browser. */
function story(
  happens: (world: Held, tab: Tab) => Promise<void>,
  { screen = PHONE, label = 'main' }: { screen?: Screen; label?: string } = {},
) {
  return async ({ skip }: { skip: () => never }) => {
    if (browser === null) return skip()
    await using world = await held({ label })
    const tab = await openTab(browser, screen)
    await happens(world, tab)
    await tab.context.close()
  }
}

const card = ({ page }: Tab, name = 'BTC short') =>
  page.locator('.card', { has: page.getByRole('heading', { name }) })
const bar = ({ page }: Tab) => page.locator('.bar.old')

describe('a page', () => {
  test(
    'that is cut off for half a minute misses nothing and doubles nothing',
    story(async (world, tab) => {
      await tab.page.clock.install()
      await opens(tab, world, await world.link())
      world.cuts()
      await world.priceIs(NEAR)
      await tab.page.clock.runFor(15_000)
      expect(await bar(tab).innerText()).toMatch(/^What you see is \d+ s old\. I can’t reach Perch/)
      await tab.page.clock.runFor(15_000)
      world.heals()
      await tab.page.clock.runFor(16_000)
      await world.until('the page is back', async () => (await bar(tab).count()) === 0)
      await world.until('the alert is there', () =>
        card(tab)
          .getByText(/A\d+ · critical/)
          .isVisible(),
      )
      expect(await tab.page.locator('.alert').count()).toBe(2)
      expect(await tab.page.locator('.card header').count()).toBe(3)
      expect(await card(tab).locator('.away').innerText()).toContain('4.4%')
    }),
  )

  test(
    'says within 15 seconds that it is old when Perch dies',
    story(async (world, tab) => {
      await tab.page.clock.install()
      await opens(tab, world, await world.link())
      await tab.page.clock.runFor(5_000)
      expect(await bar(tab).count()).toBe(0)
      await world.dies()
      await tab.page.clock.runFor(15_000)
      expect(await bar(tab).innerText()).toContain('I can’t reach Perch')
      expect(await card(tab).isVisible()).toBe(true)
    }),
  )

  test(
    'knows after a sleep of the phone how old it is',
    story(async (world, tab) => {
      await tab.page.clock.install()
      await opens(tab, world, await world.link())
      world.cuts()
      // A sleeping phone counts no milliseconds, but the time of day goes on.
      await tab.page.clock.setSystemTime(await tab.page.evaluate<number>('Date.now() + 600_000'))
      await tab.page.clock.runFor(2_000)
      expect(await bar(tab).innerText()).toContain('What you see is 10 min old')
    }),
  )

  test(
    'trusts what it shows while Perch lives and has nothing to tell',
    story(async (world, tab) => {
      await tab.page.clock.install()
      await opens(tab, world, await world.link())
      for (let half = 0; half < 4; half++) {
        await world.bot.pass(10_000)
        await tab.page.clock.runFor(10_000)
        // The network needs a moment of its own for the comment that says that Perch lives.
        await world.until('the page trusts what it shows', async () => {
          await tab.page.clock.runFor(100)
          return (await bar(tab).count()) === 0
        })
      }
    }),
  )

  test(
    'keeps its session over a reload',
    story(async (world, tab) => {
      const link = await world.link()
      await opens(tab, world, link)
      await tab.page.reload()
      await world.until('positions are back', () => card(tab).isVisible())
      expect(await tab.page.content()).not.toContain(link.split('#')[1])
    }),
  )

  test(
    'whose session is ended in the chat stands at the door, also after a reload',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await world.bot.says(world.ann, '/pages end all')
      const door = tab.page.getByText('You are signed out here.')
      await world.until('the door is shut', () => door.isVisible())
      expect(await tab.page.content()).not.toContain('BTC')
      await tab.page.reload()
      await world.until('it stays shut', () => tab.page.getByLabel('Or type the code').isVisible())
    }),
  )

  test(
    'signs out by itself',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await tab.page.getByRole('link', { name: 'Status' }).click()
      await tab.page.getByRole('button', { name: 'Sign out' }).click()
      await world.until('the door is shut', () => tab.page.getByText('You are signed out here.').isVisible())
    }),
  )
})

describe('the door', () => {
  test(
    'takes a typed code, and a used one never again',
    story(async (world, tab) => {
      const link = await world.link()
      const [address = '', code = ''] = link.split('#')
      await tab.page.goto(address)
      await tab.page.getByLabel('Or type the code').fill(code.toLowerCase())
      await tab.page.getByRole('button', { name: 'Open' }).click()
      await world.until('positions are there', () => card(tab).isVisible())
      if (browser === null) return
      const stranger = await openTab(browser, PHONE)
      await stranger.page.goto(link)
      await world.until('it is refused', () =>
        stranger.page.getByText('This link was used before').isVisible(),
      )
      await stranger.context.close()
    }),
  )

  test(
    'opens by itself inside of Telegram',
    story(async (world, tab) => {
      await opens(tab, world, world.app())
      expect(tab.page.url()).not.toContain('tgWebAppData')
      expect(await card(tab).isVisible()).toBe(true)
    }),
  )
})

describe('somebody', () => {
  test(
    'acknowledges by the keyboard alone',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await world.priceIs(NEAR)
      const ack = card(tab).locator('button.loud')
      await world.until('the alert is there', () => ack.isVisible())
      const isFocused = () => ack.evaluate((one) => one.matches(':focus-visible'))
      for (let presses = 0; presses < 30 && !(await isFocused()); presses++)
        await tab.page.keyboard.press('Tab')
      expect(await tab.page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
      await tab.page.keyboard.press('Enter')
      await world.until('it is acknowledged', () =>
        card(tab)
          .getByText(/acknowledged by/)
          .first()
          .isVisible(),
      )
    }),
  )

  test(
    'sees the ways out, why, and snoozes, in the card itself',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await world.priceIs(NEAR)
      const btc = card(tab)
      await world.until('the alert is there', () => btc.locator('button.loud').isVisible())
      await btc.getByRole('button', { name: /^Ways out/ }).click()
      await world.until('the ways are there', () =>
        btc
          .getByText(/Add \$.* margin/)
          .first()
          .isVisible(),
      )
      await btc.getByRole('button', { name: /^Why/ }).first().click()
      await world.until('the reason is there', async () =>
        /20% line → 5% line/.test(await btc.locator('.answer').innerText()),
      )
      await btc
        .getByRole('button', { name: /^Snooze/ })
        .first()
        .click()
      await btc.getByRole('button', { name: '2 h' }).click()
      await world.until('it is snoozed', () =>
        btc
          .getByText(/snoozed by .* until \d\d:\d\d/)
          .first()
          .isVisible(),
      )
    }),
  )

  test(
    'sees how often an alert would have been on, and sets it',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await tab.page.getByRole('link', { name: 'Alerts' }).click()
      const kind = tab.page.getByLabel('Alert when')
      await world.until('the form is there', () => kind.isVisible())
      await kind.selectOption('price')
      await tab.page.getByLabel('A market').fill('BTC')
      await tab.page.getByLabel('above or below it').selectOption('above')
      await tab.page.getByLabel('At which price').fill('105000')
      const would = tab.page.locator('.would')
      await world.until('the past has been asked', async () => /BTC|\$105,000/.test(await would.innerText()))
      await tab.page.getByRole('button', { name: 'Set alert' }).click()
      const list = tab.page.locator('.card:not(.editor)', { has: tab.page.locator('.answer') })
      await world.until('it is on the list', async () => /\$105,000/.test(await list.innerText()))
      expect(await tab.page.getByLabel('At which price').inputValue()).toBe('')
      expect(await would.innerText()).not.toContain('105,000')
      expect((await world.bot.says(world.ann, '/alerts')).join('\n')).toContain('$105,000')
      await tab.page.locator('.editor').getByRole('button', { name: 'Remove' }).click()
      await world.until('it has left the list', async () => {
        const isListed = (await list.innerText()).includes('$105,000')
        return !isListed && (await list.locator('[aria-busy=true]').count()) === 0
      })
    }),
  )

  test(
    'picks a wallet and a market that they have, and keeps what was refused',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await tab.page.getByRole('link', { name: 'Alerts' }).click()
      const wallet = tab.page.getByLabel('Only this wallet')
      await world.until('the form is there', () => wallet.isVisible())
      expect(await wallet.locator('option').allInnerTexts()).toEqual(['–', 'main'])
      const market = tab.page.getByLabel('Only this market')
      expect(await tab.page.locator('#field-market-held option').count()).toBe(3)
      await wallet.selectOption('main')
      await market.fill('NOPE')
      await tab.page.getByLabel('How close to liquidation').fill('15%')
      await tab.page.getByRole('button', { name: 'Set alert' }).click()
      const answer = tab.page.locator('.editor .answer')
      await world.until('it is refused', async () => /NOPE/.test(await answer.innerText()))
      expect(await market.inputValue()).toBe('NOPE')
      expect(await wallet.inputValue()).toBe('main')
    }),
  )

  test(
    'has what is on before what is set, and the form last',
    story(async (world, tab) => {
      await world.priceIs(NEAR)
      await opens(tab, world, await world.link())
      await tab.page.getByRole('link', { name: 'Alerts' }).click()
      const settled = async () => (await tab.page.locator('[aria-busy=true]').count()) === 0
      const form = tab.page.getByRole('heading', { name: 'New alert' })
      await world.until('all is there', async () => (await form.isVisible()) && (await settled()))
      const titles = await tab.page.locator('main h2').allInnerTexts()
      expect(titles).toEqual(['Alerts that are on', 'What you have set', 'New alert'])
      const first = tab.page.locator('.card').first()
      expect(await first.getByRole('heading').first().innerText()).toBe('BTC short · main')
      expect(await first.innerText()).toContain('4.4% to liquidation')
      expect(await first.getByRole('button', { name: /^Ways out/ }).count()).toBe(1)
      await tab.page.getByRole('button', { name: 'New alert' }).click()
      expect(await tab.page.evaluate('document.activeElement.id')).toBe('kind')
    }),
  )

  test(
    'follows a change of the language',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await tab.page.getByRole('link', { name: 'Alerts' }).click()
      await world.until('the form is there', () => tab.page.getByLabel('Alert when').isVisible())
      await world.bot.says(world.ann, '/settings language de')
      await world.until('the form is German', () => tab.page.getByLabel('Nur diese Wallet').isVisible())
      const list = tab.page.locator('.card:not(.editor)', { has: tab.page.locator('.answer') })
      await world.until('the list is German', async () => /für alle Märkte/.test(await list.innerText()))
    }),
  )

  test(
    'reads German',
    story(
      async (world, tab) => {
        await world.bot.says(world.ann, '/settings language de')
        await opens(tab, world, await world.link())
        await world.until('it is in German', () =>
          tab.page.getByRole('link', { name: 'Verlauf' }).isVisible(),
        )
        expect(await card(tab, 'BTC Short').innerText()).toContain('bis zur Liquidation')
        expect(await tab.page.locator('html').getAttribute('lang')).toBe('de')
      },
      { screen: GERMAN },
    ),
  )
})

describe('a request', () => {
  test(
    'that fails is tried again under its id, and counts once',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      await world.priceIs(NEAR)
      const btc = card(tab)
      const ack = btc.locator('button.loud')
      await world.until('the alert is there', () => ack.isVisible())
      world.cuts()
      await ack.click()
      const again = btc.getByRole('button', { name: 'Try again' })
      await world.until('the failure is said', () => again.isVisible())
      world.heals()
      await again.click()
      await world.until('it is acknowledged', () =>
        btc
          .getByText(/acknowledged by you/)
          .first()
          .isVisible(),
      )
      expect(world.chat().match(/✓ .+quiet until it gets worse/g)).toHaveLength(1)
    }),
  )
})

describe('the sixth page of a browser', () => {
  test(
    'goes on, while the first stands still and says so',
    story(async (world, tab) => {
      await opens(tab, world, await world.link())
      for (let count = 0; count < 5; count++) {
        const other = await tab.context.newPage()
        await other.goto(`${world.url}/page`)
        await world.until('it shows positions', async () => (await other.locator('.card header').count()) > 0)
      }
      await world.until('the first says so', () =>
        tab.page.getByText('Too many of your pages are open').isVisible(),
      )
      await tab.page.getByRole('button', { name: 'Go on here' }).click()
      await world.priceIs(NEAR)
      await world.until('it is told again', async () =>
        (await card(tab).locator('.away').innerText()).includes('4.4%'),
      )
      expect(await bar(tab).count()).toBe(0)
    }),
  )
})

describe('names that would be markup', () => {
  test(
    'are only words',
    story(
      async (world, tab) => {
        const { stage } = world.bot
        stage.market(EVIL, { price: 10 })
        stage.positions(ALICE, [{ symbol: EVIL, size: 5, entry: 10, liquidation: 9.8 }])
        await world.priceIs(NEAR)
        await opens(tab, world, await world.link())
        const inert = async () =>
          expect(await tab.page.locator('img, script:not([src]), svg script, svg image').count()).toBe(0)
        const card = tab.page.locator('.card').first()
        await world.until('its chart is drawn', async () => (await card.locator('svg text').count()) > 0)
        expect(await card.getByRole('heading').first().innerText()).toBe(`${EVIL} long`)
        expect(await card.innerText()).toContain(`· ${EVIL}`)
        await inert()
        for (const part of ['Alerts', 'History', 'Status']) {
          await tab.page.getByRole('link', { name: part }).click()
          await world.until(
            'it is there',
            async () => (await tab.page.locator('[aria-busy=true]').count()) === 0,
          )
          await inert()
        }
        // The reason of a refusal quotes what was typed.
        await tab.page.getByRole('link', { name: 'Alerts' }).click()
        await tab.page.getByLabel('Only this market').fill('<img/src=x>')
        await tab.page.getByLabel('How close to liquidation').fill('15%')
        await tab.page.getByRole('button', { name: 'Set alert' }).click()
        const answer = tab.page.locator('.editor .answer')
        await world.until('it is refused', async () => /<img\/src=x>/i.test(await answer.innerText()))
        await inert()
        expect(tab.complaints).toEqual([])
      },
      { label: EVIL },
    ),
  )
})
