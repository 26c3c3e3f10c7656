import { within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { Address, ChatAdapter, Delivery } from '../chat.ts'
import type { Emit } from '../event.ts'
import type { Chat } from '../person.ts'
import type { Change, OutboxRow, Settlement, Store } from '../store.ts'
import { asSentNow, consequence } from './outcome.ts'
import { createPace } from './pace.ts'
import type { Pace } from './pace.ts'

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

interface Answer {
  key: string
  platform: string
  chatId: number | null
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
  const paces = new Map<string, Pace>([...adapters].map(([name, { limits }]) => [name, createPace(limits)]))
  const platformHeld = new Map<string, number>()
  const chatHeld = new Map<string, number>()
  const busy = new Map<string, number | null>()
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
        emit({ is: 'trouble', where: 'outbox', why: 'the outbox could not be read or written; trying again', error })
        wakeIn(1_000)
      })
      .finally(() => {
        pumping = null
        if (again) {
          again = false
          nudge()
        }
      })
  }

  async function pump(): Promise<void> {
    callOff?.()
    callOff = null
    const tick = clock.tick()
    const outcomes = settled
    const rows = await store.exchange({
      now: clock.now(),
      settled: outcomes,
      take: roomOf(tick),
      busy: blocked(tick),
      criticalOnly: awaited(),
    })
    settled = settled.slice(outcomes.length)
    for (const row of rows) launchRow(row)
    launchAnswers(clock.tick())
    const { nextDueAt } = await store.backlog()
    sleepUntil(nextDueAt)
  }

  function roomOf(tick: number): { platform: string; most: number }[] {
    if (!running) return []
    return [...paces].map(([platform, pace]) => {
      const held = (platformHeld.get(platform) ?? 0) > tick
      return { platform, most: held ? 0 : Math.min(pace.room(tick), IN_FLIGHT - flights.size) }
    })
  }

  /** Chats with a send under way, and those that must wait. */
  function blocked(tick: number): number[] {
    const ids = [...busy.values()].filter((id) => id !== null)
    for (const { id, address, private: own } of chats.values()) {
      const pace = paces.get(address.platform)
      const held = (chatHeld.get(keyOf(address)) ?? 0) > tick
      if (held || (pace && pace.freeAt(keyOf(address), !own, tick) > tick)) ids.push(id)
    }
    return ids
  }

  function awaited(): number[] {
    return answers.map(({ chatId }) => chatId).filter((id) => id !== null)
  }

  function launchRow(row: OutboxRow): void {
    const chat = chats.get(row.chatId)
    const adapter = chat && adapters.get(chat.address.platform)
    if (!chat || !adapter) return void settled.push({ rowId: row.id, is: 'parked', at: clock.now(), why: 'no such chat' })
    if (row.expiresAt !== null && row.expiresAt <= clock.now()) {
      settled.push({ rowId: row.id, is: 'expired', at: clock.now() })
      again = true
      return
    }
    fly(chat.address, row.chatId, !chat.private, async () => {
      const started = clock.tick()
      const delivery = await deliver(adapter, chat, row)
      const { settlement, hold, change: changes } = consequence(row, delivery, clock.now(), random())
      if (hold?.scope === 'chat') chatHeld.set(keyOf(chat.address), clock.tick() + hold.ms)
      if (hold?.scope === 'platform') platformHeld.set(chat.address.platform, clock.tick() + hold.ms)
      const why = 'why' in delivery ? delivery.why : null
      emit({ is: 'delivery', row: row.id, chat: row.chatId, outcome: delivery.is, ms: clock.tick() - started, why })
      if (settlement.is === 'parked') emit({ is: 'parked', row: row.id, chat: row.chatId, why: settlement.why })
      if (changes) await change(changes)
      settled.push(settlement)
    })
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
      emit({ is: 'trouble', where: `${adapter.name} deliver`, why: String(error), error })
      return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: true, why: String(error) }
    }
  }

  function launchAnswers(tick: number): void {
    const waiting = answers
    answers = []
    for (const answer of waiting) {
      const { key, platform } = answer
      const free = (paces.get(platform)?.freeAt(key, false, tick) ?? tick) <= tick
      const held = Math.max(chatHeld.get(key) ?? 0, platformHeld.get(platform) ?? 0) > tick
      if (busy.has(key) || !free || held) answers.push(answer)
      else {
        const chat = answer.chatId === null ? undefined : chats.get(answer.chatId)
        flyKey(key, platform, answer.chatId, chat ? !chat.private : false, () =>
          answer.send().then(answer.resolve, answer.reject),
        )
      }
    }
  }

  function fly(address: Address, chatId: number, group: boolean, work: () => Promise<void>): void {
    flyKey(keyOf(address), address.platform, chatId, group, work)
  }

  function flyKey(key: string, platform: string, chatId: number | null, group: boolean, work: () => Promise<void>): void {
    busy.set(key, chatId)
    paces.get(platform)?.spend(key, group, clock.tick())
    const flight = work()
      .catch((error: unknown) => emit({ is: 'trouble', where: 'outbox', why: String(error), error }))
      .finally(() => {
        busy.delete(key)
        flights.delete(flight)
        nudge()
      })
    flights.add(flight)
  }

  /** Until the next row is due, a held chat is free, or an answer's chat has room: whichever comes first. */
  function sleepUntil(nextDueAt: number | null): void {
    const tick = clock.tick()
    const waits = [...platformHeld.values(), ...chatHeld.values()].filter((at) => at > tick).map((at) => at - tick)
    if (nextDueAt !== null) {
      waits.push(Math.max(nextDueAt - clock.now(), 0))
      for (const { address, private: own } of chats.values()) {
        const at = paces.get(address.platform)?.freeAt(keyOf(address), !own, tick) ?? tick
        if (at > tick) waits.push(at - tick)
      }
    }
    for (const { key, platform } of answers) waits.push((paces.get(platform)?.freeAt(key, false, tick) ?? tick) - tick)
    const soonest = Math.min(...waits.filter((ms) => ms > 0))
    if (soonest < Infinity) wakeIn(soonest)
    for (const [key, at] of chatHeld) if (at <= tick) chatHeld.delete(key)
  }

  function wakeIn(ms: number): void {
    callOff?.()
    callOff = clock.wakeAt(clock.tick() + ms, () => {
      callOff = null
      nudge()
    })
  }

  return {
    nudge,
    answer: (chat, send) =>
      new Promise((resolve, reject) => {
        const known = [...chats.values()].find(({ address }) => keyOf(address) === keyOf(chat))
        const { platform } = chat
        if (!running) return void send().then(resolve, reject)
        answers.push({ key: keyOf(chat), platform, chatId: known?.id ?? null, send, resolve, reject })
        nudge()
      }),
    async start() {
      running = true
      const repeats = await store.recover()
      if (repeats > 0) emit({ is: 'remark', where: 'outbox', text: `${repeats} sends were under way when the last run ended` })
      nudge()
    },
    async stop() {
      running = false
      while (pumping || flights.size > 0) await Promise.allSettled([pumping, ...flights])
      for (const { send, resolve, reject } of answers.splice(0)) await send().then(resolve, reject)
      callOff?.()
      if (settled.length > 0) {
        await store.exchange({ now: clock.now(), settled, take: [], busy: [], criticalOnly: [] })
        settled = []
      }
      stopping.abort(new Error('stopped'))
    },
    async idle() {
      while (pumping || flights.size > 0) await Promise.allSettled([pumping, ...flights])
    },
  }
}

function keyOf({ platform, chat, thread }: Address): string {
  return `${platform} ${chat} ${thread ?? ''}`
}
