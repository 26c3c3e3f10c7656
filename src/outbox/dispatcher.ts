import type { TryAnswer } from '../chat/bot.ts'
import type { Notifier } from '../chat/notifier.ts'
import type { Address } from '../message/address.ts'
import type { Delivery, DeliveryReport } from '../message/delivery.ts'
import type { Message } from '../message/message.ts'
import type { Picture } from '../message/picture.ts'
import type { Chat, Chats } from '../people/chat.ts'
import { type Clock, createAlarm } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change, QueuedMessage } from '../store/change.ts'
import type { DispatchRound, OutboxStore } from '../store/store.ts'
import { createAnswers } from './answers.ts'
import { createClockJumps } from './waiting/clock-jumps.ts'
import { createFirstAnswers } from './waiting/first-answers.ts'
import { retryMs } from './outcome.ts'
import { createPlatformPauses } from './platform-pauses.ts'
import { createRows } from './queued-rows.ts'
import {
  createFlights,
  createProbes,
  createSendGates,
  type Destination,
  destinationOf,
} from './send-gates.ts'
import { createSender } from './sender.ts'
import { createUndelivered } from './waiting/undelivered.ts'

/** Sends the rows of the outbox: critical ones first, one at a time per chat, at the pace that each platform allows. */
export interface Dispatcher {
  /** Starts a round: rows may be due. */
  nudge(): void
  /** Sends an answer to a command when its chat has capacity, behind critical rows. Retries while a retry may help. */
  answer(to: Address, attempt: TryAnswer): Promise<Delivery>
  /** A command is about to arm rules in this chat: alerts wait a little for the next answer there. */
  expectAnswer(chatId: number): void
  /** Sends soon to a broken chat, because somebody has written there. */
  tryAgain(chatId: number): void
  /** True if nothing is being sent or waiting for a round. */
  isAtRest(): boolean
  start(): Promise<void>
  /** Starts no more sends, and waits for those under way. */
  stop(): Promise<void>
  idle(): Promise<void>
}

/** How long stopping waits for sends under way. After that they count as possibly sent. */
const STOP_PATIENCE_MS = 3_000
const STORE_RETRY_MS = 1_000
/**
 * After a start no row is due later than this: platforms usually ask for less, and our own backoff is shorter. After so
 * long a rest every platform takes as many at once as ever.
 */
const LONGEST_WAIT_MS = 5 * 60_000
/** Commits the last outcomes and takes no rows. */
const TAKE_NOTHING = {
  ...{
    take: [],
    served: [],
    busy: [],
    noEdits: [],
    noPictures: [],
    criticalOnly: [],
    criticalOnlyOn: [],
    trying: [],
  },
  testsOnly: [],
  ...{ overdue: { before: -Infinity, except: [] }, jump: null },
}
/** While other sends are under way, outcomes are gathered for this long, so that one commit covers them all. */
const GATHER_MS = 5
/** Below this many outcomes, a round starts without yielding to the event loop first. */
const YIELD_FROM_OUTCOMES = 8
/** How soon to look again when due rows could not be taken. */
const LOOK_AGAIN_MS = 1_000

