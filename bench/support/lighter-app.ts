import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Send } from '../../src/chat/notifier.ts'
import { createEvents } from '../../src/runtime/event.ts'
import { createApp } from '../../src/start/app.ts'
import type { Write } from '../../src/store/store.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import type { Push } from '../../src/venue/venue.ts'
import { createClient } from '../../src/venues/lighter/client.ts'
import { type HandClock, handClock, NOON, READ_MS } from '../../test/support/clock.ts'
import { type Lighter, startLighter } from '../../test/support/lighter/server.ts'
import { type Crowd, settle, walletOf } from './crowd.ts'
import { instant } from './instant.ts'

/** The whole program in this process, between the stand-in of Lighter and a platform that takes everything at once. */
export interface LighterApp {
  venue: Lighter
  push: Push
  clock: HandClock
  /** From here on the clock goes as the machine's does, until this is called. */
  live(): () => Promise<void>
  stop(): Promise<void>
}

const PERIODS = { marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000 }

/** Everybody hears what is opened, beside the distance of a liquidation. */
function opened(people: number): Write[] {
  return Array.from({ length: people }, (_, n): Write => ({
    is: 'rule',
    rule: {
      ...{
        id: people + n + 1,
        personId: n + 1,
        chatId: n + 1,
        wallet: walletOf(n + 1),
        kind: 'position-opened',
      },
      ...{ params: {}, identity: '', armedByWatch: true, market: null, holdMs: 0 },
      ...{ since: 0, snoozedUntil: null },
    },
  }))
}

export async function startLighterApp(people: number, took: (send: Send) => void): Promise<LighterApp> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
  const clock = handClock(NOON, READ_MS)
  const venue = await startLighter({ clock })
  const store = openSqlite(join(folder, 'perch.sqlite'), 'bench')
  const crowd: Crowd = { people, positions: 0, rules: 'one', sides: 'both', away: [] }
  await settle(store, crowd)
  await store.memory.commit(opened(people))
  const events = createEvents()
  events.listen((event) => {
    if (event.is === 'turn-failed' || event.is === 'trouble') process.stderr.write(`${event.why}\n`)
  })
  const client = createClient({
    ...{ url: venue.url, token: null, clock, emit: events.emit, random: Math.random },
  })
  const { push } = client.venue
  if (push === null) throw new Error('it pushes nothing')
  const app = await createApp({
    ...{ store, clock, events, random: Math.random, adapters: [instant(took)] },
    venue: {
      ...{ venue: client.venue, simulated: false, identity: 'bench', introduction: [] },
      ...{ endsBot: false, close: client.close },
    },
    settings: {
      ...{ ...PERIODS, requestsPerSecond: 20, access: 'claim', version: 'bench' },
      ...{ maxWallets: 20, maxFollowed: 50, maxRules: 100, maxPeople: 10_000, maxCommandsPerMinute: 30 },
    },
    ...{ newCode: () => 'CODE', newToken: () => 'perch_TOKEN', claimCode: null, quit() {} },
  })
  let isLive = false
  clock.restsWhen(async () => {
    if (!isLive) await venue.idle()
  })
  await app.start()
  return {
    ...{ venue, push, clock },
    live() {
      isLive = true
      let isOver = false
      const running = (async () => {
        for (let last = performance.now(); !isOver;) {
          await new Promise((resolve) => setTimeout(resolve, 1))
          const now = performance.now()
          const went = now - last
          last = now
          await clock.advance(went)
        }
      })()
      return async () => {
        isOver = true
        await running
        isLive = false
      }
    },
    async stop() {
      await app.stop()
      await client.close()
      await store.admin.close()
      await venue.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
