import { readdirSync } from 'node:fs'

import { expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { watchHealth } from '../../src/ops/liveness/health.ts'
import { startHeartbeat } from '../../src/ops/liveness/heartbeat.ts'
import { tellSupervisor } from '../../src/ops/liveness/supervisor.ts'
import { logEvents } from '../../src/ops/log.ts'
import { startMetrics } from '../../src/ops/metrics/metrics-server.ts'
import { backUpNightly } from '../../src/ops/nightly.ts'
import { watchStandbys } from '../../src/ops/standby-watch.ts'
import { watchWal } from '../../src/ops/wal-growth.ts'
import type { Egress, EgressAnswer } from '../../src/runtime/egress.ts'
import { PERIODS, startBot } from '../support/bot.ts'
import { budget, createDice, type Dice, SEED } from '../support/seed.ts'
import { watched } from '../support/watched.ts'

/** How each file of src/ops is broken here. A new observer stands here before it is merged. */
const BROKEN: Record<string, string> = {
  'log.ts': 'its destination throws',
  'sink.ts': 'test/ops/sink.test.ts: every order of failures of the descriptor',
  'nightly.ts': 'listing and making fail, throw and hang',
  'wal-growth.ts': 'the size cannot be read, or never comes',
  'timed-store.ts': 'it only emits, and each listener may throw',
  'standby-watch.ts': 'standbys come and go while the listeners beside it throw',
  'ending.ts': 'only for a replay, which it ends on purpose',
  'node-setup.js': 'test/ops/node-setup.test.ts: a folder that cannot be used; else what Node is told, once',
  'liveness/health.ts': 'is asked at any moment',
  'liveness/heartbeat.ts': 'the switch, the store and the words fail, throw and hang',
  'liveness/platform-outages.ts': 'it only remembers; the listeners beside it throw',
  'liveness/progress.ts': 'is asked at any moment',
  'liveness/supervisor.ts': 'systemd-notify fails, throws and hangs',
  'liveness/watchdog.ts': 'test/ops/liveness/watchdog.test.ts: the thread cannot start',
  'liveness/watchdog-thread.ts': 'a thread of its own',
  'metrics/heard.ts': 'shapes',
  'metrics/labels.ts': 'tables',
  'metrics/lead.ts': 'standbys come and go while the figures fail, throw and hang',
  'metrics/platforms.ts': 'platforms come and go while the figures fail, throw and hang',
  'metrics/standing.ts': 'the store and the figures fail, throw and hang',
  'metrics/metrics-server.ts': 'the store and the figures fail, throw and hang',
}

test('every observer is broken by a test', () => {
  const folder = new URL('../../src/ops/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  )
  expect(files.toSorted()).toEqual(Object.keys(BROKEN).toSorted())
})

const OK: EgressAnswer = { is: 'answered', status: 200, body: 'OK', isWhole: true, retryAfterMs: null }

/** What only the operator reads: that an observer fails. */
const ABOUT_OBSERVERS = /No backup could be made|The database log|HEARTBEAT_URL|standby/

/** Calls that end in any way, or never. */
function brittle(dice: Dice) {
  const breaks = () => {
    if (dice.often(0.4)) throw new Error('an observer is broken')
  }
  return {
    now<Values extends unknown[], T>(work: (...values: Values) => T) {
      return (...values: Values): T => {
        breaks()
        return work(...values)
      }
    },
    later<Values extends unknown[], T>(work: (...values: Values) => Promise<T>) {
      return (...values: Values): Promise<T> => {
        // Thrown before there is a promise.
        if (dice.often(0.2)) breaks()
        if (dice.often(0.3)) return new Promise(() => {})
        return Promise.resolve().then(() => {
          breaks()
          return work(...values)
        })
      }
    },
  }
}

/** What is told in a fall through every line, and in which second; `dice` breaks what observes it. */
async function fall(path: readonly number[], dice: Dice | null): Promise<string[]> {
  const observing: (() => void)[] = []
  await using bot = await startBot({
    observe({ events, clock, store, app }) {
      if (dice === null) return () => {}
      const { now, later } = brittle(dice)
      const { emit } = events
      const destination = { write: now(() => {}) }
      const stopLog = logEvents(events, {
        level: 'trace',
        secrets: [],
        destination,
        monotonic: () => clock.monotonic(),
      })
      const stopOther = events.listen(now(() => {}))
      const health = watchHealth({ events, clock, ...PERIODS })
      const supervisor = tellSupervisor({
        ...{ events, clock, pid: 1, report: now(health.report), notify: later(async () => null) },
        env: { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '10000000' },
      })
      const about = {
        version: '1',
        venue: 'stage',
        adapters: ['recorder'],
        kinds: kinds.map(({ name }) => name),
      }
      const metrics = startMetrics({ events, clock, about })
      metrics.begin({ stats: now(app.stats), kept: later(() => store.admin.size(['recorder'])) })
      const egress: Egress = { refusal: async () => null, ask: later(async () => OK), allowing: () => egress }
      const heartbeat = startHeartbeat({
        ...{ url: 'https://switch.example/1', egress, clock, emit, report: now(health.report) },
        waiting: later(async () => (await store.admin.size(['recorder'])).waiting),
        hide: now((text: string) => text),
      })
      let backUp = async () => {}
      const nightly = backUpNightly({
        ...{ clock, emit, list: later(async () => []), make: later(async () => {}) },
        every(_expression, run) {
          backUp = run
          return { stop: now(() => {}) }
        },
      })
      const wal = watchWal({ clock, emit, bytes: later(async () => 1e9) })
      const standbys = watchStandbys({ events, clock, patienceMs: 2_000 })
      observing.push(() => {
        const others = dice.often(0.5) ? [] : [{ name: 'b', behindSeconds: 0 }]
        const at = { name: 'a', leader: 'a', epoch: 1, behindSeconds: 0, why: null }
        emit({ is: 'standing', role: 'leader', ...at, standbys: others })
        emit({ is: 'shards', platform: 'recorder', up: dice.often(0.5) ? 1 : 2, count: 2 })
        void health.route({ method: 'GET', path: '/readyz' })
        Promise.resolve(metrics.route({ method: 'GET', path: '/metrics' })).catch(() => {})
        void backUp()
      })
      emit({ is: 'started', version: '1', venue: 'stage', adapters: [], database: '' })
      return () => {
        for (const one of [
          stopLog,
          stopOther,
          health.stop,
          supervisor.stop,
          metrics.stop,
          heartbeat.stop,
          wal.stop,
          standbys.stop,
        ])
          one()
        try {
          nightly.stop()
        } catch {
          // It is broken as well.
        }
      }
    },
  })
  const told: string[] = []
  await watched(bot)
  for (const [second, price] of path.entries()) {
    bot.stage.market('BTC', { price, funding: 0.0001 })
    for (const observe of observing) if (dice?.often(0.3)) observe()
    await bot.pass(1_000)
    for (const text of bot.hears()) if (!ABOUT_OBSERVERS.test(text)) told.push(`${second} s: ${text}`)
  }
  // What was asked last has its time to end.
  await bot.pass(1_000)
  return told
}

test('what observes never stops what warns: whatever breaks, each alert comes in the very second in which it came without', async () => {
  const path = [...Array<number>(20).fill(107), ...[99, 98, 96, 94, 94, 93, 92, 91.5, 97, 110, 130]].flatMap(
    (price) => [price, price, price],
  )
  const told = await fall(path, null)
  expect(told.join('\n')).toMatch(
    /\[INFO\] BTC long: 15\.9%[^]*\[CRITICAL\] BTC long: 4\.3%[^]*is safe again/,
  )
  for (let round = 0; round < budget(40, 2); round++)
    expect(await fall(path, createDice(SEED + round))).toEqual(told)
})
