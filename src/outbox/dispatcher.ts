import type { Clock } from '../clock.ts'
import type { Address, ChatAdapter } from '../chat.ts'
import type { Emit } from '../event.ts'
import type { Message } from '../message.ts'
import type { Chat } from '../person.ts'
import type { Change, OutboxRow, Settlement, Store } from '../store.ts'
import { createAnswers } from './answers.ts'
import { createGates, destinationOf } from './gates.ts'
import type { Destination } from './gates.ts'
import { consequence, retryMs } from './outcome.ts'
import { createSender } from './sender.ts'

/** Sends what the outbox holds: critical first, one at a time per chat, at the pace that the platforms allow. */
export interface Dispatcher {
  /** Something may be due. */
  nudge(): void
  /** Runs an answer to a command when its chat has room, behind what is critical. */
  answer(chat: Address, send: () => Promise<void>): Promise<void>
  start(): Promise<void>
  /** Takes nothing more, and waits for what is under way. */
  stop(): Promise<void>
  idle(): Promise<void>
}

/** How long the end waits for sends that are under way; then they count as possibly sent. */
const STOP_PATIENCE_MS = 3_000
const STORE_RETRY_MS = 1_000
/** While others are under way, outcomes are gathered this long: one commit notes them all. */
const GATHER_MS = 5
/** How soon to look again when what is due could not be taken. */
const LOOK_AGAIN_MS = 1_000

