import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Site } from '../../src/command/context.ts'
import type { LinkFor, ActionPress } from '../../src/chat/action-link.ts'
import type { Client } from '../../src/chat/client.ts'
import type { NextCell } from '../../src/people/cell.ts'
import type { Notifier, Send } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { createActionLinks } from '../../src/net/action-links.ts'
import { startHttp } from '../../src/net/http-server.ts'
import { createEvents, type Emit, type Event, type Events } from '../../src/runtime/event.ts'
import type { Route } from '../../src/runtime/route.ts'
import { type App, createApp } from '../../src/start/app.ts'
import type { Standing } from '../../src/runtime/standing.ts'
import { ALONE } from '../../src/store/lead.ts'
import type { Store } from '../../src/store/store.ts'
import type { Account } from '../../src/venue/account.ts'
import type { OpenedVenue, Venue } from '../../src/venue/venue.ts'
import { createClient as createHyperliquid } from '../../src/venues/hyperliquid/client.ts'
import { createClient as createLighter } from '../../src/venues/lighter/client.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import { breathe, type HandClock, handClock, NOON, READ_MS } from './clock.ts'
import type { Hyperliquid } from './hyperliquid/server.ts'
import type { Lighter } from './lighter/server.ts'
import { newDatabase } from './new-database.ts'
import { openStore } from './open-store.ts'
import { createRecorder, createRecordingNotifier, type Place, type Recorder } from './recorder.ts'
import { createStage, type Stage } from './stage.ts'

export const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'
export const BOB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
export const CLAIM_CODE = 'CLAIM-CLAIM-CLAIM'

/** Who says something, and where; what is left out is the first platform, `me`, and in private. */
export interface Who {
  platform?: string
  user?: string
  place?: Place
  /** When it was written, where it comes late: wall time. */
  writtenAt?: number
}

/** The real bot on a stage: real store, real client, recording chats, a clock that the test turns. */
export interface BotUnderTest extends AsyncDisposable {
  stage: Stage
  clock: HandClock
  events: Event[]
  /** By name; the first one is where `says` and `hears` are without further words. */
  platforms: Map<string, Recorder>
  /** Says a line and returns the answer as plain text. */
  says(line: string, who?: Who): Promise<string>
  /** What was sent since the last call, one text a message. */
  hears(chat?: string, platform?: string): string[]
  /** Turns the clock until everything that is due has happened. */
  pass(ms: number): Promise<void>
  /** How the next deliveries end; then they are sent again. */
  delivers(...outcomes: ((send: Send) => Delivery)[]): void
  /** Stops and starts again on the same database, after `awayMs`. */
  restart(awayMs?: number): Promise<void>
  /** As if the process were killed: so many commits from the next message on are kept, and none after; then it starts again. */
  killed: {
    beforeCommit(count: number): void
    /** What is under way goes on elsewhere, and nobody here hears how it ended. */
    now(): void
    start(awayMs?: number): Promise<void>
  }
  transitions(): string[]
  /** The file, for whoever wants to look into it. */
  database: string
}

export const PERIODS = { marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000 }
/** For stories that pass minutes and in which nothing hangs on how soon a price is read: each poll is a real request. */
export const UNHURRIED = { marketPollMs: 5_000, walletPollMinMs: 5_000 }
const SETTINGS = {
  ...PERIODS,
  requestsPerSecond: 100,
  access: 'claim' as 'claim' | 'open',
  maxWallets: 20,
  maxFollowed: 50,
  maxRules: 100,
  maxPeople: 10_000,
  nextCell: null as NextCell | null,
  maxCommandsPerMinute: 1_000,
  version: 'test',
}

