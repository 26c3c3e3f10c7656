import { kinds } from './alerts/index.ts'
import type { Bot, ChatAdapter, Inbound, Inspection } from './chat.ts'
import { within } from './clock.ts'
import type { Clock } from './clock.ts'
import { commandList } from './commands/index.ts'
import type { Speaker } from './dialog/access.ts'
import { createDialog } from './dialog/dialog.ts'
import { chatAt } from './engine/changes/chats.ts'
import { personOf } from './engine/changes/people.ts'
import { createEngine } from './engine/engine.ts'
import { createView } from './engine/view.ts'
import { dress } from './dress.ts'
import type { Events } from './event.ts'
import type { Message } from './message.ts'
import { createDispatcher } from './outbox/dispatcher.ts'
import { GUEST } from './person.ts'
import type { Person } from './person.ts'
import type { Change, Store } from './store.ts'
import type { OpenedVenue } from './venue.ts'
import { wirePolling } from './wire-polling.ts'

/** The bot, wired. Tests start this very thing. */
export interface App {
  start(): Promise<void>
  /** Stops reading, finishes what is in flight, then lets go of the chats. The store and the venue stay open. */
  stop(): Promise<void>
  /** Resolves when no request, turn or send is under way. */
  idle(): Promise<void>
  /** Watched owners, and whether everything that is known has been told. */
  unfinished(): Promise<{ owners: readonly string[]; quiet: boolean }>
  /** Makes a read of every owner due. */
  readOwners(): void
  /** Whether somebody is the operator. */
  claimed(): boolean
}

export interface Settings {
  marketPollMs: number
  ownerPollMinMs: number
  ownerPollMaxMs: number
  requestsPerSecond: number
  access: 'claim' | 'open'
  maxWallets: number
  maxRules: number
  maxCommandsPerMinute: number
  version: string
}

const INSPECT_LIMIT_MS = 10_000

