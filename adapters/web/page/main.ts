import { render } from 'lit-html'

import { createApi } from './api.ts'
import { createController } from './controller.ts'
import { createCourses } from './courses.ts'
import { createDrawing } from './drawing.ts'
import { readFragment } from './fragment.ts'
import { createPush } from './push.ts'
import { createReader, newsText, type Reader } from './reader.ts'
import { SPANS } from './state.ts'
import { page } from './views/page.ts'
import type { Glance } from './wire.ts'
import { createBrowserWorld } from './world.ts'

// The address may give a code away: it is taken out before anything else is done.
const fragment = readFragment(location.hash.slice(1))
history.replaceState(null, '', location.pathname + location.search)

const world = createBrowserWorld()
const assets = new URL('.', import.meta.url).href
const base = document.baseURI
const root = document.getElementById('page') as HTMLElement
const news = document.getElementById('news') as HTMLElement

const catalogues = new Map<string, Record<string, string>>()
async function readWords(language: string): Promise<void> {
  if (catalogues.has(language)) return
  const response = await fetch(new URL(`words/${language}.json`, assets))
  catalogues.set(language, (await response.json()) as Record<string, string>)
}

const api = createApi(base, world.after)
const controller = createController({
  ...{ world, api, push: createPush(assets, base), changed: drawSoon, glanced },
  reconnected: () => courses.forget(),
})
const courses = createCourses(api, world, controller.now, drawSoon)
const drawing = createDrawing()
let language = document.documentElement.lang
/** Pixels; 0 before the browser has laid out the first chart. */
let chartWidth = 0
/** A window that is drawn wider asks for prices anew at each step, and not at each pixel. */
const COLUMNS_STEP = 100
let isDue = false

function drawSoon(): void {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    draw()
  })
}

function reader(): Reader {
  const state = controller.state()
  const glance = state.is === 'open' ? state.glance : null
  return createReader(catalogues.get(language) ?? {}, glance?.reader ?? null, controller.now())
}

function draw(): void {
  const state = controller.state()
  const span = state.is === 'open' ? SPANS[state.span] : SPANS.day
  const screen = {
    ...{ reader: reader(), act: controller.act },
    course: (market: string) =>
      chartWidth === 0 ? null : courses.of(market, span, COLUMNS_STEP * Math.ceil(chartWidth / COLUMNS_STEP)),
    // As style.css lays them out.
    columns: Math.min(Math.max(Math.floor((innerWidth - 24) / 364), 1), 3),
    draw: (key: string, plot: Parameters<typeof drawing>[1]) => drawing(key, plot, chartWidth),
  }
  render(page(state, screen, controller.silentMs()), root)
  // Charts are as wide as their cards, and only the browser knows how wide that is.
  const width = root.querySelector('.chart')?.clientWidth ?? chartWidth
  if (width !== chartWidth && width > 0) {
    chartWidth = width
    drawSoon()
  }
}

function glanced(glance: Glance, events: Parameters<typeof newsText>[0]): void {
  if (glance.reader.language !== language) void changeLanguage(glance.reader.language)
  if (events.length > 0) news.textContent = newsText(events, glance, reader())
}

async function changeLanguage(to: string): Promise<void> {
  await readWords(to)
  language = to
  document.documentElement.lang = to
  drawSoon()
}

/** Browsers let a page in the background wait for a minute. For longer than this only machines sleep. */
const SLEPT_MS = 90_000
let tickedAt = world.mono()

/** Ages grow while nothing else changes. */
function tick(): void {
  const mono = world.mono()
  if (mono - tickedAt > SLEPT_MS) controller.wake()
  tickedAt = mono
  drawSoon()
  world.after(1_000, tick)
}

addEventListener('hashchange', () => controller.act.go(readFragment(location.hash.slice(1)).part))
addEventListener('pointerdown', controller.touched, { capture: true, passive: true })
addEventListener('keydown', controller.touched, { capture: true, passive: true })
addEventListener('resize', drawSoon)
addEventListener('online', controller.wake)
addEventListener('pageshow', ({ persisted }) => persisted && controller.wake())
document.addEventListener(
  'visibilitychange',
  () => document.visibilityState === 'visible' && controller.wake(),
)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawSoon)

tellTelegram()
await Promise.all([readWords(language), controller.begin(fragment)])
tick()

interface TelegramApps {
  TelegramWebviewProxy?: { postEvent(event: string, data: string): void }
}

/** Tells Telegram that the Mini App can be shown, as high as the screen (https://core.telegram.org/api/bots/webapps). */
function tellTelegram(): void {
  const { TelegramWebviewProxy: proxy } = window as unknown as TelegramApps
  for (const event of ['web_app_ready', 'web_app_expand']) {
    if (proxy) proxy.postEvent(event, '{}')
    else if (parent !== window)
      parent.postMessage(JSON.stringify({ eventType: event, eventData: {} }), 'https://web.telegram.org')
  }
}
