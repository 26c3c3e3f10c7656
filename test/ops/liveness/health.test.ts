import { afterEach, describe, expect, test } from 'vitest'

import { startHttp } from '../../../src/net/http-server.ts'
import { watchHealth } from '../../../src/ops/liveness/health.ts'
import type { Report } from '../../../src/ops/liveness/progress.ts'
import { createEvents, type Event, type InputKind } from '../../../src/runtime/event.ts'
import type { Standing } from '../../../src/runtime/standing.ts'
import { handClock } from '../../support/clock.ts'

const STARTED: Event = { is: 'started', version: '0', venue: 'sim', adapters: ['terminal'], database: 'x' }
const REACHED: Event = { is: 'platform', platform: 'terminal', why: null }
const FAILED: Event = { is: 'markets-failed', why: 'timeout' }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function startBot() {
  const clock = handClock()
  const events = createEvents()
  const health = watchHealth({ events, clock, marketPollMs: 2_000 })
  const options = { host: '127.0.0.1', port: 0, portIsDefault: false, emit() {} }
  const http = await startHttp({ ...options, routes: [health.route] })
  closing.push(async () => {
    await http.stop()
    health.stop()
  })
  return {
    ...http,
    emit: events.emit,
    /** Time passes, in which something happens every five seconds. */
    async passes(ms: number, occurrence: () => Event[]) {
      for (let passed = 0; passed < ms; passed += 5_000) {
        await clock.advance(5_000)
        for (const event of occurrence()) events.emit(event)
      }
    },
    turn: (of: InputKind = 'markets'): Event => {
      return { is: 'turn', of, judged: 0, rows: 0, ms: 1, mono: clock.monotonic() }
    },
    prices: (): Event => ({ is: 'markets-read', markets: 3, mono: clock.monotonic() }),
    async ask(path: string) {
      const response = await fetch(`${http.url}${path}`)
      const report: Report = JSON.parse(await response.text())
      return { status: response.status, ...report }
    },
  }
}

describe('/healthz', () => {
  test('is bad while a commit waits, and says since when', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [bot.prices(), bot.turn()])
    bot.emit({ is: 'store-waits', of: 'engine', ms: 2_000 })
    expect(await bot.ask('/healthz')).toMatchObject({
      status: 503,
      says: expect.arrayContaining([
        'The database has kept nothing for 2.0 s: another program may hold it.',
      ]) as string[],
    })
    bot.emit({ is: 'commit', of: 'outbox', ms: 1, ok: true })
    expect((await bot.ask('/healthz')).status).toBe(503)
    bot.emit({ is: 'commit', of: 'engine', ms: 3_000, ok: true })
    expect((await bot.ask('/healthz')).status).toBe(200)
  })

  test('is bad from the moment that nothing can be kept until it can, and counts what failed', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [bot.prices(), bot.turn()])
    bot.emit({ is: 'turn-failed', why: 'disk full', error: new Error('disk full') })
    bot.emit({ is: 'store', why: 'disk full' })
    expect(await bot.ask('/healthz')).toMatchObject({
      status: 503,
      turnsFailed: 1,
      says: expect.arrayContaining(['Nothing can be kept: disk full']) as string[],
    })
    bot.emit({ is: 'store', why: null })
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200, turnsFailed: 1 })
  })

  test('is good while the engine turns and prices come', async () => {
    const bot = await startBot()
    await bot.passes(300_000, () => [bot.prices(), bot.turn()])
    expect(await bot.ask('/healthz')).toMatchObject({
      status: 200,
      healthy: true,
      blind: false,
      says: ['The bot is starting.'],
    })
    bot.emit(REACHED)
    bot.emit(STARTED)
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200, turnAgeMs: 0, marketAgeMs: 0, says: [] })
  })

  test('is good right after the start, before anything has happened', async () => {
    const bot = await startBot()
    expect(await bot.ask('/healthz')).toMatchObject({
      status: 200,
      blind: true,
      turnAgeMs: null,
      marketAgeMs: null,
    })
  })

  test('is bad when the engine has not turned for a minute', async () => {
    const bot = await startBot()
    bot.emit(bot.turn())
    await bot.passes(60_000, () => [bot.prices()])
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200, turnAgeMs: 60_000 })
    await bot.passes(5_000, () => [bot.prices()])
    expect(await bot.ask('/healthz')).toMatchObject({
      status: 503,
      healthy: false,
      says: ['The engine has done nothing for 65 s.', 'The bot is starting.'],
    })
    bot.emit(bot.turn())
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200 })
  })

  test('is bad when the engine never turns at all', async () => {
    const bot = await startBot()
    await bot.passes(65_000, () => [bot.prices()])
    expect(await bot.ask('/healthz')).toMatchObject({ status: 503, turnAgeMs: null })
  })

  test('stays good while the venue cannot be reached, and says that we are blind', async () => {
    const bot = await startBot()
    bot.emit(bot.prices())
    await bot.passes(3_600_000, () => [FAILED, bot.turn()])
    expect(await bot.ask('/healthz')).toMatchObject({
      status: 200,
      healthy: true,
      blind: true,
      marketAgeMs: 3_600_000,
      marketPollAgeMs: 0,
      says: ['The last prices are 1 h old.', 'The bot is starting.'],
    })
  })

  test('is bad when the market poller itself is stuck', async () => {
    const bot = await startBot()
    bot.emit(bot.prices())
    await bot.passes(35_000, () => [bot.turn()])
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200, blind: true })
    await bot.passes(5_000, () => [bot.turn()])
    expect(await bot.ask('/healthz')).toMatchObject({
      status: 503,
      says: expect.arrayContaining(['The market poller has done nothing for 40 s.']),
    })
  })
})

