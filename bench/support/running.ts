import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { kinds } from '../../src/alerts/index.ts'
import type { Send } from '../../src/chat/notifier.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { chatsOf } from '../../src/engine/view.ts'
import { keepHeapSmall } from '../../src/ops/node-setup.js'
import { createDispatcher } from '../../src/outbox/dispatcher.ts'
import { localize } from '../../src/outbox/localize.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Store } from '../../src/store/store.ts'
import { openDatabase, type Sqlite } from '../../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { readMarkets } from '../../src/venues/perps-data/wire/markets.ts'
import { type Crowd, INSTANT, marketsBody, walletOf, positionsOf } from './crowd.ts'
import { instant } from './instant.ts'

/** The engine and the dispatcher on a real file, as `app.ts` wires them, and a platform that takes everything at once. */
export interface Running {
  engine: Engine
  store: Store
  /** How long the start took until everything was in memory. */
  loadedMs: number
  loadedCpuMs: number
  /** Reads the markets at these prices, as `read` does. */
  tick(prices: readonly number[]): Promise<void>
  /** Reads the markets from this body, and waits until what follows from it is kept. */
  read(body: string): Promise<void>
  /** Reads each wallet once. */
  readWallets(): Promise<void>
  /** Rows that were written since the start: by what was decided, and by its sending. */
  written: { decided: number; sending: number }
  /** Waits until all is sent. */
  sent(): Promise<void>
  stop(): Promise<void>
}

const SETTLE = fileURLToPath(new URL('settle.ts', import.meta.url))
// As many as are under way at once in the program.
const OWNERS_AT_ONCE = 8

export async function start(
  crowd: Crowd,
  heard: (event: Event) => void = () => {},
  took: (send: Send) => void = () => {},
  open: (file: string, written: Running['written']) => Store | Promise<Store> = counting,
): Promise<Running> {
  keepHeapSmall()
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
  const file = join(folder, 'perch.sqlite')
  // In a process of its own: what that leaves behind is not ours.
  execFileSync(process.execPath, [SETTLE, file, JSON.stringify(crowd)])
  const clock = systemClock()
  const emit = (event: Event) => {
    if (event.is === 'turn-failed' || event.is === 'trouble')
      throw new Error(event.why, { cause: event.error })
    heard(event)
  }
  const began = { at: performance.now(), cpu: process.cpuUsage() }
  const written = { decided: 0, sending: 0 }
  const store = await open(file, written)
  const engine = await createEngine({
    ...{ store, clock, emit, kinds, platforms: [INSTANT], readAll() {}, readNow: () => false },
    // Wallets are read when the benchmark says so.
    periods: { marketPollMs: 1e8, walletPollMinMs: 1e8, walletPollMaxMs: 1e8 },
    departures: { prepare: (writes) => dispatcher.departures.prepare(writes) },
    committed() {},
    inputTaken() {},
    transitioned() {},
    digestTold() {},
    escalated() {},
    storeFailed() {},
  })
  const loadedMs = performance.now() - began.at
  const { user, system } = process.cpuUsage(began.cpu)
  const dispatcher = createDispatcher({
    ...{ store: store.outbox, clock, emit, random: Math.random, chats: chatsOf(engine.memory) },
    adapters: new Map([[INSTANT, instant(took)]]),
    change: (change) => engine.change(change, null),
    delivered() {},
    draw: async () => null,
    localize: (message) => localize(message, { numbers: '1,234.5', zone: 'UTC', simulated: false }),
  })
  engine.start()
  await dispatcher.start()
  const now = () => ({ at: Math.round(clock.now()), mono: clock.monotonic() })
  async function read(body: string): Promise<void> {
    engine.markets({ value: readMarkets(JSON.parse(body) as unknown, 8008), ...now() })
    await engine.idle()
  }
  return {
    ...{ engine, store, written, loadedMs, loadedCpuMs: (user + system) / 1_000 },
    tick: (prices) => read(marketsBody(prices)),
    read,
    async readWallets() {
      for (let person = 1; person <= crowd.people; person++) {
        const positions = positionsOf(person, crowd)
        const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null }
        engine.wallet({
          wallet: walletOf(person),
          value,
          orders: null,
          closeRecords: null,
          unsolicited: false,
          ...now(),
        })
        if (person % OWNERS_AT_ONCE === 0) await engine.idle()
      }
      await engine.idle()
    },
    async sent() {
      for (;;) {
        await engine.idle()
        await dispatcher.idle()
        if ((await store.outbox.backlog()).waiting === 0) return
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
    async stop() {
      await dispatcher.stop()
      await engine.stop()
      await store.admin.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The store, and how many rows it writes. */
function counting(file: string, written: Running['written']): Store {
  let sqlite: Sqlite | null = null
  const store = openSqlite(file, 'bench', (name) => {
    const opened = openDatabase(name)
    ;({ sqlite } = opened)
    return opened
  })
  const changes = (sqlite as Sqlite | null)?.prepare('SELECT total_changes()').pluck()
  function counted<T>(by: keyof typeof written, work: () => Promise<T>): Promise<T> {
    const before = changes?.get() as number
    const done = work()
    // All is written by now: what is waited for is the disk, and others write meanwhile.
    written[by] += (changes?.get() as number) - before
    return done
  }
  return {
    ...store,
    memory: {
      ...store.memory,
      commit(writes, sending) {
        // Outcomes of earlier sends go along with what was decided since: each changes a row that stands there.
        const settled = sending?.settled.length ?? 0
        written.decided -= settled
        written.sending += settled
        return counted('decided', () => store.memory.commit(writes, sending))
      },
    },
    outbox: { ...store.outbox, round: (turn) => counted('sending', () => store.outbox.round(turn)) },
  }
}
