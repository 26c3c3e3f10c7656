import { hash } from 'node:crypto'

import { createWeb } from '../../../adapters/web/web.ts'
import type { Course, Glance } from '../../../src/chat/holdings.ts'
import type { Identity } from '../../../src/message/address.ts'
import { createEgress } from '../../../src/net/egress.ts'
import { startHttp } from '../../../src/net/http-server.ts'
import type { FetchHandler } from '../../../src/runtime/http.ts'
import { type HoldingsUnderTest, testHoldings } from '../../contracts/holdings.ts'
import { startBot } from '../../support/bot.ts'
import { breathe, handClock, NOON, READ_MS } from '../../support/clock.ts'
import { openPage, type Page } from './page.ts'
import { counted } from './served.ts'

const FILES = new URL('../../../adapters/web/page/', import.meta.url)

// A page shows what the port says, through the real server, over real streams.
testHoldings('a page', open, ['ask'])

async function open({ simulated }: { simulated: boolean }): Promise<HoldingsUnderTest & AsyncDisposable> {
  const server = await startHttp({ host: '127.0.0.1', port: 0, portIsDefault: false, routes: [], emit() {} })
  const site = { url: server.url, isPublic: false }
  const clock = handClock(NOON, READ_MS)
  const pages = new Map<string, Page>()
  let handler: FetchHandler = () => new Response(null, { status: 404 })
  let streamed = 0
  let secrets = 0
  // A restart puts another page behind the same server.
  server.mount('/page', async (request, peer) =>
    counted(await handler(request, peer), (bytes) => void (streamed += bytes)),
  )
  const bot = await startBot({
    ...{ platforms: ['red'], settings: { access: 'open' as const }, simulated, site, clock },
    opens: () => [
      createWeb({
        ...{ clock, emit() {}, telegramToken: null, hasDiscord: false, discord: null, random: () => 0.5 },
        http: { ...site, mount: (_prefix, mounted) => void (handler = mounted), linkFor: () => '' },
        egress: createEgress({ clock, allowed: [] }),
        files: FILES,
        newSecret: () => `${++secrets}`.padStart(43, 's'),
      }),
    ],
  })
  const bytes = () => [...pages.values()].reduce((sum, page) => sum + page.bytes(), 0)
  // What the bot has told is on its way through two streams and a socket.
  clock.restsWhen(async () => {
    await breathe()
    while ([...pages.values()].some((page) => page.isConnected()) && bytes() < streamed) await breathe()
  })

  async function signedIn(user: string): Promise<Page> {
    const page = openPage(server.url)
    const code = /\/page#(\S+)/.exec(await bot.says('/page', { user }))?.[1] ?? ''
    const response = await page.enter({ code })
    if (response.status !== 200) throw new Error(await response.text())
    return page
  }
  const pageOf = ({ user }: Identity) => pages.get(user) ?? openPage(server.url)
  const names = new Map<string, Identity>()
  return {
    bot,
    async as(who) {
      const known = names.get(who)
      if (known) return known
      const page = who === 'stranger' ? openPage(server.url) : await signedIn(who)
      const user = hash('sha256', page.cookie()?.split('=')[1] ?? who)
      pages.set(user, page)
      names.set(who, { platform: 'web', user })
      return { platform: 'web', user }
    },
    holdings: {
      async glance(by) {
        const response = await pageOf(by).ask('/page/glance')
        return response.status === 401 ? null : ((await response.json()) as Glance)
      },
      async follow(by, changed) {
        const page = pageOf(by)
        // The first glance is that of the moment: no change of it.
        let isFirst = true
        page.onEvent(({ event, data }) => {
          if (event === 'over') changed(null, 'null')
          else if (event === 'glance' && !isFirst) changed(data as Glance, JSON.stringify(data))
          isFirst = false
        })
        if (!(await page.connect())) changed(null, 'null')
        return () => page.leave()
      },
      async course(by, market, since, columns) {
        // A request carries plain figures alone.
        const query = new URLSearchParams({
          ...{ market, since: String(Number.isFinite(since) ? since : 0) },
          columns: String(Math.min(Number.isFinite(columns) ? columns : 1, 4_000)),
        })
        const response = await pageOf(by).ask(`/page/course?${query.toString()}`)
        if (response.status === 503) return 'busy'
        return response.ok ? ((await response.json()) as Course) : null
      },
      ask: { lacks: 'a page asks by commands, and reads their messages' },
    },
    async [Symbol.asyncDispose]() {
      for (const page of pages.values()) page.leave()
      await bot[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}
