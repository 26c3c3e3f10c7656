import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { Limits, Notifier, Send } from '../../src/chat/notifier.ts'
import type { Chat, Chats } from '../../src/people/chat.ts'
import { sameAddress } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { createDispatcher, type Dispatcher } from '../../src/outbox/dispatcher.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Change } from '../../src/store/change.ts'
import type { NewRow, OutboxRow, OutboxStore, Store, Write } from '../../src/store/store.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './new-database.ts'
import { chatsOfAlice, sends as sendsOf, temporaryFolder } from './store.ts'
import { openStore } from './open-store.ts'

/** A send that reached the platform, and when. */
export interface TryAnswer extends Send {
  row: number
  chat: string
  mono: number
  /** The wall clock's. */
  at: number
}

/** A message that is to be changed. */
export type Edit = NonNullable<OutboxRow['edits']>

export type Answer = (attempt: TryAnswer, signal: AbortSignal) => Delivery | Promise<Delivery>

export interface OutboxUnderTest {
  clock: HandClock
  /** Of all lives. */
  attempts: TryAnswer[]
  events: Event[]
  changes: Change[]
  chats: Map<number, Chat>
  store(): Store
  dispatcher(): Dispatcher
  put(...rows: NewRow[]): Promise<void>
  commit(...writes: Write[]): Promise<void>
  /** Commits as the engine does: what may go at once goes along. */
  tell(...writes: Write[]): Promise<void>
  /** What was handed over, as numbers of rows. */
  rows(): number[]
  /** The process dies where it stands: nothing it does from now on has any effect. The next one opens the file. */
  die(): void
  revive(): Promise<void>
}

/** The chats of a map, as the dispatcher wants them found. */
export function chatsIn(chats: ReadonlyMap<number, Chat>): Chats {
  const all = () => [...chats.values()]
  return {
    get: (id) => chats.get(id),
    at: (address) => all().find((chat) => sameAddress(chat.address, address)),
    broken: () => all().flatMap(({ id, brokenBecause }) => (brokenBecause === null ? [] : [id])),
  }
}

const NEVER = new Promise<never>(() => {})
const FAST = { burst: 1_000, perSecond: 1_000 }
export const UNLIMITED: Limits = { platform: FAST, chat: FAST, group: null }

export const sent: Answer = ({ to, row }) => ({ is: 'sent', ref: { address: to, id: `perch-${row}` } })