export function createDispatcher(world: {
  store: OutboxStore
  clock: Clock
  emit: Emit
  random: () => number
  adapters: ReadonlyMap<string, Notifier>
  chats: Chats
  change: (change: Change) => Promise<unknown>
  /** Called when a send to a known chat has ended. */
  delivered(report: DeliveryReport): void
  /** Draws a picture for the reader of that chat, as a PNG; null if it could not be drawn. */
  draw: (picture: Picture, chat: Chat, isUrgent: boolean) => Promise<Uint8Array | null>
  /** Writes the message for the reader of that chat. */
  localize: (message: Message, chat: Chat) => Message
  /** False while another process may send. Asked directly before each attempt. */
  mayAct?: () => boolean
}): Dispatcher {
  const { store, clock, emit, random, adapters, chats, change, mayAct = () => true } = world
  // Delays count from the wall time of our start plus the monotonic time since. The store keeps wall times, but a jump
  // of the wall clock must neither delay a row nor send it early.
  const begunAt = clock.now() - clock.monotonic()
  const dueAt = (mono: number) => Math.floor(begunAt + mono)
  const dueNow = () => dueAt(clock.monotonic())
  let pumping: Promise<void> | null = null
  let again = false
  let running = false
  /** True if the store had nothing waiting when it was last asked, and nothing has arrived since. */
  let isCalm = false

  const sleeping = createAlarm(clock, nudge)
  const gathering = createAlarm(clock, nudge)
  const jumps = createClockJumps(clock)
  const gates = createSendGates(adapters, chats)
  const probes = createProbes(chats, clock.monotonic())
  const firstAnswers = createFirstAnswers(clock)
  const sender = createSender(clock, emit, world.localize, mayAct)
  const flights = createFlights({
    gates,
    clock,
    emit,
    landed(last) {
      if (isCalm && rows.settled().length === 0 && !answers.waiting()) {
        if (last) firstAnswers.nothingWaits(clock.monotonic())
        return
      }
      if (last) nudge()
      else gathering.setUnlessSet(GATHER_MS)
    },
  })
  const pauses = createPlatformPauses({ clock, emit, gates, chats, change })
  const shared = { clock, emit, random, chats, gates, pauses, flights, sender, keep }
  const rows = createRows({
    ...{ ...shared, adapters, probes, dueNow, change },
    delivered: (report) => world.delivered(report),
    settledAtOnce: () => void (again = true),
    draw: world.draw,
  })
  const answers = createAnswers(shared)
  const undelivered = createUndelivered({ ...{ store, clock, emit, change }, handedOver: nudge })

  const coalescing = createCoalescing({ clock, emit, change, merged: nudge })

  async function keep(what: Change, of: Destination, before: number): Promise<void> {
    try {
      await change(what)
    } catch (error) {
      emit({ is: 'trouble', where: 'outbox', why: `a change of chat ${of.chatId} could not be kept`, error })
      // If a move or a broken chat was not stored, the next attempt would fail in the same way.
      gates.hold(of, 'chat', retryMs(before, random()), clock.monotonic())
    }
  }

  function nudge(): void {
    if (!running) return
    isCalm = false
    again = true
    pumping ??= turn().finally(() => {
      pumping = null
      if (again) nudge()
    })
  }

  async function turn(): Promise<void> {
    // With many outcomes at once, yield first: changes that others queue meanwhile share our commit.
    if (rows.settled().length >= YIELD_FROM_OUTCOMES) await new Promise((resolve) => setImmediate(resolve))
    again = false
    if (!running) return
    try {
      await pump()
    } catch (error) {
      const why = 'the outbox cannot be read or written now; trying again'
      emit({ is: 'trouble', where: 'outbox', why, error })
      sleeping.set(STORE_RETRY_MS)
    }
  }

  /**
   * Runs one round: commits the outcomes and takes the next rows in the same transaction. Its alarm counts from the start
   * of the round, so that anything that becomes possible during the round rings it at once.
   */
  async function pump(): Promise<void> {
    stopWaiting()
    const mono = clock.monotonic()
    const settled = rows.settled()
    const jump = jumps.look()
    gates.passAnswers(firstAnswers.overdue(mono))
    try {
      const taken = await store.round({
        now: dueAt(mono),
        settled,
        take: gates.room(mono),
        served: gates.served(mono),
        busy: [...gates.closed(mono), ...coalescing.busy()],
        noEdits: gates.closedTo('edit', mono),
        noPictures: [...gates.closedTo('picture', mono), ...answers.sentAgain()],
        testsOnly: firstAnswers.chats(mono),
        overdue: coalescing.late(mono, clock.now()),
        jump,
        ...answers.criticalOnly(mono),
        trying: probes.due(mono),
      })
      rows.committed(settled.length)
      if (jump) jumps.kept(jump)
      for (const row of taken.filter(({ overdue: late }) => late.length === 0)) {
        coalescing.launched(row.chatId)
        rows.launch(row)
      }
      coalescing.begin(taken.map(({ overdue: late }) => late))
    } finally {
      // Also when the store cannot write, so that people who ask for the reason get an answer.
      if (answers.launch(clock.monotonic())) again = true
    }
    const { nextDueAt, undeliveredSince } = await store.upcoming(probes.due(mono))
    sleepUntil(mono, nextDueAt, undelivered.look(undeliveredSince, clock.now()))
  }

  /**
   * Sets the alarm for the next due row or the first gate that opens after `mono`, whichever comes first. The end of a
   * send wakes the dispatcher anyway.
   */
  function sleepUntil(mono: number, nextDueAt: number | null, undeliveredMs: number | null): void {
    isCalm = nextDueAt === null && undeliveredMs === null
    if (nextDueAt === null && flights.underWay().length === 0) firstAnswers.nothingWaits(mono)
    const now = clock.monotonic()
    const waits: number[] = undeliveredMs === null ? [] : [undeliveredMs]
    if (nextDueAt !== null) waits.push(nextDueAt > dueAt(mono) ? nextDueAt - begunAt - now : LOOK_AGAIN_MS)
    const opensAt = nextDueAt !== null || answers.waiting() ? gates.opensAt(mono) : null
    const answerEndsAt = nextDueAt === null ? null : firstAnswers.endsAt(mono)
    for (const at of [opensAt, answers.dueAt(mono), probes.nextAt(mono), answerEndsAt])
      if (at !== null) waits.push(at - now)
    if (waits.length > 0) sleeping.set(Math.max(Math.min(...waits), 0))
  }

  function stopWaiting(): void {
    sleeping.off()
    gathering.off()
  }

  async function idle(): Promise<void> {
    for (;;) {
      const work = [
        ...(pumping ? [pumping] : []),
        ...flights.underWay(),
        ...undelivered.underWay(),
        ...coalescing.underWay(),
      ]
      if (work.length === 0) return
      await Promise.allSettled(work)
    }
  }

  async function settleLast(): Promise<void> {
    const settled = rows.settled()
    if (settled.length === 0) return
    try {
      await store.round({ ...TAKE_NOTHING, now: dueNow(), settled })
      rows.committed(settled.length)
    } catch (error) {
      const why = `${settled.length} sends ended without being noted; they will be possible repeats`
      emit({ is: 'trouble', where: 'outbox', why, error })
    }
  }

  /** Platforms count what earlier runs have sent: this one goes on at their pace. */
  async function countEarlier(now: number): Promise<void> {
    const sent = await store.sentSince(now - LONGEST_WAIT_MS)
    // A wall clock that was set back meanwhile: an hour of sends must not count as sent now.
    const last = Math.max(now, sent.at(-1)?.at ?? now)
    for (const { chatId, at } of sent) {
      const chat = chats.get(chatId)
      if (chat) gates.sentBefore(destinationOf(chat.address, chat), clock.monotonic() - (last - at))
    }
  }

  return {
    nudge,
    idle,
    expectAnswer: (chatId) => firstAnswers.expect(chatId),
    answer(to, attempt) {
      if (!running) return answers.bring(to, attempt)
      const ended = firstAnswers.bringing(chats.at(to)?.id ?? null)
      const answered = answers.add(to, attempt)
      // Answers do not depend on the store.
      if (isCalm && !pumping) answers.launch(clock.monotonic())
      if (!isCalm || answers.waiting()) nudge()
      if (ended === null) return answered
      return answered.finally(() => {
        ended()
        nudge()
      })
    },
    tryAgain(chatId) {
      probes.soon(chatId, clock.monotonic())
      nudge()
    },
    isAtRest: () => pumping === null && flights.underWay().length === 0 && !answers.waiting(),
    async start() {
      const now = dueNow()
      await countEarlier(now)
      const repeats = await store.interrupted({ now, latest: now + LONGEST_WAIT_MS })
      running = true
      if (repeats > 0) {
        emit({
          is: 'remark',
          where: 'outbox',
          text: `${repeats} sends were under way when the last run ended`,
        })
      }
      nudge()
    },
    async stop() {
      running = false
      const patience = clock.wakeAt(clock.monotonic() + STOP_PATIENCE_MS, () => sender.giveUp())
      await idle()
      await answers.finish()
      patience()
      stopWaiting()
      await settleLast()
    },
  }
}