describe('/readyz', () => {
  test('is bad until the first prices are committed and the chats are open', async () => {
    const bot = await startBot()
    bot.emit(REACHED)
    bot.emit(STARTED)
    bot.emit(bot.turn())
    expect(await bot.ask('/readyz')).toMatchObject({ status: 503 })
    bot.emit(bot.prices())
    expect(await bot.ask('/readyz')).toMatchObject({ status: 503 })
    bot.emit(bot.turn())
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200, ready: true })
  })

  test('is bad without a chat', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [bot.prices(), bot.turn()])
    expect(await bot.ask('/readyz')).toMatchObject({ status: 503 })
  })

  test('is bad until every platform that was asked for has been reached, and while one is out of reach', async () => {
    const bot = await startBot()
    const telegram = (why: string | null): Event => ({ is: 'platform', platform: 'telegram', why })
    const started: Event = { ...STARTED, adapters: ['terminal', 'telegram'] }
    await bot.passes(5_000, () => [REACHED, started, bot.prices(), bot.turn()])
    expect(await bot.ask('/readyz')).toMatchObject({
      status: 503,
      says: ['telegram has not been reached yet.'],
    })
    bot.emit(telegram('401 Unauthorized'))
    await bot.passes(5_000, () => [bot.prices(), bot.turn()])
    expect(await bot.ask('/readyz')).toMatchObject({
      status: 503,
      says: ['telegram has been out of reach for 5.0 s: 401 Unauthorized'],
    })
    bot.emit(telegram(null))
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200, says: [] })
  })

  test('is bad while the venue cannot be seen', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [REACHED, STARTED, bot.prices(), bot.turn()])
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200, blind: false })
    await bot.passes(15_000, () => [bot.turn()])
    expect(await bot.ask('/readyz')).toMatchObject({ status: 503, blind: true })
    bot.emit(bot.prices())
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200, says: [] })
  })

  test('is bad when prices are read and none are judged any more, though all else goes on', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [REACHED, STARTED, bot.prices(), bot.turn()])
    const broken: Event = { is: 'turn-failed', why: 'a fault of ours', error: new Error('a fault of ours') }
    await bot.passes(120_000, () => [bot.prices(), broken, bot.turn('deadlines')])
    expect(await bot.ask('/readyz')).toMatchObject({
      status: 503,
      blind: false,
      says: ['Prices are read, and have not been judged for 2 min.'],
    })
    bot.emit(bot.turn())
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200, says: [] })
  })

  test('is bad while nothing can be kept', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [REACHED, STARTED, bot.prices(), bot.turn()])
    bot.emit({ is: 'store', why: 'disk full' })
    expect(await bot.ask('/readyz')).toMatchObject({
      status: 503,
      says: ['Nothing can be kept: disk full'],
    })
    bot.emit({ is: 'store', why: null })
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200 })
  })

  test('is bad while a platform takes no messages', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [REACHED, STARTED, bot.prices(), bot.turn()])
    bot.emit({ is: 'held', platform: 'terminal', why: 'it asks us to wait 1 h' })
    expect(await bot.ask('/readyz')).toMatchObject({
      status: 503,
      says: ['terminal takes no messages: it asks us to wait 1 h'],
    })
    bot.emit({ is: 'held', platform: 'terminal', why: null })
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200 })
  })

  test('is bad again while the bot stops, and /healthz is not', async () => {
    const bot = await startBot()
    await bot.passes(5_000, () => [REACHED, STARTED, bot.prices(), bot.turn()])
    bot.emit({ is: 'stopping', why: 'SIGTERM' })
    expect(await bot.ask('/readyz')).toMatchObject({ status: 503, says: ['The bot is stopping.'] })
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200 })
  })
})

