import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Conversation } from '../../src/chat/conversation.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { createEvents, type Event } from '../../src/runtime/event.ts'
import { createApp } from '../../src/start/app.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import type { Venue } from '../../src/venue/venue.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import type { Failing } from './crowd-venue.ts'
import type { Crowd } from './crowd.ts'

/** The whole program in this process, between a venue over HTTP and a platform. */
export interface HttpApp {
  /** What fails at the venue from now on. */
  fails(what: Failing): void
  stop(): Promise<void>
}

const VENUE = here('crowd-venue.ts')

export async function startHttpApp(
  crowd: Crowd,
  options: {
    /** The script that writes the database. */
    settle: 'settle.ts' | 'settle-speaking.ts'
    clock: Clock
    platform: Conversation
    requestsPerSecond: number
    walletPollMaxMs: number
    /** How long an answer of the venue takes. */
    venueMs: number
    venueOf(venue: Venue): Venue
    heard(event: Event): void
  },
): Promise<HttpApp> {
  const { clock, platform, requestsPerSecond, walletPollMaxMs } = options
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
  const file = join(folder, 'perch.sqlite')
  // In a process of its own: what that leaves behind is not ours.
  execFileSync(process.execPath, [here(options.settle), file, JSON.stringify(crowd)])
  const server = fork(VENUE, [JSON.stringify(crowd), String(options.venueMs)], { execArgv: [] })
  const [port] = (await once(server, 'message')) as [number]
  const events = createEvents()
  const { emit } = events
  events.listen((event) => {
    if (event.is === 'turn-failed' || event.is === 'trouble') process.stderr.write(`${event.why}\n`)
    options.heard(event)
  })
  const url = `http://127.0.0.1:${port}`
  const client = createClient({ url, chainId: 8008, apiKey: null, clock, emit, random: Math.random })
  const store = openSqlite(file, 'bench')
  const app = await createApp({
    ...{ store, clock, events, random: Math.random, adapters: [platform] },
    venue: {
      ...{ venue: options.venueOf(client.venue), simulated: false, identity: 'bench', introduction: [] },
      ...{ endsBot: false, close: client.close },
    },
    settings: {
      ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs, requestsPerSecond },
      ...{
        access: 'claim',
        maxWallets: 20,
        maxFollowed: 50,
        maxRules: 100,
        maxPeople: 10_000,
        maxCommandsPerMinute: 30,
        version: 'bench',
      },
    },
    ...{ newCode: () => 'CODE', newToken: () => 'perch_TOKEN', claimCode: null, quit() {} },
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

function here(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
