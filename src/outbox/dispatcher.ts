import type { TryAnswer } from '../chat/bot.ts'
import type { Notifier } from '../chat/notifier.ts'
import type { Address } from '../message/address.ts'
import type { Delivery, DeliveryReport } from '../message/delivery.ts'
import type { Message } from '../message/message.ts'
import type { Picture } from '../message/picture.ts'
import type { Chat, Chats } from '../people/chat.ts'
import { type Clock, createAlarm } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { Departures, DispatchRound, OutboxStore, Settlement } from '../store/store.ts'
import { createAnswers } from './answers.ts'
import { createDepartures } from './departures.ts'
import { createClockJumps } from './waiting/clock-jumps.ts'
import { createCoalescing } from './waiting/coalescing.ts'
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
  /** For the commits of the engine. */
  readonly departures: Departures
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
  /** Until then (as `dueNow`) no message that waits is due; all the time when none waits. Unless somebody nudges. */
  let quietUntil = -Infinity
  let nudges = 0
  const isQuiet = () => dueNow() < quietUntil

  const sleeping = createAlarm(clock, nudge)
  const gathering = createAlarm(clock, wake)
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
      if (isQuiet() && rows.count() === 0 && !answers.waiting()) noteCalm()
      else if (last) wake()
      else gathering.setUnlessSet(GATHER_MS)
    },
  })
  const pauses = createPlatformPauses({ clock, emit, gates, chats, change })
  const shared = { clock, emit, random, chats, gates, pauses, flights, sender, keep }
  const rows = createRows({
    ...{ ...shared, adapters, probes, dueNow, change },
    delivered: (report) => world.delivered(report),
    settledAtOnce: nudge,
    draw: world.draw,
  })
  const answers = createAnswers(shared)
  const undelivered = createUndelivered({ ...{ store, clock, emit, change }, handedOver: nudge })

  const coalescing = createCoalescing({ clock, emit, change, merged: nudge })

  const departures = createDepartures({
    ...{ clock, adapters, chats, gates, rows, dueAt, waits: nudge, waitsForSend: disturb },
    isRunning: () => running,
    isFree: () => isQuiet() && mayAct() && jumps.look() === null,
    closedTo: ({ chatId, urgency, reason }, mono) =>
      (urgency > 0 && answers.waiting()) ||
      coalescing.busy().includes(chatId) ||
      (reason !== 'test' && firstAnswers.chats(mono).includes(chatId)),
  })

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
    disturb()
    wake()
  }

  /** The next turn looks for rows. */
  function disturb(): void {
    quietUntil = -Infinity
    nudges++
  }

  /** Starts a turn: answers or outcomes wait. */
  function wake(): void {
    if (!running) return
    again = true
    pumping ??= turn().finally(() => {
      pumping = null
      if (again) wake()
    })
  }

  async function turn(): Promise<void> {
    // With many outcomes at once, yield first: a commit of the engine that comes at once takes them along.
    if (rows.count() >= YIELD_FROM_OUTCOMES) await new Promise((resolve) => setImmediate(resolve))
    again = false
    if (!running) return
    try {
      if (isQuiet() && !answers.waiting() && rows.areOver() && jumps.look() === null) await settleAlone()
      else await pump()
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
    const before = nudges
    const settled = rows.take()
    if (settled.some(({ is }) => is === 'again' || is === 'anew')) quietUntil = -Infinity
    const jump = jumps.look()
    gates.passAnswers(firstAnswers.overdue(mono))
    try {
      const taken = await noting(settled, {
        now: dueAt(mono),
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
    // A message may wait behind one that is under way, or behind one whose outcome is not noted.
    const isAll = nudges === before && isAtRest() && rows.count() === 0
    quietUntil = Math.min(isAll ? Infinity : quietUntil, nextDueAt ?? Infinity)
    sleepUntil(mono, nextDueAt, undelivered.look(undeliveredSince, clock.now()))
  }

  /** No message can start: notes the outcomes and nothing else. */
  async function settleAlone(): Promise<void> {
    gathering.off()
    const settled = rows.take()
    if (settled.length > 0) await noting(settled, { ...TAKE_NOTHING, now: dueNow() })
    noteCalm()
  }

  /** Runs a round that settles these outcomes. */
  async function noting(
    settled: Settlement[],
    turn: Omit<DispatchRound, 'settled'>,
  ): ReturnType<OutboxStore['round']> {
    try {
      return await store.round({ ...turn, settled })
    } catch (error) {
      rows.giveBack(settled)
      throw error
    }
  }

  function noteCalm(): void {
    if (quietUntil === Infinity && isAtRest() && rows.count() === 0)
      firstAnswers.nothingWaits(clock.monotonic())
  }

  /**
   * Sets the alarm for the next due row or the first gate that opens after `mono`, whichever comes first. The end of a
   * send wakes the dispatcher anyway.
   */
  function sleepUntil(mono: number, nextDueAt: number | null, undeliveredMs: number | null): void {
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
        ...departures.underWay(),
        ...coalescing.underWay(),
      ]
      if (work.length === 0) return
      await Promise.allSettled(work)
    }
  }

  const isAtRest = () => flights.underWay().length + departures.underWay().length === 0

  async function settleLast(): Promise<void> {
    const settled = rows.take()
    if (settled.length === 0) return
    try {
      await noting(settled, { ...TAKE_NOTHING, now: dueNow() })
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
    departures,
    nudge,
    idle,
    expectAnswer: (chatId) => firstAnswers.expect(chatId),
    answer(to, attempt) {
      if (!running) return answers.bring(to, attempt)
      const ended = firstAnswers.bringing(chats.at(to)?.id ?? null)
      const answered = answers.add(to, attempt)
      // Answers do not depend on the store.
      if (isQuiet() && !pumping) answers.launch(clock.monotonic())
      if (!isQuiet() || answers.waiting()) wake()
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
    isAtRest: () => pumping === null && isAtRest() && !answers.waiting(),
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
