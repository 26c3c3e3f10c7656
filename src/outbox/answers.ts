import type { Address } from '../address.ts'
import { addressKey, sameAddress } from '../address.ts'
import type { Change } from '../change.ts'
import type { Attempt, Chats, Look } from '../chat.ts'
import type { Clock } from '../clock.ts'
import type { Delivery } from '../delivery.ts'
import type { Emit } from '../event.ts'
import type { OutboxTurn } from '../store.ts'
import type { Flights } from './flights.ts'
import { destinationOf } from './gates.ts'
import type { Destination, Gates } from './gates.ts'
import type { Holds } from './holds.ts'
import { nextAttempt } from './next-attempt.ts'
import type { Next } from './next-attempt.ts'
import { askedMs, chatChange } from './outcome.ts'
import type { Sender } from './sender.ts'

/**
 * Answers to commands: behind what is critical, before everything else, in their order in each chat. They are not
 * stored; one that meets a passing fault waits for its next attempt, and those behind it wait with it. Answers to
 * people are given their place by turns with other rows; strangers get what room is left, and little of it.
 */
export interface Answers {
  /** Resolves with how the last attempt ended. */
  add(to: Address, attempt: Attempt): Promise<Delivery>
  /** Brings it at once, or not at all. */
  bring(to: Address, attempt: Attempt): Promise<Delivery>
  waiting(): boolean
  /** Chats, and whole platforms, of which only critical rows may be taken now. */
  criticalOnly(tick: number): Pick<OutboxTurn, 'criticalOnly' | 'criticalOnlyOn'>
  /** Sends what may go now; false when that is nothing. */
  launch(tick: number): boolean
  /** When the next one is due that waits for its next attempt; null when none does. */
  dueAt(tick: number): number | null
  /** What still waits is tried at once, one after the other, and then given up. */
  finish(): Promise<void>
}

/** More of them than this are let down at once: whoever comes in a crowd must not fill our memory. */
const MOST_STRANGERS = 500
/** Sends to strangers under way at once: should they hang, there is room for everybody else. */
const STRANGERS_AT_ONCE = 8

const LEFT_OUT = {
  is: 'delayed',
  retryAfterMs: null,
  scope: 'chat',
  maybeSent: false,
  why: 'too many strangers wait for an answer',
} as const satisfies Delivery

interface Answer {
  to: Address
  destination: Destination
  attempt: Attempt
  look: Look
  tries: number
  askedTick: number
  dueTick: number
  over(delivery: Delivery): void
}

