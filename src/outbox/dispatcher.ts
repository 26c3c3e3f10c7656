import { within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { Address, ChatAdapter, Delivery } from '../chat.ts'
import type { Emit } from '../event.ts'
import type { Chat } from '../person.ts'
import type { Change, OutboxRow, Settlement, Store } from '../store.ts'
import { createGates, destinationOf, keyOf } from './gates.ts'
import type { Destination } from './gates.ts'
import { asSentNow, consequence } from './outcome.ts'

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

/** Telegram's own server waits out floods for up to 8 s before it answers (platforms.md 1.3); less would repeat slow sends. */
const SEND_LIMIT_MS = 20_000
/** Rows in flight at once, over all chats. */
const IN_FLIGHT = 64
const STORE_RETRY_MS = 1_000

interface Answer {
  to: Destination
  send(): Promise<void>
  resolve(): void
  reject(why: unknown): void
}

export function createDispatcher(world: {
  store: Store
  clock: Clock
  emit: Emit
  random: () => number
  adapters: ReadonlyMap<string, ChatAdapter>
  chats: ReadonlyMap<number, Chat>
  change(change: Change): Promise<unknown>
}): Dispatcher {
  const { store, clock, emit, random, adapters, chats, change } = world
  const gates = createGates(adapters, chats)
  const flights = new Set<Promise<void>>()
  const stopping = new AbortController()
  let settled: Settlement[] = []
  let answers: Answer[] = []
  let pumping: Promise<void> | null = null
  let again = false
  let running = false
  let callOff: (() => void) | null = null

  function nudge(): void {
    if (!running) return
    if (pumping) {
      again = true
      return
    }
    pumping = pump()
      .catch((error: unknown) => {
        emit({ is: 'trouble', where: 'outbox', why: 'the outbox cannot be read or written now; trying again', error })
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
    callOff?.()
    callOff = null
    const tick = clock.tick()
    const outcomes = settled
    const rows = await store.exchange({
      now: clock.now(),
      settled: outcomes,
      take: gates.room(tick, IN_FLIGHT - flights.size),
      busy: gates.closed(tick),
      criticalOnly: answers.map(({ to }) => to.chatId).filter((id) => id !== null),
    })
    settled = settled.slice(outcomes.length)
    for (const row of rows) launchRow(row)
    launchAnswers()
    const { nextDueAt } = await store.backlog()
    sleepUntil(nextDueAt)
  }

  function launchRow(row: OutboxRow): void {
    const chat = chats.get(row.chatId)
    const adapter = chat && adapters.get(chat.address.platform)
    if (!chat || !adapter) settle({ rowId: row.id, is: 'parked', at: clock.now(), why: 'there is no such chat' })
    else if (row.expiresAt !== null && row.expiresAt <= clock.now()) {
      settle({ rowId: row.id, is: 'expired', at: clock.now() })
    } else fly(destinationOf(chat), () => sendRow(adapter, chat, row))
  }

  function settle(settlement: Settlement): void {
    settled.push(settlement)
    again = true
  }

  async function sendRow(adapter: ChatAdapter, chat: Chat, row: OutboxRow): Promise<void> {
    const started = clock.tick()
    const delivery = await deliver(adapter, chat, row)
    const { settlement, hold, change: changes } = consequence(row, delivery, clock.now(), random())
    if (hold) gates.hold(destinationOf(chat), hold.scope, clock.tick() + hold.ms)
    const why = 'why' in delivery ? delivery.why : null
    emit({ is: 'delivery', row: row.id, chat: row.chatId, outcome: delivery.is, ms: clock.tick() - started, why })
    if (settlement.is === 'parked') emit({ is: 'parked', row: row.id, chat: row.chatId, why: settlement.why })
    try {
      if (changes) await change(changes)
    } finally {
      settled.push(settlement)
    }
  }

  async function deliver(adapter: ChatAdapter, chat: Chat, row: OutboxRow): Promise<Delivery> {
    const send = {
      to: chat.address,
      key: `perch-${row.id}`,
      message: asSentNow(row, clock.now()),
      silent: row.silent,
      plain: row.plain,
      possibleRepeat: row.possibleRepeat,
      replyTo: null,
    }
    try {
      return await within(clock, SEND_LIMIT_MS, stopping.signal, (signal) => adapter.deliver(send, signal))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      emit({ is: 'trouble', where: `${adapter.name} deliver`, why, error })
      return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: true, why }
    }
  }

  function launchAnswers(): void {
    const waiting = answers
    answers = []
    for (const answer of waiting) {
      if (!gates.isOpen(answer.to, clock.tick())) answers.push(answer)
      else fly(answer.to, () => answer.send().then(answer.resolve, answer.reject))
    }
  }

  function fly(to: Destination, work: () => Promise<void>): void {
    gates.enter(to, clock.tick())
    const flight = work()
      .catch((error: unknown) => emit({ is: 'trouble', where: 'outbox', why: String(error), error }))
      .finally(() => {
        gates.leave(to)
        flights.delete(flight)
        nudge()
      })
    flights.add(flight)
  }

  /** Until the next row is due or the next gate opens, whichever comes first; the end of a flight wakes us anyway. */
  function sleepUntil(nextDueAt: number | null): void {
    const tick = clock.tick()
    const someWait = nextDueAt !== null || answers.length > 0
    const opensAt = someWait ? gates.opensAt(tick, answers.map(({ to }) => to)) : null
    const waits = [opensAt === null ? 0 : opensAt - tick, nextDueAt === null ? 0 : nextDueAt - clock.now()]
    const soonest = Math.min(...waits.filter((ms) => ms > 0))
    if (soonest < Infinity) wakeIn(soonest)
  }

  function wakeIn(ms: number): void {
    callOff?.()
    callOff = clock.wakeAt(clock.tick() + ms, () => {
      callOff = null
      nudge()
    })
  }

  async function idle(): Promise<void> {
    while (pumping || flights.size > 0) await Promise.allSettled([pumping, ...flights])
  }

  return {
    nudge,
    idle,
    answer: (chat, send) =>
      new Promise((resolve, reject) => {
        if (!running) return void send().then(resolve, reject)
        const known = [...chats.values()].find(({ address }) => keyOf(address) === keyOf(chat))
        const { platform } = chat
        const to = known ? destinationOf(known) : { key: keyOf(chat), platform, chatId: null, group: false }
        answers.push({ to, send, resolve, reject })
        nudge()
      }),
    async start() {
      running = true
      const repeats = await store.recover()
      if (repeats > 0) {
        emit({ is: 'remark', where: 'outbox', text: `${repeats} sends were under way when the last run ended` })
      }
      nudge()
    },
    async stop() {
      running = false
      await idle()
      for (const { send, resolve, reject } of answers.splice(0)) await send().then(resolve, reject)
      callOff?.()
      if (settled.length > 0) {
        await store.exchange({ now: clock.now(), settled, take: [], busy: [], criticalOnly: [] })
        settled = []
      }
      stopping.abort(new Error('stopped'))
    },
  }
}
