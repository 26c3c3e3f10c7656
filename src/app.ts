import { kinds } from './alerts/index.ts'
import type { Bot, ChatAdapter, Inbound } from './chat.ts'
import { sameAddress } from './chat.ts'
import type { Clock } from './clock.ts'
import { commandList } from './commands/index.ts'
import { createDialog } from './dialog/dialog.ts'
import { createEngine } from './engine/engine.ts'
import { createView } from './engine/view.ts'
import type { Events } from './event.ts'
import { createDispatcher } from './outbox/dispatcher.ts'
import type { Chat, Person } from './person.ts'
import { createBudget } from './polling/budget.ts'
import { createMarketPoller } from './polling/markets.ts'
import { createOwnerPoller } from './polling/owners.ts'
import { createReads } from './polling/reads.ts'
import type { Store } from './store.ts'
import type { OpenedVenue } from './venue.ts'

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
}

export interface Settings {
  marketPollMs: number
  ownerPollMinMs: number
  ownerPollMaxMs: number
  requestsPerSecond: number
  version: string
}

export async function createApp(world: {
  venue: OpenedVenue
  store: Store
  adapters: readonly ChatAdapter[]
  clock: Clock
  events: Events
  random: () => number
  settings: Settings
  /** Somebody at a local adapter wants the bot to end. */
  quit(): void
}): Promise<App> {
  const { store, clock, events, random, settings } = world
  const { emit } = events
  const { marketPollMs, ownerPollMinMs, ownerPollMaxMs, version } = settings
  const { venue, identity, introduction } = world.venue
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
  })
  const ceiling = Math.min(settings.requestsPerSecond, venue.limits.requestsPerSecond ?? Infinity)
  const budget = createBudget({ clock, emit, requestsPerSecond: ceiling })
  const marketPoller = createMarketPoller({
    venue,
    budget,
    clock,
    emit,
    everyMs: marketPollMs,
    read: (reading) => engine.markets(reading),
    failed: (why) => engine.failed('markets', why),
  })
  const ownerPoller = createOwnerPoller({
    venue,
    budget,
    clock,
    emit,
    ages: { minMs: ownerPollMinMs, maxMs: ownerPollMaxMs },
    demand: () => engine.demand(),
    read: (reading) => engine.owner(reading),
    failed: (owner, why) => engine.failed(`owner/${owner}`, why),
  })
  const read = createReads({
    venue,
    budget,
    clock,
    view,
    freshMs: 2 * marketPollMs,
    signal: stopping.signal,
    tookMarkets: (reading) => engine.markets(reading),
    tookOwner: (owner, reading) => engine.owner({ ...reading, owner, orders: null }),
  })
  const dialog = createDialog({
    commands: commandList(kinds),
    kinds,
    introduction,
    view,
    read,
    recall: store,
    clock,
    emit,
    known,
    personId: (from) => personOf(from)?.id ?? 0,
    change: (change, input) => engine.change(change, input),
    local: isLocal,
    quit: () => {
      quitting = true
    },
  })

  function personOf({ by }: Inbound): Person | undefined {
    return [...memory.persons.values()].find(({ identities }) =>
      identities.some(({ platform, user }) => platform === by.platform && user === by.user),
    )
  }

  function chatOf({ chat }: Pick<Inbound, 'chat'>): Chat | undefined {
    return [...memory.chats.values()].find(({ address }) => sameAddress(address, chat))
  }

  function isLocal({ by }: Inbound): boolean {
    return adapters.get(by.platform)?.local ?? false
  }

  async function known(from: Inbound): Promise<{ person: Person; chat: Chat } | null> {
    if (isLocal(from) && (!personOf(from) || !chatOf(from))) {
      await engine.change({ is: 'meet', by: from.by, chat: from.chat }, null)
    }
    const person = personOf(from)
    const chat = chatOf(from)
    if (!person || !chat) return null
    // Whoever writes from a chat shows that it works again.
    if (chat.brokenBecause !== null) await changeChat({ is: 'chat-back', chatId: chat.id })
    return { person, chat }
  }

  async function changeChat(change: Parameters<typeof engine.change>[0]): Promise<void> {
    await engine.change(change, null)
    dispatcher.nudge()
  }

  const bot: Bot = {
    ...dialog,
    async turn(chat, send) {
      await dispatcher.answer(chat, send)
      if (quitting) world.quit()
    },
    chatChanged(address, to) {
      const chat = chatOf({ chat: address })
      if (!chat) return
      const chatId = chat.id
      const why = 'the platform says that we cannot write there'
      const change =
        to === 'gone'
          ? ({ is: 'chat-broken', chatId, why } as const)
          : to === 'back'
            ? ({ is: 'chat-back', chatId } as const)
            : ({ is: 'chat-moved', chatId, to: to.moved } as const)
      if (change.is === 'chat-back' && chat.brokenBecause === null) return
      changeChat(change).catch((error: unknown) =>
        emit({ is: 'trouble', where: 'chat', why: 'a change of a chat could not be kept', error }),
      )
    },
  }
  // A turn may have made a second look at an owner due, or a watch may be new.
  const stopListening = events.listen((event) => {
    if (event.is === 'turn') ownerPoller.nudge()
    if (event.is === 'chat-changed') dispatcher.nudge()
  })

  return {
    async start() {
      engine.start()
      await dispatcher.start()
      marketPoller.start()
      ownerPoller.start()
      for (const adapter of adapters.values()) await adapter.start(bot)
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      await Promise.all([marketPoller.stop(), ownerPoller.stop()])
      await engine.idle()
      await dispatcher.stop()
      for (const adapter of adapters.values()) await adapter.stop()
      await engine.stop()
      stopListening()
    },
    async idle() {
      for (let round = 0; round < 2; round++) {
        await Promise.all([marketPoller.idle(), ownerPoller.idle()])
        await engine.idle()
        await dispatcher.idle()
      }
    },
    readOwners: () => ownerPoller.readAll(),
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
