import type { Stats } from '../alert/stats.ts'
import { kinds } from '../alerts/index.ts'
import type { ActionPress, ActionResult } from '../chat/action-link.ts'
import type { Bot } from '../chat/bot.ts'
import type { Client } from '../chat/client.ts'
import { isConversation } from '../chat/conversation.ts'
import { clashes } from '../chat/declaration.ts'
import type { CriticalAlerts, Notifier } from '../chat/notifier.ts'
import type { Site } from '../command/context.ts'
import { commandList } from '../commands/index.ts'
import { dayPicture, wantsDay } from '../commands/nights/day-picture.ts'
import { alertPicture } from '../commands/shared/position-picture.ts'
import { glanceOf } from '../commands/start/glance.ts'
import { pinWords } from '../commands/start/pinned-status.ts'
import { createDestinationCheck, createDirectory, createInspection } from '../dialog/access.ts'
import { createActionPress } from '../dialog/action-press.ts'
import { createDialog } from '../dialog/dialog.ts'
import { createFollowers } from '../dialog/followers.ts'
import { createSessions } from '../dialog/sessions.ts'
import { createDeliveryReports } from '../dialog/test-message.ts'
import { createBacktester } from '../engine/backtest/backtest.ts'
import { createCourses } from '../engine/backtest/courses.ts'
import { createDays } from '../engine/backtest/day.ts'
import { createEngine } from '../engine/engine.ts'
import type { Input } from '../engine/queue.ts'
import { fallbackOf, isFull } from '../engine/memory/people.ts'
import { onBehalfOf } from '../engine/monitors/recipients.ts'
import { atRisk } from '../engine/notify/at-risk.ts'
import { digestsToCome } from '../engine/notify/digests/ahead.ts'
import { digestWallets } from '../engine/notify/digests/digest.ts'
import { statsOf } from '../engine/stats.ts'
import { affectedBy, chatsOf, createView, toldDirectly } from '../engine/view.ts'
import type { Address } from '../message/address.ts'
import type { Draw } from '../message/picture.ts'
import { createPlatformOutages } from '../ops/liveness/platform-outages.ts'
import { createDispatcher } from '../outbox/dispatcher.ts'
import { createLocalizer } from '../outbox/localize.ts'
import { say, words } from '../message/message.ts'
import { createPictures } from '../outbox/pictures.ts'
import { createPins } from '../outbox/pinned-status.ts'
import { createStorageAlarm } from '../outbox/storage-alarm.ts'
import { GUEST } from '../people/person.ts'
import { createCloseQuotes } from '../polling/close-quotes.ts'
import { createDigestMoney } from '../polling/records/digest-money.ts'
import { createPolling } from '../polling/polling.ts'
import { type Clock, endsWithin } from '../runtime/clock.ts'
import type { Events } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import { ALONE, type Leadership } from '../store/lead.ts'
import type { Store } from '../store/store.ts'
import { marketStaleMs } from '../venue/source.ts'
import { venueOf } from '../venue/venue-name.ts'
import type { OpenedVenue } from '../venue/venue.ts'
import type { Language } from '../words/words.ts'
import { limitsOf, type Settings } from './config.ts'
import { oldestLooks, venuesWhere } from './venues.ts'
import { operatorNotice } from './operator-notice.ts'

/** How long a stop waits for readings that are judged: what is not judged then, the next start reads again. */
const LAST_READINGS_MS = 2_000

/** The bot, wired. Tests start this very thing. */
export interface App {
  start(): Promise<void>
  /** Stops reading, finishes the work under way, then disconnects the chats. The store and the venue stay open. */
  stop(): Promise<void>
  /** Resolves when no request, turn or send is under way. */
  idle(): Promise<void>
  /** The watched wallets, and whether all known alerts were sent. */
  unfinished(): Promise<{ wallets: readonly string[]; quiet: boolean }>
  /** Makes every wallet due. */
  readWallets(): void
  /** True if there is an operator. */
  claimed(): boolean
  stats(): Stats
  /** Whether the operator is told there. */
  isOperators(there: Address): boolean
  /** The number of the person who is told there. */
  personAt(there: Address): number | null
  /** The language in which they read. */
  languageAt(there: Address): Language
  /** Runs a button pressed outside a conversation. Resolves with null if nobody gets messages there any more. */
  press(press: ActionPress): Promise<ActionResult | null>
}

