import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createApp } from '../../src/app.ts'
import type { Bot, ChatAdapter, Delivery, Send } from '../../src/chat.ts'
import { createEvents } from '../../src/event.ts'
import type { Event } from '../../src/event.ts'
import { plainLines } from '../../src/message.ts'
import type { OpenedVenue } from '../../src/venue.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import { handClock } from './clock.ts'
import type { HandClock } from './clock.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

export const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'
export const BOB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

/** The real bot on a stage: real store, real client, a recording chat, a clock that the test turns. */
export interface BotUnderTest extends AsyncDisposable {
  stage: Stage
  clock: HandClock
  events: Event[]
  /** Says a line and returns the answer as plain text. */
  says(line: string): Promise<string>
  /** What was sent since the last call, one text a message. */
  hears(): string[]
  /** Turns the clock until everything that is due has happened. */
  pass(ms: number): Promise<void>
  /** How the next deliveries end; then they are sent again. */
  delivers(...outcomes: ((send: Send) => Delivery)[]): void
  /** Stops and starts again on the same database, after `awayMs`. */
  restart(awayMs?: number): Promise<void>
  transitions(): string[]
}

export const PACE = { marketPollMs: 2_000, ownerPollMinMs: 2_000, ownerPollMaxMs: 60_000 }

export async function startBot(pace = PACE): Promise<BotUnderTest> {
  const stage = await openStage()
  const folder = await mkdtemp(join(tmpdir(), 'perch-bot-'))
  const clock = handClock()
  const events: Event[] = []
  const heard: string[] = []
  const scripted: ((send: Send) => Delivery)[] = []
  let running = await start()
  let inputs = 0

  async function start() {
    const stream = createEvents()
    stream.listen((event) => events.push(event))
    const { emit } = stream
    const client = createClient({
      url: stage.url,
      chainId: 8008,
      apiKey: null,
      clock,
      emit,
      random: () => 0.5,
    })
    const venue: OpenedVenue = {
      ...client,
      simulated: false,
      identity: 'stage',
      introduction: [],
      endsBot: false,
    }
    const store = openSqlite(join(folder, 'perch.sqlite'), venue.identity)
    let bot: Bot | null = null
    const adapter: ChatAdapter = {
      name: 'recorder',
      local: true,
      limits: {
        platform: { burst: 1_000, perSecond: 1_000 },
        chat: { burst: 1_000, perSecond: 1_000 },
        group: null,
      },
      start: async (given) => void (bot = given),
      async deliver(send) {
        const outcome = scripted.shift()
        if (outcome) return outcome(send)
        const repeat = send.possibleRepeat ? '(possible repeat) ' : ''
        heard.push(repeat + plainLines(send.message, { now: clock.now(), zone: 'UTC' }).join('\n'))
        return { is: 'sent', ref: { address: send.to, id: String(heard.length) } }
      },
      edit: async (ref) => ({ is: 'sent', ref }),
      inspect: async () => null,
      async stop() {},
    }
    const settings = {
      ...pace,
      requestsPerSecond: 100,
      access: 'claim' as const,
      maxWallets: 20,
      maxRules: 100,
      maxCommandsPerMinute: 1_000,
      version: 'test',
    }
    const app = await createApp({
      venue,
      store,
      adapters: [adapter],
      clock,
      events: stream,
      random: () => 0.5,
      settings,
      newCode: () => 'CODE-CODE-CODE',
      claimCode: null,
      quit() {},
    })
    await app.start()
    return {
      app,
      say: (line: string) =>
        bot?.line(
          {
            id: String(++inputs),
            by: { platform: 'recorder', user: 'me' },
            chat: { platform: 'recorder', chat: 'here', thread: null },
            home: { platform: 'recorder', chat: 'here', thread: null },
            private: true,
            mayConfigure: true,
            whisper: true,
          },
          line,
        ),
      async stop() {
        await app.stop()
        await client.close()
        await store.close()
      },
    }
  }

  const rests = () => Promise.race([running.app.idle(), stage.hangs()])
  clock.restsWhen(rests)
  return {
    stage,
    clock,
    events,
    async says(line) {
      const answer = running.say(line)
      await rests()
      const message = await answer
      if (!message) throw new Error('the bot has not started')
      await clock.advance(0)
      return plainLines(message, { now: clock.now(), zone: 'UTC' }).join('\n')
    },
    hears: () => heard.splice(0),
    pass: (ms) => clock.advance(ms),
    delivers: (...outcomes) => void scripted.push(...outcomes),
    async restart(awayMs = 0) {
      await running.stop()
      await clock.advance(awayMs)
      running = await start()
      await clock.advance(0)
    },
    transitions: () =>
      events.filter((event) => event.is === 'transition').map(({ from, to }) => `${from} > ${to}`),
    async [Symbol.asyncDispose]() {
      await running.stop()
      await stage[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}