export function createAnswers(world: {
  clock: Clock
  emit: Emit
  random: () => number
  chats: Chats
  gates: Gates
  holds: Holds
  flights: Flights
  sender: Sender
  /** Keeps what a delivery says of its chat; the chat waits when that fails. */
  keep(change: Change, of: Destination, before: number): Promise<void>
}): Answers {
  const { clock, emit, random, chats, gates, holds, flights, sender, keep } = world
  let waiting = new Set<Answer>()
  let strangersFlying = 0
  /** Platforms on which answers went last: rows are next. */
  const served = new Set<string>()

  /** The first of each chat. */
  function heads(): Answer[] {
    const first = new Map<string, Answer>()
    for (const answer of waiting) {
      const { key } = answer.destination
      if (!first.has(key)) first.set(key, answer)
    }
    return [...first.values()]
  }

  function begin(to: Address, attempt: Attempt, over: Answer['over']): Answer {
    const destination = destinationOf(to, chats.at(to))
    const tick = clock.tick()
    const look = { plain: false, possibleRepeat: false }
    return { to, destination, attempt, look, tries: 0, askedTick: tick, dueTick: tick, over }
  }

  /** One attempt, and what it means for its chat; the answer is ready for the next one, if there is to be one. */
  async function attempt(answer: Answer): Promise<{ delivery: Delivery; next: Next }> {
    const { to, destination, look } = answer
    const delivery = await sender.answer(answer.attempt, to, look)
    const tries = ++answer.tries
    const next = nextAttempt({ to, look, tries, ageMs: clock.tick() - answer.askedTick }, delivery, random())
    if (next.trouble !== null) emit({ is: 'trouble', where: `${to.platform} answer`, why: next.trouble })
    holds.ended(destination, delivery, delivery.is === 'delayed' ? askedMs(delivery.retryAfterMs) : null)
    const chat = chats.get(destination.chatId ?? -1)
    // A row may have learned meanwhile that the chat has moved: this is no news of where it is now.
    const change = chat && sameAddress(chat.address, to) ? chatChange(chat.id, delivery) : null
    if (change) await keep(change, destination, tries - 1)
    if (next.is === 'again') {
      answer.to = next.to
      answer.destination = { ...destination, address: next.to, key: addressKey(next.to) }
      answer.look = next.look
      answer.dueTick = clock.tick() + next.inMs
    }
    return { delivery, next }
  }

  async function fly(answer: Answer): Promise<void> {
    const strange = isStrange(answer)
    if (strange) strangersFlying++
    const { delivery, next } = await attempt(answer).finally(() => {
      if (strange) strangersFlying--
    })
    if (next.is === 'over') answer.over(delivery)
    // Its chat's gate is closed yet, so nothing has overtaken it.
    else waiting = new Set([answer, ...waiting])
  }

  /** Attempts as long as there is nothing to wait for. */
  async function atOnce(answer: Answer): Promise<void> {
    const { delivery, next } = await attempt(answer)
    if (next.is === 'again' && next.inMs === 0) return atOnce(answer)
    if (next.is === 'again') {
      const why = `an answer was given up at the end${'why' in delivery ? `: ${delivery.why}` : ''}`
      emit({ is: 'trouble', where: `${answer.to.platform} answer`, why })
    }
    answer.over(delivery)
  }

  return {
    add: (to, once) =>
      new Promise((resolve) => {
        const answer = begin(to, once, resolve)
        const strangers = isStrange(answer) ? [...waiting].filter(isStrange).length : 0
        if (strangers < MOST_STRANGERS) waiting.add(answer)
        else resolve(LEFT_OUT)
      }),
    bring: (to, once) => new Promise((resolve) => void atOnce(begin(to, once, resolve))),
    waiting: () => waiting.size > 0,
    criticalOnly(tick) {
      // In a group anybody may ask, as much as they like: there, alerts go first.
      const due = heads().filter((one) => one.dueTick <= tick && !one.destination.group && !isStrange(one))
      const own = due.map(({ destination }) => destination.chatId).filter((id) => id !== null)
      // One that could go now would else lose the platform's next place to a row of another chat.
      const ready = due.filter(({ destination }) => gates.isOpen(destination, tick))
      // By turns: many who ask must not keep warnings waiting.
      const platforms = [...new Set(ready.map(({ to }) => to.platform))].filter(
        (name) => !served.delete(name),
      )
      return { criticalOnly: own, criticalOnlyOn: platforms }
    },
    launch(tick) {
      let launched = false
      const all = heads()
      for (const answer of [...all.filter((one) => !isStrange(one)), ...all.filter(isStrange)]) {
        const { destination, dueTick } = answer
        if (dueTick > tick || !gates.isOpen(destination, tick)) continue
        if (isStrange(answer) && strangersFlying >= STRANGERS_AT_ONCE) continue
        if (!isStrange(answer)) served.add(answer.to.platform)
        waiting.delete(answer)
        flights.begin(destination, () => fly(answer))
        launched = true
      }
      return launched
    },
    dueAt(tick) {
      const later = heads().flatMap(({ dueTick }) => (dueTick > tick ? [dueTick] : []))
      return later.length === 0 ? null : Math.min(...later)
    },
    async finish() {
      for (const answer of waiting) {
        waiting.delete(answer)
        await atOnce(answer)
      }
    },
  }
}

/** For a chat that nobody has made known to us. */
function isStrange({ destination }: Answer): boolean {
  return destination.chatId === null
}
