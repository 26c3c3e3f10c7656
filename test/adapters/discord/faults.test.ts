import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { CLAIM_CODE } from '../../support/bot.ts'
import type { Channel } from '../../support/discord/channels.ts'
import type { Fault } from '../../support/discord/faults.ts'
import type { Person } from '../../support/discord/people.ts'
import { textOf } from '../../support/discord/readable.ts'
import { startDiscord } from '../../support/discord/server.ts'
import type { Discord } from '../../support/discord/server.ts'
import { hurriedClock, online, startApp } from './app.ts'
import type { RunningApp } from './app.ts'
import { writeTable } from './page.ts'

/** The bot's seconds are fortieths of ours, but not while recovery times are taken for the docs. */
const HURRY = process.env['UPDATE_DOCS'] ? 1 : 40
vi.setConfig({ testTimeout: HURRY === 1 ? 300_000 : 30_000 })
const POST = 'POST /channels/:id/messages'
const CALLBACK = 'POST /interactions/:id/:token/callback'
const EDIT = 'PATCH /webhooks/:app/:token/messages/:message'

let discord: Discord
let running: RunningApp
let alerts: Channel
let olga: Person
const flips: { to: number }[] = []
const recovered: [what: string, ms: number][] = []

beforeAll(async () => {
  discord = await startDiscord({ heartbeatMs: 400 })
  alerts = discord.guild('Traders').channel('alerts')
  olga = discord.guild('Traders').member('olga', { manageServer: true })
  running = await startApp(discord, hurriedClock(HURRY))
  running.stage.market('BTC', { price: 130, funding: 0.0002 })
  await online(discord)
  await asks(`/start code:${CLAIM_CODE}`)
  await asks('/channel bind')
  await alerts.gets('This is a test')
  await asks('/alert funding-flip market:BTC')
  await new Promise((resolve) => setTimeout(resolve, 2 * (2_000 / HURRY)))
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await discord.stop()
  await writeTable(
    'recovery',
    ['what happens', 'until the next message or answer'],
    recovered.map(([what, ms]) => [what, `${(ms / 1000).toFixed(1)} s`]),
  )
})

const asks = async (line: string) => textOf(await olga.runs(line, {}, alerts).answer(10_000))
const posts = () =>
  alerts.messages().filter(({ origin, content }) => origin === 'post' && content.includes('funding flipped'))

/** Funding flips, and the channel is told: once, and after everything before it. In the bot's milliseconds. */
async function flip(): Promise<number> {
  const before = posts().length
  flips.push({ to: flips.length % 2 === 0 ? -0.0002 : 0.0002 })
  running.stage.market('BTC', { funding: flips.at(-1)?.to ?? 0 })
  const began = running.clock.tick()
  await discord.ledger.until(() => posts().length > before, 'the flip is told', HURRY === 1 ? 90_000 : 15_000)
  return running.clock.tick() - began
}

describe('an alert arrives, once and in its place, when its post meets', () => {
  test.each<[what: string, fault: Omit<Fault, 'route'>, within: number]>([
    ['a 500', { kind: 'status' }, 8_000],
    ['three 503 in a row', { kind: 'status', status: 503, times: 3 }, 25_000],
    ["a page of Cloudflare's (502)", { kind: 'html' }, 8_000],
    ['a broken connection', { kind: 'reset' }, 8_000],
    ['half an answer', { kind: 'half-body' }, 8_000],
    ['silence', { kind: 'hang' }, 20_000],
    ['a slow answer', { kind: 'delay', ms: 100 }, 12_000],
    ['a delivery, then a 500', { kind: 'deliver-then-500' }, 8_000],
    ['a delivery, then a broken connection', { kind: 'deliver-then-reset' }, 8_000],
    ['a delivery, then silence', { kind: 'deliver-then-hang' }, 20_000],
    ['a 429 for the channel', { kind: 'status', status: 429, retryAfterMs: 300 }, 40_000],
    ['a 429 for the whole bot', { kind: 'status', status: 429, retryAfterMs: 300, global: true }, 40_000],
    ['a shared 429', { kind: 'status', status: 429, retryAfterMs: 300, scope: 'shared' }, 30_000],
    ['five 429 that do not say how long', { kind: 'status', status: 429, headers: false, times: 5 }, 60_000],
    ['a 401', { kind: 'status', status: 401 }, 40_000],
    [
      'a 400, so that it goes out plain',
      { kind: 'status', status: 400, body: { code: 50_035, message: 'Invalid Form Body' } },
      8_000,
    ],
    ["a wall of Cloudflare's (403)", { kind: 'html', status: 403 }, 40_000],
  ])('%s', async (what, fault, within) => {
    discord.fault({ route: POST, ...fault })
    const ms = await flip()
    expect(ms).toBeLessThan(within)
    recovered.push([what, ms])
    expect(posts().at(-1)?.content).not.toContain('possible repeat')
    expect(discord.ledger.requests().some(({ fault: met }) => met === fault.kind)).toBe(true)
  })

  test('and in the end everything was told once, in order', async () => {
    await running.app.idle()
    const told = posts().map(({ content }) => (content.includes('shorts now pay') ? -0.0002 : 0.0002))
    expect(told).toEqual(flips.map(({ to }) => to))
  })
})

