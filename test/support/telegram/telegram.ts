import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { PATIENCE_MS } from '../patience.ts'
import { createFaults, type Fault, type Faults } from './faults.ts'
import { addPerson, createGroup, type Group, type GroupOptions, type PersonOptions } from './groups.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createLimits, type Rates } from './limits.ts'
import { createUser, type User } from './people.ts'
import { type Asked, listen } from './server.ts'
import { createUpdates } from './updates.ts'
import type { Command, Person, World } from './world.ts'

export interface TelegramOptions {
  clock?: Clock
  /** None unless said; `USUAL` is what people say of the real ones. */
  limits?: Rates
  token?: string
  /** The bot's @name, without @. */
  botName?: string
  /** Privacy mode in groups, on unless said. */
  privacy?: boolean
  /** How long a tap may be answered, 150 s unless said. */
  tapLifeMs?: number
  /** The next update's id. */
  firstUpdate?: number
  port?: number
}

/** The Bot API over loopback, with people and chats in it, for one bot. */
export interface Telegram extends AsyncDisposable {
  /** For TELEGRAM_API_ROOT and TELEGRAM_BOT_TOKEN. */
  readonly root: string
  readonly token: string
  readonly botName: string
  readonly botId: number
  readonly clock: Clock
  user(name: string, options?: PersonOptions): User
  group(title: string, options?: GroupOptions): Group
  channel(title: string, options?: Omit<GroupOptions, 'forum' | 'supergroup'>): Group
  fault(...faults: Fault[]): void
  /** Ends all faults and breaks off what hangs. */
  calm(): void
  readonly faults: Faults
  readonly ledger: Ledger
  /** Every request with a readable body, in order of arrival, faults and wrong tokens included. */
  readonly asked: readonly Asked[]
  /** Of one method, or all. */
  calls(method?: string): number
  /** Requests answered with an error of the stand-in's own, not of a fault. */
  refused(): readonly Asked[]
  /** Updates that the bot has not confirmed, oldest first. */
  pending(): readonly (Record<string, unknown> & { update_id: number })[]
  /** Whether a poll waits now. */
  polled(): boolean
  /** The command menu of a scope, such as `all_group_chats`, or `chat -100… de`; null when it was never set. */
  menu(scope?: string): readonly Command[] | null
  /** Resolves when this is so, looking again after everything that happens; rejects after `limitMs` of real time. */
  until(ready: () => boolean, limitMs?: number): Promise<void>
  /** Resolves when every request is answered or held on purpose: for a hand clock's `restsWhen`. */
  idle(): Promise<void>
  stop(): Promise<void>
  /** For what nothing above can do. */
  readonly world: World
}

const TOKEN = '7700000001:AAStandIn_ForTelegram-loopback-0000'
/** Turns of the event loop without a request after which nobody is about to make one. */
const QUIET_TURNS = 8

export async function startTelegram(options: TelegramOptions = {}): Promise<Telegram> {
  const { clock = systemClock(), limits = {}, token = TOKEN, botName = 'PerchTestBot' } = options
  const watchers = new Set<() => void>()
  const touch = () => {
    for (const watcher of watchers) watcher()
  }
  const bot: Person = {
    id: Number(token.split(':')[0]),
    isBot: true,
    firstName: 'Perch',
    lastName: null,
    username: botName,
    language: null,
    known: true,
    deactivated: false,
  }
  const world: World = {
    clock,
    bot,
    privacy: options.privacy ?? true,
    tapLifeMs: options.tapLifeMs ?? 150_000,
    people: new Map([[bot.id, bot]]),
    chats: new Map(),
    taps: new Map(),
    menus: new Map(),
    texts: new Map(),
    files: new Map(),
    documents: new Map(),
    history: [],
    updates: createUpdates(clock, options.firstUpdate ?? 500_001, touch),
    limits: createLimits(clock, limits),
    next: { user: 1_001, group: 4_001, supergroup: 1_002_000_000_001, message: 1, tap: 1 },
    webhook: '',
    touch,
  }
  const faults = createFaults()
  const server = await listen(world, token, faults, options.port ?? 0)
  const ledger = createLedger(world, (watcher) => watchers.add(watcher))
  const stop = async () => {
    faults.clear()
    await server.close()
  }
  return {
    root: server.root,
    token,
    botName,
    botId: bot.id,
    clock,
    user: (name, more) => createUser(world, addPerson(world, name, more)),
    group: (title, more = {}) =>
      createGroup(world, more.forum || more.supergroup ? 'supergroup' : 'group', title, more),
    channel: (title, more = {}) => createGroup(world, 'channel', title, more),
    fault: (...more) => more.forEach((fault) => faults.add(fault)),
    calm() {
      faults.clear()
      server.release()
    },
    faults,
    ledger,
    asked: server.asked,
    calls: (method) => server.asked.filter((one) => method === undefined || one.method === method).length,
    refused: () => server.asked.filter(({ outcome }) => outcome === 'refused'),
    pending: () => world.updates.waiting(),
    polled: () => world.updates.polled(),
    menu: (scope = 'default') => world.menus.get(scope) ?? null,
    until: (ready, limitMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        const late = () => {
          watchers.delete(look)
          reject(new Error(`not so within ${limitMs} ms: ${ready.toString()}`))
        }
        const real = systemClock()
        const callOff = real.wakeAt(real.monotonic() + limitMs, late)
        const look = () => {
          if (!ready()) return
          watchers.delete(look)
          callOff()
          resolve()
        }
        watchers.add(look)
        look()
      }),
    async idle() {
      for (let quiet = 0, seen = -1; quiet < QUIET_TURNS; quiet++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (server.busy() > 0 || server.asked.length !== seen) quiet = 0
        seen = server.asked.length
      }
    },
    stop,
    world,
    [Symbol.asyncDispose]: stop,
  }
}
