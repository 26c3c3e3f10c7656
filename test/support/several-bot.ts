import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEvents, type Event } from '../../src/runtime/event.ts'
import { createApp } from '../../src/start/app.ts'
import type { Settings } from '../../src/start/config.ts'
import type { OpenedVenue } from '../../src/venue/venue.ts'
import openHyperliquid from '../../src/venues/hyperliquid/index.ts'
import joinVenues from '../../src/venues/several/index.ts'
import { handClock, NOON, READ_MS } from './clock.ts'
import { type Hyperliquid, startHyperliquid } from './hyperliquid/server.ts'
import { newDatabase } from './new-database.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { openStore } from './open-store.ts'

/** The second venue's name in ids and symbols. */
export const SECOND = 'second'

const SETTINGS: Settings & { version: string } = {
  ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000, requestsPerSecond: 20 },
  ...{
    access: 'claim',
    maxWallets: 40,
    maxFollowed: 50,
    maxRules: 100,
    maxPeople: 100,
    maxCommandsPerMinute: 1_000,
  },
  version: 'test',
}

/**
 * The real bot, which can be ended and started again on the same database, before two stand-ins of Hyperliquid. The
 * second one is called `second`. All are on one clock that the test turns, with one person.
 */
export async function startSeveralBot(first: 'both' | 'alone' = 'both') {
  const clock = handClock(NOON, READ_MS)
  const standIns = [await startHyperliquid({ clock }), await startHyperliquid({ clock })] as const
  const folder = await mkdtemp(join(tmpdir(), 'perch-several-'))
  const file = newDatabase(join(folder, 'perch.sqlite'))
  const events: Event[] = []
  const random = () => 0.5
  const recorder = createRecorder('recorder', clock, true)
  // Who waits for its turn is not at rest, and only the clock ends that.
  for (const standIn of standIns) clock.restsWhen(() => standIn.idle())

  async function begin(venues: 'both' | 'alone') {
    const stream = createEvents()
    stream.listen((event) => events.push(event))
    const open = (standIn: Hyperliquid) =>
      openHyperliquid({ env: { VENUE_URL: standIn.url }, clock, emit: stream.emit, random })
    const [opened, other] = [await open(standIns[0]), await open(standIns[1])]
    const parts = [
      { name: 'hyperliquid', opened },
      { name: SECOND, opened: other },
    ]
    const venue: OpenedVenue = venues === 'both' ? joinVenues({ venues: parts, clock }) : opened
    const identities =
      venues === 'both' ? [opened.identity, `${SECOND} ${standIns[1].url}`] : [opened.identity]
    const store = await openStore(file, identities, clock)
    const app = await createApp({
      ...{ venue, store, clock, random, adapters: [recorder.adapter], events: stream, settings: SETTINGS },
      ...{ newCode: () => 'CODE', newToken: () => 'perch_TOKEN', claimCode: null, quit() {} },
    })
    await app.start()
    return {
      async end() {
        await app.stop()
        await Promise.all([opened.close(), other.close()])
        await store.admin.close()
      },
    }
  }

  let running = await begin(first)
  return {
    ...{ clock, events, first: standIns[0], second: standIns[1] },
    /** Ends the bot and starts it again. */
    async restarts(venues: 'both' | 'alone') {
      await running.end()
      running = await begin(venues)
    },
    says: (line: string) => says(recorder, clock, line),
    hears: () => recorder.hears('me'),
    pass: (seconds: number) => clock.advance(seconds * 1_000),
    async [Symbol.asyncDispose]() {
      await running.end()
      for (const standIn of standIns) await standIn.stop()
      await rm(folder, { recursive: true })
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}

/** Says a line and turns the clock until it is answered: the answer as plain text, and the time that it took in ms. */
async function says(
  recorder: Recorder,
  clock: ReturnType<typeof handClock>,
  line: string,
): Promise<{ text: string; ms: number }> {
  const began = clock.monotonic()
  let answer: string | null = null
  void recorder.says('me', line).then((text) => (answer = text))
  while (answer === null) await clock.advance(50)
  return { text: answer, ms: clock.monotonic() - began }
}