describe('an answer comes when', () => {
  test.each<[what: string, fault: Fault]>([
    ['the acknowledgement meets a 500', { route: CALLBACK, kind: 'status' }],
    ['the acknowledgement is taken, then answered with a 500', { route: CALLBACK, kind: 'deliver-then-500' }],
    ['the connection breaks after the acknowledgement', { route: CALLBACK, kind: 'deliver-then-reset' }],
    ['the answer meets a 500', { route: EDIT, kind: 'status' }],
    ['the answer is taken, then the connection breaks', { route: EDIT, kind: 'deliver-then-reset' }],
    ['the answer meets silence', { route: EDIT, kind: 'hang' }],
    ['the answer meets a 429', { route: EDIT, kind: 'status', status: 429, retryAfterMs: 200 }],
    [
      'the answer is refused for its form',
      { route: EDIT, kind: 'status', status: 400, body: { code: 50_035, message: 'Invalid Form Body' } },
    ],
  ])('%s', async (what, fault) => {
    discord.fault(fault)
    const began = running.clock.tick()
    const asked = olga.runs('/markets', {}, alerts)
    expect(textOf(await asked.answer(10_000))).toContain('BTC')
    recovered.push([what, running.clock.tick() - began])
    expect(asked.followUps()).toEqual([])
    expect(asked.failure()).toBeNull()
  })

  test('not, when Discord has given the interaction up: nothing is done then', async () => {
    discord.fault({
      route: CALLBACK,
      kind: 'status',
      status: 404,
      body: { code: 10_062, message: 'Unknown interaction' },
    })
    olga.runs('/alert funding-flip market:BTC band:1%', {}, alerts)
    expect(await asks('/alerts')).not.toContain('beyond 1 %')
  })
})

describe('people are heard again after', () => {
  const patience = HURRY === 1 ? 280_000 : 20_000
  /** Asks until somebody answers. */
  async function heardAgain(
    what: string,
    trouble: () => unknown,
    again: () => unknown = () => {},
  ): Promise<void> {
    const began = performance.now()
    await trouble()
    await again()
    const answered = async () => {
      try {
        return textOf(await olga.runs('/markets', {}, alerts).answer(3_000)).includes('BTC')
      } catch {
        return false
      }
    }
    while (!(await answered())) {
      if (performance.now() - began > patience) throw new Error(`not heard within ${patience} ms`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    recovered.push([what, performance.now() - began])
    expect(await flip()).toBeLessThan(8_000)
  }

  test.each<[what: string, trouble: () => unknown]>([
    ['the connection dropped', () => discord.gateway.drop()],
    ['being told to reconnect (op 7)', () => discord.gateway.reconnect()],
    ['a close with 4000', () => discord.gateway.close(4000)],
    ['a session that timed out (4009)', () => discord.gateway.close(4009)],
    ['a session that may be resumed (op 9)', () => discord.gateway.invalidate(true)],
    ['a session that is over (op 9)', () => discord.gateway.invalidate(false)],
    ['a normal close (1000)', () => discord.gateway.close(1000)],
    ['a close for good (4004)', () => discord.gateway.close(4004)],
    ['another close for good (4014)', () => discord.gateway.close(4014)],
  ])('%s', (what, trouble) => heardAgain(what, trouble))

  test('heartbeats that nobody acknowledged', () =>
    heardAgain(
      'heartbeats that nobody acknowledged',
      async () => {
        discord.gateway.withholdAcks()
        await discord.gateway.until(() => discord.gateway.connected() === 0, 'it gave up', 5_000)
      },
      () => discord.gateway.withholdAcks(false),
    ))

  test('sockets that were refused', () =>
    heardAgain(
      'sockets that were refused',
      async () => {
        discord.gateway.refuse()
        discord.gateway.drop()
        await discord.gateway.until(() => discord.gateway.connected() === 0, 'it is gone', 5_000)
      },
      () => discord.gateway.refuse(false),
    ))

  test('all of Discord was away', async () => {
    const seen = running.events.length
    await heardAgain(
      'all of Discord was away',
      async () => {
        await discord.down()
        flips.push({ to: flips.length % 2 === 0 ? -0.0002 : 0.0002 })
        running.stage.market('BTC', { funding: flips.at(-1)?.to ?? 0 })
        // Long enough for the next reading of the markets, or the next flip would undo this one unseen.
        await new Promise((resolve) => setTimeout(resolve, 300 + 4_000 / HURRY))
      },
      () => discord.up(),
    )
    const said = running.events.slice(seen).flatMap((event) => (event.is === 'platform' ? [event.why] : []))
    expect(said.at(0)).not.toBeNull()
    expect(said.at(-1)).toBeNull()
  })

  test('and nobody was told twice, or not at all', async () => {
    await discord.ledger.until(() => posts().length >= flips.length, 'all are told', 5_000)
    expect(posts()).toHaveLength(flips.length)
    expect(discord.gateway.identifies.length).toBeLessThan(12)
  })
})