/**
 * Replaces the messages that have waited long in a chat by one message about the present state, before the next attempt
 * there.
 */
interface Coalescing {
  /** Which rows count as overdue in a dispatch round. */
  late(mono: number, now: number): DispatchRound['overdue']
  /** Chats whose messages are being coalesced. */
  busy(): number[]
  /** Coalesces the waiting messages, one list per chat. Skips empty lists. */
  begin(chats: readonly (readonly QueuedMessage[])[]): void
  /** A message of this chat is under way. Before the next one, its content may be outdated. */
  launched(chatId: number): void
  underWay(): readonly Promise<void>[]
}

/** Messages that have waited less than this are sent unchanged. */
const COALESCE_AFTER_MS = 60_000
/**
 * A coalesced message counts as current for this long. If coalescing failed, the original messages go out during this
 * time.
 */
const GOOD_FOR_MS = 30_000
/**
 * A coalesced message that had no attempt yet is kept for this long. Otherwise, with many chats, it would be replaced
 * again and again and never sent.
 */
const UNTRIED_FOR_MS = 5 * 60_000

function createCoalescing(world: {
  clock: Clock
  emit: Emit
  change: (change: Change) => Promise<unknown>
  /** Called when coalescing has ended and the chats may be sent to. */
  merged: () => void
}): Coalescing {
  const { clock, emit, change } = world
  const working = new Map<Promise<void>, number[]>()
  /** When each chat was last coalesced, by chat. */
  const made = new Map<number, { mono: number; tried: boolean }>()

  async function merge(chats: (readonly [QueuedMessage, ...QueuedMessage[]])[]): Promise<void> {
    try {
      await change({ is: 'merge', chats })
    } catch (error) {
      const why = 'what has waited for long could not be made one message: each goes as it is'
      emit({ is: 'trouble', where: 'outbox', why, error })
    }
  }

  return {
    late(mono, now) {
      for (const [chatId, { mono: since, tried }] of made)
        if (mono - since >= (tried ? GOOD_FOR_MS : UNTRIED_FOR_MS)) made.delete(chatId)
      return { before: now - COALESCE_AFTER_MS, except: [...made.keys()] }
    },
    busy: () => [...working.values()].flat(),
    begin(all) {
      const chats = all.flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []))
      if (chats.length === 0) return
      const ids = chats.map(([{ chatId }]) => chatId)
      for (const id of ids) made.set(id, { mono: clock.monotonic(), tried: false })
      const work = merge(chats).finally(() => {
        working.delete(work)
        world.merged()
      })
      working.set(work, ids)
    },
    launched(chatId) {
      const one = made.get(chatId)
      if (one) one.tried = true
    },
    underWay: () => [...working.keys()],
  }
}