export async function createApp(world: {
  venue: OpenedVenue
  store: Store
  adapters: readonly Notifier[]
  /** Those that ask for people and tell nobody anything. */
  clients?: readonly Client[]
  /** Where people open their page, and where assistants ask; null or left out where that is not open. */
  page?: Site | null
  assistants?: Site | null
  /** Names of notifiers that could be configured. */
  unopened?: readonly string[]
  clock: Clock
  events: Events
  random: () => number
  settings: Settings & { version: string }
  /** An unguessable one-time code. */
  newCode(): string
  /** A new secret of an assistant: 256 bits. */
  newToken(): string
  /** The code that makes a person the first operator; null if that is not possible. */
  claimCode: string | null
  /** Draws pictures; left out, there are none. */
  draw?: Draw
  /** Left out where one process has the store to itself. */
  lead?: Leadership
  /** A person at a local adapter has asked the bot to end. */
  quit(): void
}): Promise<App> {
  const { store, clock, events, random, settings, clients = [], lead = ALONE } = world
  const { emit } = events
  const { marketPollMs, version, access, maxPeople, nextCell = null } = settings
  const { venue, identity, introduction, simulated } = world.venue
  const venues = venue.parts?.map(({ name }) => name) ?? []
  const adapters = new Map(world.adapters.map((adapter) => [adapter.name, adapter]))
  const conversations = new Map(world.adapters.filter(isConversation).map((one) => [one.name, one]))
  const offered = kinds.filter(({ on }) => on !== 'account' || venue.showsAccounts)
  const commands = commandList(
    offered,
    world.adapters.flatMap(({ name, destination }) =>
      destination === null ? [] : [{ name, ...destination }],
    ),
    kinds.filter((kind) => !offered.includes(kind)),
    world.unopened,
  )
  const mistakes = clashes(commands)
  if (mistakes.length > 0) throw new Error(mistakes.join(' '))
  const stopping = new AbortController()
  let quitting = false
  let { claimCode } = world

  function inputTaken(input: Input): void {
    closeQuotes.inputTaken()
    polling.nudge()
    digestMoney.nudge()
    pins.nudge()
    followers.nudge(affectedBy(memory, input))
    // After the first operator has left, the printed code must not make anybody else the operator.
    if (view.claimed()) claimCode = null
  }

  const hidesOrders = venuesWhere(venue, ({ showsOrders }) => showsOrders === false)
  const engine = await createEngine({
    store,
    clock,
    emit,
    kinds,
    periods: settings,
    platforms: [...adapters.keys()],
    venues: venues.slice(1),
    ...(venues[0] !== undefined && { firstVenue: venues[0] }),
    showsCloseRecords: venuesWhere(venue, ({ closeRecords }) => closeRecords !== null),
    hidesOrders,
    departures: { prepare: (writes) => dispatcher.departures.prepare(writes) },
    committed: (input) => followers.nudge(input && affectedBy(memory, input)),
    inputTaken,
    transitioned(transition) {
      closeQuotes.transitioned(transition)
      pictures.transitioned(transition)
    },
    digestTold: (told) => pictures.digestTold(told),
    moneyOf: (chatId, which) => digestMoney.moneyOf(chatId, which),
    escalated: (to) => pictures.escalated(to),
    storeFailed(why) {
      storageAlarm.storeFailed(why)
      followers.nudge(null)
    },
    readNow: (wallet, endedSince, at) => polling.readNow(wallet, endedSince, at),
    readAll: () => polling.readWallets(),
  })
  const { memory } = engine
  const [firstName] = venues.length > 0 ? venues : identity.split(' ')
  const about = {
    ...{ venue: identity, venues, version, marketStaleMs: marketStaleMs(marketPollMs) },
    standing: lead.standing,
    hidesOrders: [...hidesOrders].map((name) => name ?? firstName ?? identity),
  }
  const view = createView(memory, kinds, clock, about, engine.failure)
  const isLocal = (platform: string) => conversations.get(platform)?.operatorSitsHere ?? false
  const localizer = createLocalizer({ view, simulated, isLocal })
  const change = (asked: Change) => engine.change(asked, null)
  const deliveries = createDeliveryReports()
  const dispatcher = createDispatcher({
    ...{ store: store.outbox, clock, emit, random, adapters, change, mayAct: lead.holds },
    chats: chatsOf(memory),
    delivered(report) {
      if (report.outcome === 'sent') engine.taken(report.chatId)
      deliveries.delivered(report)
    },
    draw: (picture, chat, isUrgent) => pictures.draw(picture, chat, isUrgent),
    localize: localizer.forChat,
  })
  const storageAlarm = createStorageAlarm({
    ...{ clock, emit, random, adapters, mayAlarm: lead.mayAlarm },
    isShared: () => lead.standing() !== null,
    localize: localizer.forChat,
    ...toldDirectly(memory),
  })
  const courses = createCourses({ drawers: memory, recording: store.recording, clock, marketPollMs })
  const days = createDays({
    ...{ drawers: memory, recording: store.recording, clock, marketPollMs },
    signal: stopping.signal,
  })
  const dayOf = (digestOf: number, span: { since: number; until: number }) =>
    days.read({ wallets: digestWallets(memory, digestOf), ...span })
  const followers = createFollowers({
    ...{ clock, emit, personOf: view.person },
    glanceOf: (person) => glanceOf(view, offered, person, { now: clock.now(), simulated }),
  })
  const pins = createPins({
    ...{ clock, emit, adapters, change, isAtRest: dispatcher.isAtRest, mayAct: lead.holds },
    chats: () => [...memory.people.pins].flatMap((id) => memory.people.chats.get(id) ?? []),
    words: (chat) => localizer.forChat(pinWords(view, chat, clock.now()), chat),
    lastWords(chatId) {
      const chat = view.chat(chatId)
      const over = say(words('card.over'))
      return chat ? localizer.forChat(over, chat) : over
    },
  })
  const polling = createPolling({
    ...{ venue, view, clock, emit, settings },
    readings: engine,
    signal: stopping.signal,
  })
  const digestMoney = createDigestMoney({
    ...{ clock, emit, read: polling.ledger, waits: polling.recordWaits },
    ...{ pauseMs: polling.recordPauseMs, ...digestsToCome(memory) },
  })
  const changeAndSay = async (asked: Change) => {
    await change(asked)
    dispatcher.nudge()
  }
  const closeQuotes = createCloseQuotes({
    ...{ clock, signal: stopping.signal },
    endangered: (alertId) => atRisk(memory, kinds, alertId),
    ask: polling.quote,
    venueOf: (accountId) => venueOf(accountId, venues.slice(1)),
    waits: polling.quoteWaits,
    tell: changeAndSay,
  })
  const pictures = createPictures({
    ...{ clock, adapters, view, simulated, emit, draw: world.draw ?? null, course: courses.any },
    pictureOf(alertId, elsewhere) {
      const risk = atRisk(memory, kinds, alertId)
      if (!risk) return null
      const to = elsewhere ?? fallbackOf(memory, risk.chatId)
      const whose = onBehalfOf(memory, alertId, to)
      const picture = alertPicture(view, offered, risk, { to, whose, now: clock.now() })
      return picture && { chatId: to, picture }
    },
    async pictureOfDay(told) {
      if (!wantsDay(view, told.chatId)) return null
      const day = await dayOf(told.digestOf, { since: told.since, until: told.at })
      return day && dayPicture(view, offered, told, day)
    },
    async day({ digestOf, since, until }) {
      const day = await dayOf(digestOf, { since, until })
      return day && { times: day.times, prices: day.usd, gaps: day.gaps }
    },
    queue: (all) => changeAndSay({ is: 'pictures', pictures: all }),
  })
  const most = { people: maxPeople, seats: nextCell?.fullAt ?? Infinity }
  const directory = createDirectory({
    ...{ view, access, most, emit, isLocal, change: changeAndSay },
    isFull: () => isFull(memory, most, clock.now()),
    isNamed: (platform) => (adapters.get(platform)?.destination ?? null) !== null,
    now: () => clock.now(),
    tryAgain: (chatId) => dispatcher.tryAgain(chatId),
  })
  const outages = createPlatformOutages(clock)
  const dialog = createDialog({
    ...{ commands, introduction, isPlayMoney: simulated, view, clock, emit },
    ...{ kinds: offered, read: polling.read, venueLoads: polling.venueLoads },
    recall: { ...store.history, backlog: store.outbox.backlog },
    past: createBacktester({ drawers: memory, recording: store.recording, kinds, clock, marketPollMs }),
    listen: deliveries.listen,
    tryAgain: (chatId) => dispatcher.tryAgain(chatId),
    expectAnswer: (chatId) => dispatcher.expectAnswer(chatId),
    limits: limitsOf(settings),
    ...{ meet: directory.meet, recognise: directory.recognise },
    change: engine.change,
    seen: (input) => store.memory.seen(input),
    localize: (message, { by, language }) => localizer.forSpeaker(message, by, language),
    inspect: createInspection({ conversations, clock, signal: stopping.signal }),
    checkDestination: createDestinationCheck({ platforms: adapters, clock, signal: stopping.signal }),
    cardShown: pins.shown,
    follow: (chatId, picture) => pictures.follow(chatId, picture),
    ...{ newCode: () => world.newCode(), newToken: () => world.newToken() },
    ...{ page: world.page ?? null, assistants: world.assistants ?? null },
    ...{ nextCell, platformOutages: outages.current },
    isClaim: (code) => claimCode !== null && code === claimCode && !view.claimed(),
    quit: () => void (quitting = true),
  })

  const press = createActionPress({
    line: dialog.line,
    senderAt: directory.senderAt,
    seen: (input) => store.memory.seen(input),
  })

  const bot: Bot = {
    ...dialog,
    ...createSessions({ view, clock, emit, change }),
    answer: (to, attempt) =>
      dispatcher.answer(to, attempt).finally(() => {
        if (quitting) world.quit()
      }),
    chatChanged: directory.chatChanged,
    tellOperator: directory.tellOperator,
    glance: followers.glance,
    follow: followers.follow,
    async course(by, market, since, columns) {
      const person = view.person(by)
      return person && courses.own(person.id, market, since, columns)
    },
  }
  const criticalAlerts: CriticalAlerts = {
    rings: directory.rings,
    acknowledged: directory.acknowledged,
    loudCriticals: (platform, since) => store.outbox.loudCriticals(platform, since),
  }
  const stopListening = events.listen((event) => {
    outages.hear(event)
    const notice = operatorNotice(event)
    if (notice !== null) directory.tellOperator(notice)
  })

  return {
    async start() {
      engine.start()
      await dispatcher.start()
      polling.start()
      digestMoney.start()
      for (const adapter of adapters.values()) {
        if (isConversation(adapter)) await adapter.start(bot)
        await adapter.receipts?.start(criticalAlerts)
      }
      for (const client of clients) await client.start(bot)
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      await digestMoney.stop()
      await polling.stop()
      await endsWithin(clock, LAST_READINGS_MS, engine.idle())
      await dispatcher.stop()
      storageAlarm.stop()
      pins.stop()
      pictures.stop()
      await pictures.idle()
      followers.stop()
      for (const adapter of [...adapters.values(), ...clients]) await adapter.stop()
      await engine.stop()
      stopListening()
    },
    async idle() {
      for (let round = 0; round < 2; round++) {
        await polling.idle()
        await digestMoney.idle()
        await engine.idle()
        await closeQuotes.idle()
        await pictures.idle()
        await dispatcher.idle()
        await followers.idle()
      }
    },
    claimed: () => view.claimed(),
    stats() {
      const venueLoads = polling.venueLoads()
      const oldestWallets = oldestLooks(venueLoads, view.oldestLookMs)
      return { ...statsOf(memory), oldestWallets, venueLoads }
    },
    personAt: (there) => view.chatAt(there)?.personId ?? null,
    languageAt: (there) => view.language(view.chatAt(there)?.personId ?? GUEST.id),
    isOperators: (there) => view.chatAt(there)?.personId === memory.people.operatorId,
    async press(pressed) {
      if (stopping.signal.aborted) throw new Error('the bot is stopping')
      return press(pressed)
    },
    readWallets: () => polling.readWallets(),
    async unfinished() {
      await engine.idle()
      const wallets = [...memory.rules.watches.groups()]
      const confirms = wallets.some((wallet) => engine.demandOf(wallet)?.confirm)
      const { waiting } = await store.outbox.backlog()
      return {
        wallets,
        quiet: waiting === 0 && memory.monitors.unconfirmed.size === 0 && !confirms,
      }
    },
  }
}
