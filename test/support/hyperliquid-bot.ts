import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEvents, type Event } from '../../src/runtime/event.ts'
import { createApp } from '../../src/start/app.ts'
import type { MarketsAnswer, Venue } from '../../src/venue/venue.ts'
import { createClient } from '../../src/venues/hyperliquid/client.ts'
import { handClock, NOON, READ_MS } from './clock.ts'
import { startHyperliquid } from './hyperliquid/server.ts'
import { newDatabase } from './new-database.ts'
import { eventually } from './patience.ts'
import { createRecorder } from './recorder.ts'
import { openStore } from './open-store.ts'

/** The real bot before the stand-in of Hyperliquid, both on one clock that the test turns, and one person at it. */
export async function startHyperliquidBot({ pushes = true, wallets = 40, marketPollMs = 2_000 } = {}) {
  const clock = handClock(NOON, READ_MS)
  const standIn = await startHyperliquid({ clock })
  const folder = await mkdtemp(join(tmpdir(), 'perch-hyperliquid-'))
  const events: Event[] = []
  const stream = createEvents()
  stream.listen((event) => events.push(event))
  const random = () => 0.5
  const recorder = createRecorder('recorder', clock, true)
  const client = createClient({ url: standIn.url, clock, emit: stream.emit, random })
  /** When each book was read or told last, by the clock. */
  const seen = new Map<string | null, number>()
  const took = ({ markets }: MarketsAnswer, mono: number) => {
    for (const { dex } of markets) seen.set(dex, mono)
  }
  const push = pushes ? client.venue.push : null
  const venue: Venue = {
    ...client.venue,
    async markets(asking, needed) {
      const asked = clock.monotonic()
      const answer = await client.venue.markets(asking, needed)
      took(answer, asked)
      return answer
    },
    push: push && {
      ...push,
      start: (hear) =>
        push.start({
          ...hear,
          markets(answer, whole) {
            took(answer, clock.monotonic())
            hear.markets(answer, whole)
          },
        }),
    },
  }
  const store = await openStore(newDatabase(join(folder, 'perch.sqlite')), 'hyperliquid', clock)
  const app = await createApp({
    venue: { ...client, venue, simulated: false, identity: 'hyperliquid', introduction: [], endsBot: false },
    ...{ store, clock, random },
    adapters: [recorder.adapter],
    events: stream,
    settings: {
      ...{ marketPollMs, walletPollMinMs: marketPollMs, walletPollMaxMs: 60_000, requestsPerSecond: 20 },
      ...{
        access: 'claim',
        maxWallets: wallets,
        maxFollowed: 50,
        maxRules: 100,
        maxPeople: 10_000,
        maxCommandsPerMinute: 1_000,
      },
      version: 'test',
    },
    newCode: () => 'CODE',
    newToken: () => 'perch_TOKEN',
    claimCode: null,
    quit() {},
  })
  // Who waits for its turn is not at rest, and only the clock ends that.
  clock.restsWhen(() => standIn.idle())
  await app.start()
  return {
    clock,
    standIn,
    events,
    app,
    /** Says a line; what comes back as plain text, however long its turn takes. */
    async says(line: string) {
      let answer: string | null = null
      void recorder.says('me', line).then((text) => (answer = text))
      while (answer === null) await clock.advance(500)
      return answer
    },
    hears: () => recorder.hears('me'),
    /** Waits for the next message, while nobody turns the clock. */
    async told() {
      let heard: string[] = []
      await eventually(() => (heard = recorder.hears('me')).length > 0)
      return heard.join('\n')
    },
    /** Turns the clock, and calls `each` at the beginning of every second. */
    async pass(seconds: number, each: ((second: number) => void) | null = null) {
      // To come to rest at every second costs as much as what happens in it.
      if (each === null) return clock.advance(seconds * 1_000)
      for (let second = 0; second < seconds; second++) {
        each(second)
        await clock.advance(1_000)
      }
    },
    /** Requests of this type since the start. */
    asked: (type: string) => standIn.asked.filter((one) => one.type === type).length,
    /** How old the oldest prices are of the venue's own book and of these. */
    priceAgeMs: (...dexes: string[]) =>
      Math.max(...[null, ...dexes].map((dex) => clock.monotonic() - (seen.get(dex) ?? -Infinity))),
    async [Symbol.asyncDispose]() {
      await app.stop()
      await client.close()
      await store.admin.close()
      await standIn.stop()
      await rm(folder, { recursive: true })
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}