test('only those two are health, and only to look at', async () => {
  const bot = await startBot()
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(`${bot.url}${path}`, { method })).status
  expect(await statusOf('/')).toBe(404)
  expect(await statusOf('/healthz/x')).toBe(404)
  expect(await statusOf('/healthz', 'POST')).toBe(404)
  expect(await statusOf('/healthz', 'HEAD')).toBe(200)
  expect(await statusOf('/healthz?x=1')).toBe(200)
})

describe('a process that shares its store', () => {
  const stands = (at: Partial<Standing>): Event => ({
    ...{ is: 'standing', role: 'standby', name: 'b', leader: 'a', epoch: 3, behindSeconds: 0.1 },
    ...{ standbys: [], why: null, ...at },
  })

  test('is well as a standby, also after a day without a single price', async () => {
    const bot = await startBot()
    await bot.passes(3_600_000, () => [stands({})])
    const place = { role: 'standby', leader: 'a', epoch: 3, behindSeconds: 0.1 }
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200, says: [], ...place })
    expect(await bot.ask('/readyz')).toMatchObject({ status: 200, ...place })
  })

  test.each<[string, Partial<Standing>, string]>([
    [
      'its database is away',
      { role: 'waiting', why: 'PostgreSQL does not answer' },
      'cannot follow: PostgreSQL',
    ],
    [
      'the journal is of a newer Perch',
      { role: 'waiting', why: 'update Perch' },
      'cannot follow: update Perch',
    ],
    ['it is far behind', { behindSeconds: 120 }, 'is 2 min behind'],
  ])('could not take over as a standby while %s', async (_why, at, says) => {
    const bot = await startBot()
    bot.emit(stands(at))
    for (const path of ['/healthz', '/readyz']) {
      const report = await bot.ask(path)
      expect(report).toMatchObject({ status: 503, stuck: false })
      expect(report.says.join(' ')).toContain(says)
    }
  })

  test('is stuck once it does not look at the journal any more', async () => {
    const bot = await startBot()
    bot.emit(stands({}))
    await bot.passes(185_000, () => [])
    expect(await bot.ask('/healthz')).toMatchObject({ status: 503, stuck: true })
  })

  test('is found by a proxy where it leads, also when it has its store to itself', async () => {
    const bot = await startBot()
    expect((await bot.ask('/leader')).status).toBe(200)
    bot.emit(stands({}))
    expect((await bot.ask('/leader')).status).toBe(503)
    bot.emit(stands({ role: 'leader' }))
    expect((await bot.ask('/leader')).status).toBe(200)
    bot.emit(stands({ role: 'suspended' }))
    expect((await bot.ask('/leader')).status).toBe(503)
  })

  test('has the time of a start when it begins to lead, and is then judged as ever', async () => {
    const bot = await startBot()
    await bot.passes(3_600_000, () => [stands({})])
    bot.emit(stands({ role: 'leader', leader: 'b', epoch: 4 }))
    expect(await bot.ask('/healthz')).toMatchObject({ status: 200, role: 'leader', epoch: 4 })
    expect((await bot.ask('/readyz')).status).toBe(503)
    bot.emit(STARTED)
    bot.emit(REACHED)
    await bot.passes(10_000, () => [stands({ role: 'leader' }), bot.prices(), bot.turn()])
    expect((await bot.ask('/readyz')).status).toBe(200)
  })

  test('is neither well nor ready while its lease cannot be renewed, and a restart would not help', async () => {
    const bot = await startBot()
    bot.emit(STARTED)
    bot.emit(REACHED)
    await bot.passes(10_000, () => [
      stands({ role: 'suspended', why: 'PostgreSQL does not answer' }),
      bot.prices(),
      bot.turn(),
    ])
    const bad = { status: 503, stuck: false, says: ['Nothing can be sent: PostgreSQL does not answer'] }
    expect(await bot.ask('/healthz')).toMatchObject(bad)
    expect(await bot.ask('/readyz')).toMatchObject(bad)
  })
})