export function createDispatcher(world: {
  store: Store
  clock: Clock
  emit: Emit
  random: () => number
  adapters: ReadonlyMap<string, ChatAdapter>
  chats: ReadonlyMap<number, Chat>
  change: (change: Change) => Promise<unknown>
  /** The message as whoever reads that chat gets it. */
  dress: (message: Message, chat: Chat) => Message
}): Dispatcher {
  const { store, clock, emit, random, adapters, chats, change } = world
  const gates = createGates(adapters, chats)
  const answers = createAnswers(gates, chats)
  const flights = new Set<Promise<void>>()
  const sender = createSender(clock, emit, world.dress)
  // Delays go by the wall clock as it was when we began and as it has run evenly since: the store keeps wall time, but
  // a wall clock that jumps must neither hold anything back nor send it early.
  const begunAt = clock.now() - clock.tick()
  const dueNow = () => Math.floor(begunAt + clock.tick())
  let settled: Settlement[] = []
  let pumping: Promise<void> | null = null
  let again = false
  let running = false
  let callOff: (() => void) | null = null
  let gathering: (() => void) | null = null

  function nudge(): void {
    if (!running) return
    if (pumping) {
      again = true
      return
    }
    pumping = pump()
      .catch((error: unknown) => {
        emit({
          is: 'trouble',
          where: 'outbox',
          why: 'the outbox cannot be read or written now; trying again',
          error,
        })
        wakeIn(STORE_RETRY_MS)
      })
      .finally(() => {
        pumping = null
        if (!again) return
        again = false
        nudge()
      })
  }

  /** One turn: commits the outcomes together with the rows that are taken next. */
  async function pump(): Promise<void> {
    stopWaiting()
    const tick = clock.tick()
    // A copy: flights that end while the store works add to the original.
    const outcomes = [...settled]
    try {
      const rows = await store.exchange({
        now: dueNow(),
        settled: outcomes,
        take: gates.room(tick),
        busy: gates.closed(tick),
        criticalOnly: answers.criticalOnly(tick),
      })
      settled = settled.slice(outcomes.length)
      for (const row of rows) launchRow(row)
    } finally {
      // Also when nothing can be written: whoever asks what is wrong is answered.
      launchAnswers()
    }
    const { nextDueAt } = await store.backlog()
    sleepUntil(nextDueAt)
  }

  function launchRow(row: OutboxRow): void {
    const chat = chats.get(row.chatId)
    const adapter = chat && adapters.get(chat.address.platform)
    if (!chat || !adapter) park(row, 'there is no such chat')
    else if (row.expiresAt !== null && row.expiresAt <= clock.now()) {
      settle({ rowId: row.id, is: 'expired', at: clock.now() })
    } else fly(destinationOf(chat), () => sendRow(adapter, chat, row))
  }

  function park(row: OutboxRow, why: string): void {
    emit({ is: 'parked', row: row.id, chat: row.chatId, why })
    settle({ rowId: row.id, is: 'parked', at: clock.now(), why })
  }

  function settle(settlement: Settlement): void {
    settled.push(settlement)
    again = true
  }

  async function sendRow(adapter: ChatAdapter, chat: Chat, row: OutboxRow): Promise<void> {
    const started = clock.tick()
    const delivery = await sender.deliver(adapter, chat, row)
    const at = { now: clock.now(), dueNow: dueNow() }
    const { settlement, hold, change: changes } = consequence(row, delivery, at, random())
    if (hold) gates.hold(destinationOf(chat), hold.scope, clock.tick() + hold.ms)
    const why = 'why' in delivery ? delivery.why : null
    emit({
      is: 'delivery',
      row: row.id,
      chat: row.chatId,
      outcome: delivery.is,
      ms: clock.tick() - started,
      why,
    })
    if (settlement.is === 'parked') emit({ is: 'parked', row: row.id, chat: row.chatId, why: settlement.why })
    try {
      if (changes) await change(changes)
    } catch (error) {
      emit({ is: 'trouble', where: 'outbox', why: `a change of chat ${chat.id} could not be kept`, error })
      // Without it the next attempt would end like this one.
      gates.hold(destinationOf(chat), 'chat', clock.tick() + retryMs(row.attempts, random()))
    }
    settled.push(settlement)
  }

  function launchAnswers(): void {
    answers.launch(clock.tick(), ({ to, send, resolve, reject }) => {
      fly(to, () => sender.limited(send).then(resolve, reject))
      again = true
    })
  }

  function fly(to: Destination, work: () => Promise<void>): void {
    gates.enter(to, clock.tick())
    const flight = work()
      .catch((error: unknown) => emit({ is: 'trouble', where: 'outbox', why: String(error), error }))
      .finally(() => {
        gates.leave(to)
        flights.delete(flight)
        if (flights.size === 0) nudge()
        else gathering ??= clock.wakeAt(clock.tick() + GATHER_MS, nudge)
      })
    flights.add(flight)
  }

  /** Until the next row is due or the next gate opens, whichever comes first; the end of a flight wakes us anyway. */
  function sleepUntil(nextDueAt: number | null): void {
    const waits: number[] = []
    if (nextDueAt !== null) {
      const ms = nextDueAt - (begunAt + clock.tick())
      waits.push(ms > 0 ? ms : LOOK_AGAIN_MS)
    }
    const opensAt = nextDueAt !== null || answers.waiting() ? gates.opensAt(clock.tick()) : null
    if (opensAt !== null) waits.push(opensAt - clock.tick())
    if (waits.length > 0) wakeIn(Math.min(...waits))
  }

  function wakeIn(ms: number): void {
    callOff?.()
    callOff = clock.wakeAt(clock.tick() + ms, () => {
      callOff = null
      nudge()
    })
  }

  function stopWaiting(): void {
    for (const stop of [callOff, gathering]) stop?.()
    callOff = null
    gathering = null
  }

  async function idle(): Promise<void> {
    for (;;) {
      const work = [...(pumping ? [pumping] : []), ...flights]
      if (work.length === 0) return
      await Promise.allSettled(work)
    }
  }

  async function settleLast(): Promise<void> {
    if (settled.length === 0) return
    try {
      await store.exchange({ now: dueNow(), settled: [...settled], take: [], busy: [], criticalOnly: [] })
      settled = []
    } catch (error) {
      const why = `${settled.length} sends ended without being noted; they will be possible repeats`
      emit({ is: 'trouble', where: 'outbox', why, error })
    }
  }

  return {
    nudge,
    idle,
    answer(chat, send) {
      if (!running) return sender.limited(send)
      const answered = answers.add(chat, send)
      nudge()
      return answered
    },
    async start() {
      const repeats = await store.recover()
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
      const patience = clock.wakeAt(clock.tick() + STOP_PATIENCE_MS, () => sender.giveUp())
      await idle()
      for (const { send, resolve, reject } of answers.takeAll())
        await sender.limited(send).then(resolve, reject)
      patience()
      stopWaiting()
      await settleLast()
    },
  }
}
