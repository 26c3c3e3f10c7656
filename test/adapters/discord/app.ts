import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDiscord } from '../../../adapters/discord/discord.ts'
import type { Notifier } from '../../../src/chat/notifier.ts'
import type { Site } from '../../../src/command/context.ts'
import type { Draw } from '../../../src/message/picture.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { createEvents, type Event } from '../../../src/runtime/event.ts'
import { type App, createApp } from '../../../src/start/app.ts'
import { ALONE } from '../../../src/store/lead.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { createClient } from '../../../src/venues/perps-data/client.ts'
import { CLAIM_CODE } from '../../support/bot.ts'
import type { Discord } from '../../support/discord/server.ts'
import { newDatabase } from '../../support/new-database.ts'
import { createStage, type Stage } from '../../support/stage.ts'
import { openStore } from '../../support/open-store.ts'

export interface RunningApp extends AsyncDisposable {
  app: App
  stage: Stage
  events: Event[]
  clock: Clock
}

export interface Extras {
  others: readonly Notifier[]
  /** What is remembered at the start. */
  seed: readonly Write[]
  /** What discord.js thinks of the limit: it has a clock of its own. */
  globalPerSecond: number
  marketPollMs: number
  walletPollMinMs: number
  walletPollMaxMs: number
  access: 'claim' | 'open'
  /** Where the page and assistants are; null: nowhere. */
  site: Site | null
  /** Draws pictures; left out, there are none. */
  draw: Draw
  /** What a commit waits for first: a disk that is slow. */
  disk: () => Promise<void>
  /** False while another process may lead. */
  mayAct: () => boolean
}

/** The whole bot in this process: real store, real client on a stage, the real adapter on the stand-in. */
export async function startApp(
  discord: Discord,
  clock: Clock,
  {
    others = [],
    seed = [],
    globalPerSecond = 50,
    marketPollMs = 2_000,
    walletPollMinMs = 2_000,
    walletPollMaxMs = 60_000,
    access = 'claim',
    disk = async () => {},
    site = null,
    draw,
    mayAct = () => true,
  }: Partial<Extras> = {},
): Promise<RunningApp> {
  const stage = createStage()
  const folder = await mkdtemp(join(tmpdir(), 'perch-discord-'))
  const stream = createEvents()
  const events: Event[] = []
  stream.listen((event) => events.push(event))
  const { emit } = stream
  const random = () => 0.5
  const client = createClient({
    ...{ url: 'http://stage', chainId: 8008, apiKey: null, clock, emit, random },
    transport: stage.transport(clock),
  })
  const kept = await openStore(newDatabase(join(folder, 'perch.sqlite')), 'stage', clock)
  await kept.memory.commit(seed)
  const store: Store = {
    ...kept,
    memory: {
      ...kept.memory,
      async commit(writes, sending) {
        await disk()
        return kept.memory.commit(writes, sending)
      },
    },
  }
  const { token, apiUrl } = discord
  let codes = 0
  const app = await createApp({
    venue: { ...client, simulated: false, identity: 'stage', introduction: [], endsBot: false },
    store,
    clock,
    random,
    events: stream,
    adapters: [createDiscord({ token, apiUrl, clock, emit, random, globalPerSecond, mayAct }), ...others],
    settings: {
      marketPollMs,
      walletPollMinMs,
      walletPollMaxMs,
      requestsPerSecond: 100,
      access,
      maxWallets: 20,
      maxFollowed: 50,
      maxRules: 1_000,
      maxPeople: 10_000,
      maxCommandsPerMinute: 10_000,
      version: 'test',
    },
    newCode: () => `LINK-${String(++codes).padStart(4, '0')}-CODE`,
    newToken: () => `perch_${'T'.repeat(39)}${String(++codes).padStart(4, '0')}`,
    ...(draw && { draw }),
    page: site,
    assistants: site,
    claimCode: CLAIM_CODE,
    lead: { ...ALONE, holds: mayAct },
    quit: () => {},
  })
  await app.start()
  return {
    app,
    stage,
    events,
    clock,
    async [Symbol.asyncDispose]() {
      await app.stop()
      await client.close()
      await store.admin.close()
      await rm(folder, { recursive: true })
    },
  }
}

export async function online(discord: Discord): Promise<void> {
  const there = () => discord.gateway.connected() === 1 && discord.commands().length > 0
  await discord.ledger.until(there, 'the bot is online')
}
