import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Send } from '../../src/chat/notifier.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { createEvents, type Event } from '../../src/runtime/event.ts'
import { createApp } from '../../src/start/app.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import type { Crowd } from './crowd.ts'
import { instant } from './instant.ts'
import type { Failing } from './crowd-venue.ts'

/** The whole program, between a venue over HTTP that fails when it is told to and a platform that takes everything at once. */
export interface OutageApp {
  /** What fails from now on. */
  fails(what: Failing): void
  stop(): Promise<void>
}

const SETTLE = fileURLToPath(new URL('settle.ts', import.meta.url))
const VENUE = fileURLToPath(new URL('crowd-venue.ts', import.meta.url))

export async function startOutageApp(
  crowd: Crowd,
  options: {
    requestsPerSecond: number
    /** How many times as fast as the machine's the clock of the program is. */
    speed: number
    heard(event: Event): void
    took(send: Send): void
  },
): Promise<OutageApp> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
  const file = join(folder, 'perch.sqlite')
  // In a process of its own: what that leaves behind is not ours.
  execFileSync(process.execPath, [SETTLE, file, JSON.stringify(crowd)])
  const server = fork(VENUE, [JSON.stringify(crowd)], { execArgv: [] })
  const [port] = (await once(server, 'message')) as [number]
  const clock = faster(systemClock(), options.speed)
  const events = createEvents()
  const { emit } = events
  events.listen((event) => {
    if (event.is === 'turn-failed' || event.is === 'trouble') process.stderr.write(`${event.why}\n`)
    options.heard(event)
  })
  const url = `http://127.0.0.1:${port}`
  const client = createClient({ url, chainId: 8008, apiKey: null, clock, emit, random: Math.random })
  const store = openSqlite(file, 'bench')
  const { requestsPerSecond } = options
  const app = await createApp({
    ...{ store, clock, events, random: Math.random, adapters: [instant(options.took)] },
    venue: {
      ...{ venue: client.venue, simulated: false, identity: 'bench', introduction: [], endsBot: false },
      close: () => client.close(),
    },
    settings: {
      ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000, requestsPerSecond },
      ...{ access: 'claim', maxWallets: 20, maxRules: 100, maxCommandsPerMinute: 30, version: 'bench' },
    },
    ...{ newCode: () => 'CODE', claimCode: null, quit() {} },
  })
  await app.start()
  return {
    fails: (what) => void server.send(what),
    async stop() {
      await app.stop()
      await client.close()
      await store.admin.close()
      server.disconnect()
      rmSync(folder, { recursive: true })
    },
  }
}

function faster(clock: Clock, times: number): Clock {
  const [wall, mono] = [clock.now(), clock.monotonic()]
  return {
    now: () => wall + (clock.now() - wall) * times,
    monotonic: () => mono + (clock.monotonic() - mono) * times,
    asleepMs: () => 0,
    wakeAt: (atMono, wake) => clock.wakeAt(mono + (atMono - mono) / times, wake),
  }
}
