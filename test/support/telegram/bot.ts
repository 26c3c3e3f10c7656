import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createTelegram } from '../../../adapters/telegram/telegram.ts'
import type { Site } from '../../../src/command/context.ts'
import type { Notifier } from '../../../src/chat/notifier.ts'
import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import type { Draw } from '../../../src/message/picture.ts'
import { createEvents, type Event } from '../../../src/runtime/event.ts'
import { createApp } from '../../../src/start/app.ts'
import { ALONE } from '../../../src/store/lead.ts'
import type { Store } from '../../../src/store/store.ts'
import type { OpenedVenue } from '../../../src/venue/venue.ts'
import { createClient } from '../../../src/venues/perps-data/client.ts'
import { breathe, type HandClock, handClock } from '../clock.ts'
import { newDatabase } from '../new-database.ts'
import { createStage, type ServedStage, type Stage } from '../stage.ts'
import type { Fault } from './faults.ts'
import type { Rates } from './limits.ts'
import type { User } from './people.ts'
import { startTelegram, type Telegram } from './telegram.ts'
import { openStore } from '../open-store.ts'

export const CLAIM = 'CLAI-MCLA-IMCL'

/** The real bot in the stand-in of Telegram, on a stage, under a clock that the test turns. */
export interface TelegramBot extends AsyncDisposable {
  telegram: Telegram
  stage: Stage
  clock: HandClock
  events: Event[]
  /** Somebody says something, the clock stands still until the bot has answered; what it wrote there since. */
  says(user: User, line: string): Promise<string[]>
  pass(ms: number): Promise<void>
  /** Stops and starts again on the same database. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  trouble(): string[]
}

export async function startTelegramBot(
  options: {
    limits?: Rates
    access?: 'claim' | 'open'
    commandsPerMinute?: number
    periods?: Partial<PollPeriods>
    meets?: Fault[]
    /** The adapter's own. */
    random?: () => number
    clock?: HandClock
    /** Where the page and assistants are; left out: nowhere. */
    site?: Site
    /** Asked over HTTP, in the place of a stage in memory. */
    stage?: ServedStage
    /** What it keeps in, made of the real one. */
    keeps?: (store: Store) => Store
    /** Further platforms, of the bot's clock. */
    others?: (world: { clock: HandClock; token: string }) => readonly Notifier[]
    /** Where a page is, if one of the others is. */
    page?: { url: string; isPublic: boolean }
    simulated?: boolean
    /** Draws pictures; left out, there are none. */
    draw?: Draw
    /** Hears each event before the bot does. */
    hears?: (event: Event) => void
    /** False while another process may lead. */
    mayAct?: () => boolean
  } = {},
): Promise<TelegramBot> {
  const clock = options.clock ?? handClock()
  const stage = options.stage ?? createStage()
  const telegram = await startTelegram({ clock, ...(options.limits ? { limits: options.limits } : {}) })
  telegram.fault(...(options.meets ?? []))
  const folder = await mkdtemp(join(tmpdir(), 'perch-telegram-'))
  const database = newDatabase(join(folder, 'perch.sqlite'))
  const events: Event[] = []
  let codes = 0
  let running = await start()

  async function start() {
    const stream = createEvents()
    stream.listen((event) => events.push(event))
    if (options.hears) stream.listen(options.hears)
    const { emit } = stream
    const random = () => 0.5
    const client = createClient({
      ...{ url: options.stage?.url ?? 'http://stage', chainId: 8008, apiKey: null, clock, emit, random },
      ...(options.stage ? {} : { transport: stage.transport(clock) }),
    })
    const venue: OpenedVenue = {
      ...client,
      simulated: options.simulated ?? false,
      identity: 'stage',
      introduction: [],
      endsBot: false,
    }
    const real = await openStore(database, venue.identity, clock)
    const store = options.keeps?.(real) ?? real
    const { root, token } = telegram
    const app = await createApp({
      venue,
      store,
      clock,
      random,
      adapters: [
        createTelegram({
          ...{ root, token, clock, emit, random: options.random ?? random },
          ...(options.mayAct && { mayAct: options.mayAct }),
        }),
        ...(options.others?.({ clock, token }) ?? []),
      ],
      page: options.page ?? null,
      ...(options.draw && { draw: options.draw }),
      events: stream,
      settings: {
        marketPollMs: 2_000,
        walletPollMinMs: 2_000,
        walletPollMaxMs: 60_000,
        ...options.periods,
        requestsPerSecond: 1_000,
        access: options.access ?? 'claim',
        maxWallets: 20,
        maxFollowed: 50,
        maxRules: 100,
        maxPeople: 10_000,
        version: 'test',
        maxCommandsPerMinute: options.commandsPerMinute ?? 1_000,
      },
      newCode: () => `CODE-${String(++codes).padStart(4, '0')}-CODE`,
      newToken: () => `perch_${'T'.repeat(39)}${String(++codes).padStart(4, '0')}`,
      ...(options.site ? { page: options.site, assistants: options.site } : {}),
      claimCode: CLAIM,
      ...(options.mayAct && { lead: { ...ALONE, holds: options.mayAct } }),
      quit() {},
    })
    await app.start()
    return {
      app,
      async stop() {
        await app.stop()
        await client.close()
        await store.admin.close()
      },
    }
  }

  // What hangs on purpose only the clock can end.
  const rests = async () => {
    await telegram.idle()
    await Promise.race([running.app.idle(), stage.hangs(), breathe(60)])
  }
  clock.restsWhen(rests)
  /** Only the clock can end some waits of a stop. */
  const stopped = async () => {
    let over = false
    const stopping = running.stop().finally(() => (over = true))
    for (let turns = 0; !over && turns < 200; turns++) {
      await breathe(20)
      if (!over) await clock.advance(100)
    }
    await stopping
  }
  await clock.advance(0)
  return {
    telegram,
    stage,
    clock,
    events,
    async says(user, line) {
      const before = telegram.ledger.sends.length
      user.says(line)
      await clock.advance(0)
      return telegram.ledger.sends
        .slice(before)
        .filter(({ chat }) => chat === user.id)
        .map(({ text }) => text)
    },
    pass: (ms) => clock.advance(ms),
    async restart(meanwhile) {
      await stopped()
      await meanwhile?.()
      running = await start()
      await clock.advance(0)
    },
    trouble: () =>
      events.flatMap((event) => (event.is === 'trouble' ? [`${event.where}: ${event.why}`] : [])),
    async [Symbol.asyncDispose]() {
      telegram.calm()
      await stopped()
      await telegram.stop()
      await rm(folder, { recursive: true })
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}
