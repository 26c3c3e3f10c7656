import { createHmac } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

import { createWeb } from '../../../../adapters/web/web.ts'
import { createEgress } from '../../../../src/net/egress.ts'
import { startHttp } from '../../../../src/net/http-server.ts'
import type { Event } from '../../../../src/runtime/event.ts'
import { ALICE } from '../../../support/bot.ts'
import type { Screen, Tab } from '../../../support/browser.ts'
import { type HandClock, handClock } from '../../../support/clock.ts'
import { PATIENCE_MS } from '../../../support/patience.ts'
import { CLAIM, startTelegramBot, type TelegramBot } from '../../../support/telegram/bot.ts'
import type { User } from '../../../support/telegram/people.ts'

const FILES = new URL('../../../../adapters/web/page/', import.meta.url)

/** The real bot with Ann, who has positions, and the page at its real HTTP server. */
export interface Held extends AsyncDisposable {
  bot: TelegramBot
  ann: User
  url: string
  /** Says `/page` in Telegram. Returns the link. */
  link(): Promise<string>
  /** The address of the Mini App, as Telegram opens it for Ann. */
  app(): string
  /** Turns the clock until this holds; fails after a while. */
  until(what: string, holds: () => Promise<boolean> | boolean): Promise<void>
  /** BTC goes to this price, and Perch looks. */
  priceIs(price: number): Promise<void>
  /** Prices go up and down for half an hour, and BTC comes near to its liquidation. */
  walks(): Promise<void>
  /** The HTTP server goes away, as when Perch dies. */
  dies(): Promise<void>
  /** Breaks every connection of browsers, and takes no new one until `heals`. */
  cuts(): void
  heals(): void
  /** Events of the server and of the page's adapter. */
  events: Event[]
  /** The chat with Ann as her phone shows it. */
  chat(): string
}

/** A price at which BTC, short, is 4.4% from its liquidation. */
export const NEAR = 113_443

/** The browser has a clock of its own. On a fast machine so many turns are over before it has begun. */
const TURNS = 300

/** A label that would be a script, were it ever markup. */
export const EVIL = '><img/src=x'

export async function held({ label = 'main', simulated = true } = {}): Promise<Held> {
  const clock: HandClock = handClock()
  const events: Event[] = []
  const emit = (event: Event) => {
    events.push(event)
    if (event.is === 'trouble') throw new Error(`${event.where}: ${event.why}`, { cause: event.error })
  }
  const server = await startHttp({ host: '127.0.0.1', port: 0, portIsDefault: false, routes: [], emit })
  const line = await openLine(server.url)
  let secrets = 0
  let telegramToken = ''
  const at = { url: server.url, isPublic: false }
  const bot = await startTelegramBot({
    clock,
    simulated,
    page: at,
    others: ({ token }) => {
      telegramToken = token
      return [
        createWeb({
          ...{ clock, emit, telegramToken: token, hasDiscord: false, discord: null, random: () => 0.5 },
          http: { ...at, mount: server.mount, linkFor: () => '' },
          egress: createEgress({ clock, allowed: [] }),
          files: FILES,
          newSecret: () => `${++secrets}`.padStart(43, 's'),
        }),
      ]
    },
  })
  const { stage } = bot
  const ann = bot.telegram.user('Ann')
  stage.market('BTC', { price: 100_000, funding: 0.0001 })
  stage.market('SOL', { price: 150 })
  stage.market('ETH', { price: 3_000 })
  stage.positions(ALICE, [
    { symbol: 'BTC', size: -0.42, entry: 99_000, liquidation: 118_423 },
    { symbol: 'SOL', size: 110, entry: 161, liquidation: 138.5 },
    { symbol: 'ETH', size: 3, entry: 2_900, liquidation: 1_200 },
  ])
  await bot.pass(10_000)
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, `/watch ${ALICE} ${label}`)
  await bot.says(ann, '/settings zone Europe/Berlin')
  await bot.pass(60_000)

  const one: Held = {
    ...{ bot, ann, url: line.url, cuts: line.cuts, heals: line.heals, events },
    async link() {
      const said = (await bot.says(ann, '/page')).join('\n')
      const found = /http\S+\/page#[\w-]+/.exec(said)?.[0]
      if (found === undefined) throw new Error(`no link in: ${said}`)
      return found.replace(server.url, line.url)
    },
    app() {
      const fields = {
        auth_date: String(Math.floor(clock.now() / 1_000)),
        user: JSON.stringify({ id: ann.id, first_name: 'Ann' }),
      }
      const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
      const key = createHmac('sha256', 'WebAppData').update(telegramToken).digest()
      const hash = createHmac('sha256', key).update(lines.join('\n')).digest('hex')
      const data = new URLSearchParams({ ...fields, hash }).toString()
      return `${line.url}/page#tgWebAppData=${encodeURIComponent(data)}&tgWebAppVersion=9.1`
    },
    async until(what, holds) {
      const began = performance.now()
      for (let turn = 0; turn < TURNS || performance.now() - began < PATIENCE_MS; turn++) {
        if (await holds()) return
        await bot.pass(100)
        if (turn >= TURNS) await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`it never came true that ${what}`)
    },
    async priceIs(price) {
      stage.market('BTC', { price })
      await bot.pass(4_000)
    },
    async walks() {
      for (let step = 0; step < 90; step++) {
        const swing = (length: number, by: number) =>
          1 + by * Math.sin(step / length) + (by / 3) * Math.cos(step * 1.9)
        stage.market('BTC', { price: (104_500 + step * 80) * swing(9, 0.004) })
        stage.market('SOL', { price: (147 + step / 30) * swing(14, 0.008) })
        stage.market('ETH', { price: 3_000 * swing(17, 0.01) })
        await bot.pass(20_000)
      }
    },
    dies: () => server.stop(),
    chat: () => bot.telegram.ledger.shows(ann),
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]()
      await line.close()
      await server.stop()
    },
  }
  return one
}

interface Line {
  url: string
  cuts(): void
  heals(): void
  close(): Promise<void>
}

/** The network between the browser and the server, which can be cut. */
async function openLine(to: string): Promise<Line> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  const held = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A cut is no failure of the test.
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    held(near)
    held(far)
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const cuts = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts,
    heals: () => void (isCut = false),
    close: () =>
      new Promise((resolve) => {
        cuts()
        server.close(() => resolve())
      }),
  }
}

/** Opens the page, and waits until positions are there. */
export async function opens({ page }: Tab, world: Held, address: string): Promise<void> {
  await page.goto(address)
  await world.until('the page shows a position', async () => (await page.locator('.card header').count()) > 0)
}

export const SCREENS: readonly Screen[] = [320, 390, 1_280].flatMap((width) =>
  (['dark', 'light'] as const).map((theme) => ({ width, height: 844, theme })),
)