/** The dispatcher with a real store, a platform that does as it is told and a clock that is turned by hand. */
export async function startOutbox(options: {
  chats?: number
  writes?: Write[]
  platforms?: Record<string, Limits>
  /** How the platform answers; `sent` when not said. */
  answer?: Answer
  /** How a picture is drawn; not at all when not said. */
  draw?: Parameters<typeof createDispatcher>[0]['draw']
  /** How it answers when a message is to be changed. */
  edit?: (edit: Edit, signal: AbortSignal) => Delivery | Promise<Delivery>
  /** Breaks or watches the outbox of the store; called anew for each life. */
  around?: (outbox: OutboxStore) => Partial<OutboxStore>
  /** A commit of `tell` has just been written. */
  told?: () => void
  /** Stands in for the engine; null where it does as ever. */
  change?: (change: Change) => Promise<unknown> | null
  random?: () => number
  /** False while another process may send. */
  mayAct?: () => boolean
}): Promise<OutboxUnderTest> {
  const { platforms = { telegram: UNLIMITED }, answer = sent } = options
  const edit = options.edit ?? (() => Promise.reject(new Error('nothing is edited here')))
  const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const clock = handClock()
  const attempts: TryAnswer[] = []
  const events: Event[] = []
  const changes: Change[] = []
  const chats = new Map<number, Chat>()
  let life = 0
  let store = await openStore(file, 'sim', clock)
  let dispatcher: Dispatcher

  const commit = async (...writes: Write[]) => {
    await store.memory.commit(writes)
    for (const write of writes) if (write.is === 'chat') chats.set(write.chat.id, write.chat)
  }

  /** What a dead process awaits never comes. */
  function mortal(mine: number): <T>(work: () => Promise<T>) => Promise<T> {
    return async (work) => {
      if (mine !== life) return NEVER
      const result = await work()
      return mine === life ? result : NEVER
    }
  }

  function adapterNamed(name: string, limits: Limits, mine: number): Notifier {
    const alive = mortal(mine)
    return {
      name,
      destination: null,
      receipts: null,
      limits,
      deliver: (send, signal) =>
        alive(async () => {
          const row = Number(/^perch-(\d+)/.exec(send.key)?.[1])
          const attempt = { ...send, row, chat: send.to.chat, mono: clock.monotonic(), at: clock.now() }
          attempts.push(attempt)
          return answer(attempt, signal)
        }),
      edit: (ref, message, signal) => alive(async () => edit({ ref, message }, signal)),
      stop: async () => {},
    }
  }

  function changeTo(change: Change): Promise<unknown> {
    changes.push(change)
    const done = options.change?.(change) ?? null
    if (done) return done
    const chat = 'chatId' in change ? chats.get(change.chatId) : undefined
    if (chat && change.is === 'chat-broken')
      return commit({ is: 'chat', chat: { ...chat, brokenBecause: change.why } })
    if (chat && change.is === 'chat-back')
      return commit({ is: 'chat', chat: { ...chat, brokenBecause: null } })
    if (chat && change.is === 'chat-moved')
      return commit({ is: 'chat', chat: { ...chat, address: change.to } })
    return Promise.resolve()
  }

  async function live(): Promise<void> {
    const mine = life
    const alive = mortal(mine)
    const real = store.outbox
    const whole = { ...real, ...options.around?.(real) }
    const mortalStore: OutboxStore = {
      ...whole,
      round: (turn) => alive(() => whole.round(turn)),
      upcoming: (trying) => alive(() => whole.upcoming(trying)),
      sentSince: (since) => alive(() => whole.sentSince(since)),
      interrupted: (at) => alive(() => whole.interrupted(at)),
      undelivered: (before, most) => alive(() => whole.undelivered(before, most)),
    }
    const mortalClock: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      asleepMs: () => clock.asleepMs(),
      wakeAt: (at, wake) => clock.wakeAt(at, () => mine === life && wake()),
    }
    dispatcher = createDispatcher({
      store: mortalStore,
      clock: mortalClock,
      emit: (event) => events.push(event),
      random: options.random ?? (() => 0.5),
      adapters: new Map(
        Object.entries(platforms).map(([name, limits]) => [name, adapterNamed(name, limits, mine)]),
      ),
      chats: chatsIn(chats),
      change: (change) => alive(() => changeTo(change)),
      delivered() {},
      draw: options.draw ?? (async () => null),
      localize: (message) => message,
      ...(options.mayAct && { mayAct: options.mayAct }),
    })
    await dispatcher.start()
  }

  await commit(...chatsOfAlice(options.chats ?? 3), ...(options.writes ?? []))
  await live()
  onTestFinished(() => store.admin.close())
  return {
    clock,
    attempts,
    events,
    changes,
    chats,
    commit,
    store: () => store,
    dispatcher: () => dispatcher,
    async tell(...writes) {
      const mine = life
      const departure = dispatcher.departures.prepare(writes)
      try {
        const departed = await store.memory.commit(writes, departure?.sending)
        options.told?.()
        if (mine === life) departure?.kept(departed)
      } catch (error) {
        departure?.failed()
        throw error
      }
      await clock.advance(0)
    },
    async put(...rows) {
      await commit(...sendsOf(...rows))
      dispatcher.nudge()
      await clock.advance(0)
    },
    rows: () => attempts.map(({ row }) => row),
    die: () => void life++,
    async revive() {
      await store.admin.close()
      store = await openStore(file, 'sim', clock)
      await live()
      await clock.advance(0)
    },
  }
}