/** With nothing said, one local platform at which `me` sits. */
export async function startBot(
  options: {
    settings?: Partial<typeof SETTINGS>
    platforms?: string[]
    /** Beside them, those where people name a place and are only told. */
    places?: string[]
    simulated?: boolean
    /** What the venue says to newcomers. */
    introduction?: string[]
    /** Real adapters beside them, with buttons that lead to our own port. */
    opens?: (world: Pick<App, 'isOperators' | 'personAt'> & { linkFor: LinkFor }) => Notifier[]
    clock?: HandClock
    /** Those that ask for people, of the bot's clock. */
    clients?: (world: { clock: HandClock; emit: Emit }) => Client[]
    /** Where the page and assistants are; left out: nowhere. */
    site?: Site
    /** Watched instead of the stage, on the same clock. */
    sim?: { url: string; clock: HandClock }
    /** Watched instead of the stage, on the clock of this bot, which ends it. */
    hyperliquid?: Hyperliquid
    /** The same, with its push: the clock waits for its frames. */
    lighter?: Lighter
    /** The venue shows accounts: those of each wallet, as of its next reading. */
    accounts?: Map<string, Account[]>
    /** Requests have to wait for their turn, and only the clock ends that: the bot is never idle. */
    crowded?: boolean
    /** Nobody in the bot can listen to events; the test still does. */
    unheard?: boolean
    /** A PostgreSQL server: its store is on a journal there. */
    journalAt?: string
    /** How it stands to the others of its cell. */
    standing?: () => Standing
    /** Begins to watch the bot, before each of its starts; returns how to stop that. */
    observe?: (world: { events: Events; clock: HandClock; store: Store; app: App }) => () => void
  } = {},
): Promise<BotUnderTest> {
  const { platforms: names = [], simulated = false } = options
  const stage = createStage()
  const folder = await mkdtemp(join(tmpdir(), 'perch-bot-'))
  const database = newDatabase(join(folder, 'perch.sqlite'))
  const clock = options.sim?.clock ?? options.clock ?? handClock(NOON, READ_MS)
  const events: Event[] = []
  const platforms = new Map<string, Recorder>(
    names.length === 0
      ? [['recorder', createRecorder('recorder', clock, true)]]
      : names.map((name) => [name, createRecorder(name, clock)]),
  )
  for (const name of options.places ?? []) platforms.set(name, createRecordingNotifier(name, clock))
  const [first = 'recorder'] = platforms.keys()
  let codes = 0
  // How many more commits reach the disk before the process is dead, counted from the first that carries a message.
  let lives = Infinity
  let counting = false
  const routes: Route[] = []
  const http = options.opens
    ? await startHttp({ host: '127.0.0.1', port: 0, portIsDefault: false, routes, emit() {} })
    : null
  let running = await start()

  async function start() {
    const stream = createEvents()
    stream.listen((event) => events.push(event))
    const { emit } = stream
    const random = () => 0.5
    const { hyperliquid, lighter, accounts } = options
    const client = lighter
      ? createLighter({ url: lighter.url, token: null, clock, emit, random })
      : hyperliquid
        ? createHyperliquid({ url: hyperliquid.url, clock, emit, random })
        : createClient({
            url: options.sim?.url ?? 'http://stage',
            ...(options.sim ? {} : { transport: stage.transport(clock) }),
            chainId: 8008,
            apiKey: null,
            clock,
            emit,
            random,
          })
    const shown: Venue = accounts
      ? {
          ...client.venue,
          showsAccounts: true,
          async positions(wallet, asking) {
            const answer = await client.venue.positions(wallet, asking)
            return { ...answer, accounts: accounts.get(wallet) ?? [] }
          },
        }
      : // Frames come in their own time, which this clock does not wait for.
        { ...client.venue, push: lighter ? client.venue.push : null }
    const venue: OpenedVenue = {
      ...client,
      venue: shown,
      simulated,
      identity: 'stage',
      introduction: options.introduction ?? [],
      endsBot: false,
    }
    const kept = await openStore(database, venue.identity, clock, options.journalAt)
    const store: Store = {
      ...kept,
      memory: {
        ...kept.memory,
        async commit(writes, sending) {
          counting ||= writes.some(({ is }) => is === 'send')
          if (counting && lives-- <= 0) throw new Error('the process is dead')
          return kept.memory.commit(writes, sending)
        },
      },
      outbox: {
        ...kept.outbox,
        async round(turn) {
          if (counting && lives <= 0) throw new Error('the process is dead')
          return kept.outbox.round(turn)
        },
      },
    }
    const opened = http && (await openReal(http.url, store, emit))
    const app = await createApp({
      ...{ venue, store, clock, random },
      adapters: [...[...platforms.values()].map(({ adapter }) => adapter), ...(opened?.adapters ?? [])],
      events: options.unheard ? { ...stream, listen: () => () => {} } : stream,
      settings: { ...SETTINGS, ...options.settings },
      newCode: () => `CODE-${String(++codes).padStart(4, '0')}-CODE`,
      newToken: () => `perch_${'T'.repeat(39)}${String(++codes).padStart(4, '0')}`,
      clients: options.clients?.({ clock, emit }) ?? [],
      ...(options.site ? { page: options.site, assistants: options.site } : {}),
      claimCode: names.length === 0 ? null : CLAIM_CODE,
      ...(options.standing && { lead: { ...ALONE, standing: options.standing } }),
      quit() {},
    })
    opened?.leadsTo(app)
    const stopObserving = options.observe?.({ events: stream, clock, store, app })
    await app.start()
    return {
      app,
      async stop() {
        try {
          await app.stop()
        } finally {
          stopObserving?.()
          await client.close()
          await store.admin.close()
        }
      },
    }
  }

  async function openReal(url: string, store: Store, emit: Emit) {
    let app: App | null = null
    const press = async (pressed: ActionPress) => {
      if (app === null) throw new Error('the bot is starting')
      return app.press(pressed)
    }
    const actionLinks = createActionLinks({
      ...{ url, isPublic: true, key: await store.admin.secret(), clock, emit, press },
      languageAt: (there) => app?.languageAt(there) ?? 'en',
    })
    routes.splice(0, routes.length, actionLinks.route)
    const isOperators: App['isOperators'] = (there) => app?.isOperators(there) ?? false
    const personAt: App['personAt'] = (there) => app?.personAt(there) ?? null
    const adapters = options.opens?.({ ...actionLinks, isOperators, personAt }) ?? []
    return { adapters, leadsTo: (started: App) => void (app = started) }
  }

  const at = (platform = first): Recorder => {
    const recorder = platforms.get(platform)
    if (!recorder) throw new Error(`no platform ${platform}`)
    return recorder
  }
  const standIn = options.hyperliquid ?? options.lighter
  const rests = async () => {
    // Its requests are heavy and have to wait for their turn.
    if (standIn) await standIn.idle()
    else await (options.crowded ? breathe(4) : Promise.race([running.app.idle(), stage.hangs()]))
  }
  clock.restsWhen(rests, standIn || options.sim || options.opens ? 'part' : 'whole')
  return {
    stage,
    clock,
    events,
    platforms,
    database,
    async says(line, { platform, user = 'me', place, writtenAt } = {}) {
      const answer = at(platform).says(user, line, place, writtenAt)
      await rests()
      const text = await answer
      await clock.advance(0)
      return text
    },
    hears: (chat = 'me', platform = first) => at(platform).hears(chat),
    pass: (ms) => clock.advance(ms),
    delivers: (...outcomes) => at().delivers('me', ...outcomes),
    async restart(awayMs = 0) {
      await running.stop()
      await clock.advance(awayMs)
      running = await start()
      await clock.advance(0)
    },
    killed: {
      beforeCommit(count) {
        lives = count
        counting = false
      },
      now() {
        lives = 0
        counting = true
      },
      async start(awayMs = 0) {
        lives = 0
        counting = true
        await running.stop().catch(() => {})
        lives = Infinity
        await clock.advance(awayMs)
        running = await start()
        await clock.advance(0)
      },
    },
    transitions: () =>
      events.filter((event) => event.is === 'transition').map(({ from, to }) => `${from} > ${to}`),
    async [Symbol.asyncDispose]() {
      await running.stop()
      await http?.stop()
      await standIn?.stop()
      await rm(folder, { recursive: true })
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}
