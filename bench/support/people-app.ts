import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Bot, Inbound } from '../../src/chat/bot.ts'
import type { Conversation } from '../../src/chat/conversation.ts'
import type { Message } from '../../src/message/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createEvents, type Event } from '../../src/runtime/event.ts'
import { createApp } from '../../src/start/app.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import type { Venue } from '../../src/venue/venue.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import { type Crowd, INSTANT } from './crowd.ts'
import { instant } from './instant.ts'

/** The whole program, between a venue over HTTP and a platform that takes everything at once. */
export interface PeopleApp {
  /** What somebody reads who says this, as it reaches the platform. */
  says(person: number, line: string): Promise<Message>
  /** Reads of wallets cost nothing of the budget until this is called: after it, what is asked for is paid. */
  payFromNow(): void
  /** Requests to the venue so far, by what was asked. */
  asked: Map<string, number>
  stop(): Promise<void>
}

const SETTLE = fileURLToPath(new URL('settle-speaking.ts', import.meta.url))
const VENUE = fileURLToPath(new URL('crowd-venue.ts', import.meta.url))

export async function startPeopleApp(
  crowd: Crowd,
  {
    requestsPerSecond,
    walletPollMaxMs,
    venueMs,
    heard,
  }: {
    requestsPerSecond: number
    walletPollMaxMs: number
    venueMs: number
    heard: (event: Event) => void
  },
): Promise<PeopleApp> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
  const file = join(folder, 'perch.sqlite')
  execFileSync(process.execPath, [SETTLE, file, JSON.stringify(crowd)])
  const server = fork(VENUE, [JSON.stringify(crowd), String(venueMs)], { execArgv: [] })
  const [port] = (await once(server, 'message')) as [number]
  const clock = systemClock()
  const events = createEvents()
  const { emit } = events
  const asked = new Map<string, number>()
  events.listen((event) => {
    if (event.is === 'turn-failed' || event.is === 'trouble') process.stderr.write(`${event.why}\n`)
    if (event.is === 'venue-request') asked.set(event.call, (asked.get(event.call) ?? 0) + 1)
    heard(event)
  })
  const url = `http://127.0.0.1:${port}`
  const client = createClient({ url, chainId: 8008, apiKey: null, clock, emit, random: Math.random })
  let paid = false
  const venue: Venue = {
    ...client.venue,
    positions: (wallet, asking) =>
      client.venue.positions(wallet, paid ? asking : { ...asking, spend: (request) => request(() => {}) }),
  }
  const platform = instantPlatform()
  const store = openSqlite(file, 'bench')
  const app = await createApp({
    ...{ store, clock, events, random: Math.random, adapters: [platform.adapter] },
    venue: {
      venue,
      simulated: false,
      identity: 'bench',
      introduction: [],
      endsBot: false,
      close: client.close,
    },
    settings: {
      ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs, requestsPerSecond },
      ...{ access: 'claim', maxWallets: 20, maxRules: 100, maxCommandsPerMinute: 30, version: 'bench' },
    },
    ...{ newCode: () => 'CODE', claimCode: null, quit() {} },
  })
  await app.start()
  return {
    ...{ says: platform.says, asked },
    payFromNow: () => void (paid = true),
    async stop() {
      await app.stop()
      await client.close()
      await store.admin.close()
      server.disconnect()
      rmSync(folder, { recursive: true })
    },
  }
}

function instantPlatform(): { adapter: Conversation; says: PeopleApp['says'] } {
  let bot: Bot | null = null
  let id = 0
  return {
    adapter: { ...instant(), start: async (given) => void (bot = given) },
    async says(person, line) {
      if (bot === null) throw new Error('nobody hears yet')
      const { answer } = bot
      const from = speaker(person, ++id)
      const said = await bot.line(from, line)
      return new Promise((resolve) => {
        void answer(from.chat, async (to) => {
          resolve(said)
          return { is: 'sent', ref: { address: to, id: String(++id) } }
        })
      })
    },
  }
}

function speaker(person: number, input: number): Inbound {
  const home = { platform: INSTANT, chat: `c${person}`, thread: null }
  return {
    ...{ id: String(input), by: { platform: INSTANT, user: `u${person}` }, name: `p${person}` },
    ...{ chat: home, home, private: true, mayConfigure: true, whisper: false, answersApart: false },
  }
}
