import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

import { watchHealth } from '../../src/ops/liveness/health.ts'
import { createEvents, type Event } from '../../src/runtime/event.ts'
import { type App, createApp } from '../../src/start/app.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import { type HandClock, handClock } from '../../test/support/clock.ts'
import { createDice } from '../../test/support/seed.ts'
import { createSoakPlatform, type SoakPlatform } from './soak-platform.ts'
import { openSoakVenue, type SoakVenue } from './soak-venue.ts'
import { createSoakWorld, type SoakWorld } from './soak-world.ts'

/** The whole program on a clock that goes as fast as the work is done. */
export interface Soak {
  clock: HandClock
  world: SoakWorld
  venue: SoakVenue
  platform: SoakPlatform
  database: string
  /** The longest that the loop was held since the last call: ms of processor time. */
  held(): number
  /** What looking on takes is none of the program's. */
  unheld<T>(look: () => T): T
  /** Stops, and starts again after so many milliseconds. */
  restart(awayMs: number): Promise<void>
  stop(): Promise<void>
}

/** A Monday: no change to or from summer time matters, it is all UTC. */
const SINCE = Date.UTC(2026, 0, 5)
/** Much slower than anybody has it, so that four weeks are over while somebody waits. What is kept by the clock goes on as ever. */
export const SOAK_PERIODS = { marketPollMs: 600_000, walletPollMinMs: 3_600_000, walletPollMaxMs: 14_400_000 }
/** With each look at the clock: some fifty steps of a long look into the past are one turn, as they are in fact. */
const LOOK_MS = 0.2
/** Turns of the loop after which what is under way waits for the clock. */
const TURNS = 12

export async function startSoak(wallets: number, seed: number, heard: (event: Event) => void): Promise<Soak> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-soak-'))
  const database = join(folder, 'perch.sqlite')
  let running: { app: App; stop(): Promise<void> } | null = null
  let [longest, used] = [0, process.threadCpuUsage()]
  const beat = async () => {
    const { user, system } = process.threadCpuUsage(used)
    longest = Math.max(longest, (user + system) / 1_000)
    used = process.threadCpuUsage()
    await turn()
  }
  async function rest(): Promise<void> {
    let isIdle = false
    void running?.app.idle().then(() => (isIdle = true))
    for (let turns = 0; turns < TURNS; turns++) {
      await beat()
      if (venue.busy()) turns = 0
      else if (isIdle) return
    }
  }
  const clock = handClock(SINCE, LOOK_MS)
  clock.restsWhen(rest, 'whole')
  const world = createSoakWorld(wallets, SINCE, seed)
  const venue = await openSoakVenue(world, clock.now, seed + 1)
  const platform = createSoakPlatform(clock.now, seed + 2)
  let starts = 0

  async function start() {
    const events = createEvents()
    events.listen(heard)
    const random = createDice(seed + 3 + starts++).next
    const { emit } = events
    const client = createClient({ url: venue.url, chainId: 8008, apiKey: null, clock, emit, random })
    const health = watchHealth({ events, clock, marketPollMs: SOAK_PERIODS.marketPollMs })
    const store = openSqlite(database, 'soak', undefined, clock)
    const app = await createApp({
      ...{ store, clock, events, random, adapters: [platform.adapter] },
      venue: {
        ...{ venue: client.venue, simulated: false, identity: 'soak', introduction: [], endsBot: false },
        close: client.close,
      },
      settings: {
        ...{
          ...SOAK_PERIODS,
          requestsPerSecond: 20,
          access: 'open',
          maxWallets: 20,
          maxFollowed: 50,
          maxRules: 100,
          maxPeople: 10_000,
        },
        ...{ maxCommandsPerMinute: 30, version: 'soak' },
      },
      ...{
        newCode: () => `CODE${Math.floor(random() * 1e12)}`,
        newToken: () => `perch_${random()}`,
        claimCode: null,
        quit() {},
      },
    })
    await app.start()
    return {
      app,
      async stop() {
        await app.stop()
        await client.close()
        await store.admin.close()
        health.stop()
      },
    }
  }
  running = await start()
  /** What is under way may wait for the clock. */
  const stopped = async () => {
    let isOver = false
    const stopping = running?.stop().finally(() => (isOver = true))
    running = null
    while (!isOver) await clock.advance(1_000)
    await stopping
  }
  return {
    ...{ clock, world, venue, platform, database },
    held() {
      const most = longest
      longest = 0
      return most
    },
    unheld(look) {
      try {
        return look()
      } finally {
        used = process.threadCpuUsage()
      }
    },
    async restart(awayMs) {
      await stopped()
      await clock.advance(awayMs)
      running = await start()
    },
    async stop() {
      await stopped()
      await venue.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
