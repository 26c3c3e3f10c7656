import { openTab, startBrowser } from '../test/support/browser.ts'
import { MARKETS, pageSecretOf, PRICE } from './support/crowd.ts'
import { at } from './support/figures.ts'
import { until, wait } from './support/process.ts'
import { startReal } from './support/real.ts'
import { row } from './support/rows.ts'

// How long a price takes to a page in a real browser: from the venue's answer with the price to the changed figure on the
// page, through the real program. And how soon a page that was open before shows positions. `node bench/page-latency.ts
// [shocks]`

const [, , shocks = '30'] = process.argv
const OPENINGS = 10
const FIGURE = '.away strong'

const browser = await startBrowser()
if (browser === null) process.exit(0)
const real = await startReal({
  ...{ people: 1, positions: 1, rules: 'one', sides: 'long', pages: true },
  away: [{ share: 1, from: 0.3, to: 0.305 }],
})
const { page, context } = await openTab(browser, { width: 390, height: 844, theme: 'dark' })
const url = `http://127.0.0.1:${real.port}`
await context.addCookies([{ name: 'perch', value: pageSecretOf(1), url }])

const paints: number[] = []
for (let opening = 0; opening <= OPENINGS; opening++) {
  await page.goto(`${url}/page`)
  await page.locator(FIGURE).waitFor()
  const painted = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
  )
  // The first one fills the caches.
  if (opening > 0) paints.push(painted)
}

await page.evaluate(`
  globalThis.changes = []
  new MutationObserver(() => {
    const text = document.querySelector('${FIGURE}').textContent
    if (text !== globalThis.changes.at(-1)?.text) globalThis.changes.push({ text, at: Date.now() })
  }).observe(document.getElementById('page'), { subtree: true, childList: true, characterData: true })
`)
const count = () => page.evaluate<number>('globalThis.changes.length')
const tookMs: number[] = []
for (let shock = 0; shock < Number(shocks); shock++) {
  await wait(500)
  const before = await count()
  // Back and forth, by several per cent.
  const price = PRICE * (shock % 2 === 0 ? 0.95 : 1)
  await real.venue.says({ is: 'crosses', prices: Array.from({ length: MARKETS }, () => price) })
  const answeredAt = Date.now()
  await until(async () => (await count()) > before, {
    everyMs: 5,
    limitMs: 20_000,
    what: 'the page shows the price',
  })
  const shownAt = await page.evaluate<number>(`globalThis.changes[${before}].at`)
  tookMs.push(shownAt - answeredAt)
}
await browser.close()
await real.stop()

row(
  'a price on an open page, p95',
  at(tookMs, 0.95),
  'ms',
  { atMost: 300 },
  `median ${at(tookMs, 0.5)} ms of ${tookMs.length}`,
)
row(
  'a page that was open before: first content',
  at(paints, 0.5),
  'ms',
  { atMost: 500 },
  `of ${paints.length}`,
)