export async function createApp(world: {
  venue: OpenedVenue
  store: Store
  adapters: readonly ChatAdapter[]
  clock: Clock
  events: Events
  random: () => number
  settings: Settings
  /** An unguessable one-time code. */
  newCode(): string
  /** What the first person says to become the operator; null when nobody can. */
  claimCode: string | null
  /** Somebody at a local adapter wants the bot to end. */
  quit(): void
}): Promise<App> {
  const { store, clock, events, random, settings } = world
  const { emit } = events
  const { marketPollMs, ownerPollMinMs, ownerPollMaxMs, version } = settings
  const { access, maxWallets, maxRules, maxCommandsPerMinute } = settings
  const { venue, identity, introduction, simulated } = world.venue
  const adapters = new Map(world.adapters.map((adapter) => [adapter.name, adapter]))
  const stopping = new AbortController()
  let quitting = false

  const engine = await createEngine({
    store,
    clock,
    emit,
    kinds,
    pace: { marketPollMs, ownerPollMinMs, ownerPollMaxMs },
    committed: () => dispatcher.nudge(),
  })
  const { memory } = engine
  const view = createView(memory, clock, { venue: identity, version })
  const dispatcher = createDispatcher({
    store,
    clock,
    emit,
    random,
    adapters,
    chats: memory.chats,
    change: (change) => engine.change(change, null),
    dress: (message, { address, personId }) =>
      dressFor(message, memory.persons.get(personId), address.platform),
  })
  const polling = wirePolling({ venue, engine, view, clock, emit, signal: stopping.signal, settings })
  const { read } = polling
  const dialog = createDialog({
    commands: commandList(kinds),
    kinds,
    introduction,
    view,
    read,
    recall: store,
    clock,
    emit,
    limits: { wallets: maxWallets, rules: maxRules, commandsPerMinute: maxCommandsPerMinute },
    meet,
    recognise,
    change: (change, input) => engine.change(change, input),
    inspect: (from, chat) => inspect(from, chat),
    newCode: () => world.newCode(),
    isClaim: (code) => world.claimCode !== null && code === world.claimCode && !view.claimed(),
    quit: () => {
      quitting = true
    },
  })

  function recognise(from: Inbound): Speaker {
    const person = personOf(memory, from.by) ?? null
    const own = memory.chats.get(person?.defaultChat ?? -1) ?? null
    const here = chatAt(memory, from.chat)
    const local = adapters.get(from.by.platform)?.local ?? false
    return { person, own, bound: here && !here.private ? here : null, local }
  }

  /** Somebody at a local adapter, and with ACCESS=open anybody who writes privately, is known from now on. */
  async function meet(from: Inbound): Promise<Speaker> {
    const speaker = recognise(from)
    const welcome = speaker.local || (access === 'open' && from.private)
    const atHome = chatAt(memory, from.home)
    if (welcome && (!speaker.person || !atHome)) {
      const as = speaker.local ? 'local' : 'person'
      await engine.change({ is: 'meet', by: from.by, home: from.home, as }, null)
    }
    // Whoever writes from a chat shows that it works again.
    const here = chatAt(memory, from.chat)
    if (here && here.brokenBecause !== null) await changeChat({ is: 'chat-back', chatId: here.id })
    return recognise(from)
  }

  async function inspect(from: Inbound, named: string | null): Promise<Inspection | null> {
    const adapter = adapters.get(from.by.platform)
    const address =
      named === null ? from.chat : { platform: from.by.platform, chat: named.trim(), thread: null }
    return within(clock, INSPECT_LIMIT_MS, stopping.signal, async (signal) =>
      adapter ? adapter.inspect(from.by, address, signal) : null,
    )
  }

  async function changeChat(change: Change): Promise<void> {
    await engine.change(change, null)
    dispatcher.nudge()
  }

  function dressFor(message: Message, person: Person | undefined, platform: string): Message {
    // Whoever starts the bot in a terminal has been told; on a platform every message says it.
    const mark = simulated && !(adapters.get(platform)?.local ?? false)
    return dress(message, { numbers: person?.numbers ?? GUEST.numbers, simulated: mark })
  }

  async function answered(from: Inbound, answer: Promise<Message>): Promise<Message> {
    const message = await answer
    return dressFor(message, recognise(from).person ?? undefined, from.by.platform)
  }

  function keep(change: Change): void {
    changeChat(change).catch((error: unknown) =>
      emit({ is: 'trouble', where: 'chat', why: 'what a platform told could not be kept', error }),
    )
  }

  const bot: Bot = {
    ...dialog,
    greet: (from) => answered(from, dialog.greet(from)),
    line: (from, text) => answered(from, dialog.line(from, text)),
    call: (from, command, args) => answered(from, dialog.call(from, command, args)),
    async turn(chat, send) {
      await dispatcher.answer(chat, send)
      if (quitting) world.quit()
    },
    chatChanged(address, to) {
      const { platform, chat: name, thread } = address
      const meant = [...memory.chats.values()].filter(
        ({ address: one }) =>
          one.platform === platform && one.chat === name && (thread === null || one.thread === thread),
      )
      const why = 'the platform says that we cannot write there'
      for (const chat of meant) {
        const chatId = chat.id
        if (to === 'gone') keep({ is: 'chat-broken', chatId, why })
        else if (to !== 'back') {
          const moved = thread === null ? { ...to.moved, thread: chat.address.thread } : to.moved
          keep({ is: 'chat-moved', chatId, to: moved })
        } else if (chat.brokenBecause !== null) keep({ is: 'chat-back', chatId })
      }
    },
    tellOperator: (words) => keep({ is: 'notice', words }),
  }
  // A turn may have made a second look at an owner due, or a watch may be new.
  const stopListening = events.listen((event) => {
    if (event.is === 'turn') polling.nudge()
  })

  return {
    async start() {
      engine.start()
      await dispatcher.start()
      polling.start()
      for (const adapter of adapters.values()) await adapter.start(bot)
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      await polling.stop()
      await engine.idle()
      await dispatcher.stop()
      for (const adapter of adapters.values()) await adapter.stop()
      await engine.stop()
      stopListening()
    },
    async idle() {
      for (let round = 0; round < 2; round++) {
        await polling.idle()
        await engine.idle()
        await dispatcher.idle()
      }
    },
    claimed: () => view.claimed(),
    readOwners: () => polling.readOwners(),
    async unfinished() {
      await engine.idle()
      const demand = engine.demand()
      const { waiting } = await store.backlog()
      return {
        owners: demand.map(({ owner }) => owner),
        quiet: waiting === 0 && !demand.some(({ confirm }) => confirm),
      }
    },
  }
}
