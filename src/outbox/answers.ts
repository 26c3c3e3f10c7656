import type { Attempt, TryAnswer } from '../chat/bot.ts'
import type { Chats } from '../people/chat.ts'
import { backoffMs } from '../lib/time/backoff.ts'
import { type Address, addressKey, sameAddress } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { DispatchRound } from '../store/store.ts'
import type { Flights } from './in-flight.ts'
import { askedMs, chatChange, MOVES_AT_ONCE } from './outcome.ts'
import type { PlatformPauses } from './platform-pauses.ts'
import { type Destination, destinationOf, type SendGates } from './send-gates.ts'
import type { Sender } from './sender.ts'

/**
 * Answers to commands: behind what is critical, before everything else, in their order in each chat. They are not
 * stored; one that meets a passing fault waits for its next attempt, and those behind it wait with it. Answers to
 * people are given their place by turns with other rows; strangers get what room is left, and little of it.
 */
interface Answers {
  /** Resolves with how the last attempt ended. */
  add(to: Address, attempt: TryAnswer): Promise<Delivery>
  /** Brings it at once, or not at all. */
  bring(to: Address, attempt: TryAnswer): Promise<Delivery>
  waiting(): boolean
  /** Chats, and whole platforms, of which only critical rows may be taken now. */
  criticalOnly(mono: number): Pick<DispatchRound, 'criticalOnly' | 'criticalOnlyOn'>
  /** Sends what may go now; false when that is nothing. */
  launch(mono: number): boolean
  /** When the next one is due that waits for its next attempt; null when none does. */
  dueAt(mono: number): number | null
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
  attempt: TryAnswer
  look: Attempt
  tries: number
  askedMono: number
  dueMono: number
  over(delivery: Delivery): void
}

export function createAnswers(world: {
  clock: Clock
  emit: Emit
  random: () => number
  chats: Chats
  gates: SendGates
  pauses: PlatformPauses
  flights: Flights
  sender: Sender
  /** Keeps what a delivery says of its chat; the chat waits when that fails. */
  keep(change: Change, of: Destination, before: number): Promise<void>
}): Answers {
  const { clock, emit, random, chats, gates, pauses, flights, sender, keep } = world
  const waiting = createLines<Answer>(({ destination }) => destination.key)
  /** Of these, those that had an attempt: nothing else has to wait for its time. */
  const tried = new Set<Answer>()
  const strangers = { waiting: 0, flying: 0 }
  /** Platforms on which answers went last: rows are next. */
  const served = new Set<string>()

  /** Platforms that take more now: of very many that wait for another one, none has to be looked at. */
  const open = (mono: number) =>
    new Set(gates.room(mono).flatMap(({ platform, most }) => (most > 0 ? [platform] : [])))

  function begin(to: Address, attempt: TryAnswer, over: Answer['over']): Answer {
    const destination = destinationOf(to, chats.at(to))
    const mono = clock.monotonic()
    const look = { plain: false, possibleRepeat: false }
    return { to, destination, attempt, look, tries: 0, askedMono: mono, dueMono: mono, over }
  }

  /** One attempt, and what it means for its chat; the answer is ready for the next one, if there is to be one. */
  async function attempt(answer: Answer): Promise<{ delivery: Delivery; next: Next }> {
    const { to, destination, look } = answer
    const delivery = await sender.answer(answer.attempt, to, look)
    const tries = ++answer.tries
    const next = nextAttempt(
      { to, look, tries, ageMs: clock.monotonic() - answer.askedMono },
      delivery,
      random(),
    )
    if (next.trouble !== null) emit({ is: 'trouble', where: `${to.platform} answer`, why: next.trouble })
    pauses.ended(destination, delivery, delivery.is === 'delayed' ? askedMs(delivery.retryAfterMs) : null)
    const chat = chats.get(destination.chatId ?? -1)
    // A row may have learned meanwhile that the chat has moved: this is no news of where it is now.
    const change = chat && sameAddress(chat.address, to) ? chatChange(chat.id, delivery) : null
    if (change) await keep(change, destination, tries - 1)
    if (next.is === 'again') {
      answer.to = next.to
      answer.destination = { ...destination, address: next.to, key: addressKey(next.to) }
      answer.look = next.look
      answer.dueMono = clock.monotonic() + next.inMs
    }
    return { delivery, next }
  }

  async function fly(answer: Answer): Promise<void> {
    const strange = isStrange(answer) ? 1 : 0
    strangers.flying += strange
    const { delivery, next } = await attempt(answer).finally(() => void (strangers.flying -= strange))
    if (next.is === 'over') return answer.over(delivery)
    // Its chat's gate is closed yet, so nothing has overtaken it.
    waiting.addFirst(answer)
    tried.add(answer)
    strangers.waiting += strange
  }

  function take(answer: Answer): void {
    waiting.take(answer)
    tried.delete(answer)
    if (isStrange(answer)) strangers.waiting--
  }

  /** Of strangers, or of everybody else. */
  function launchSome(mono: number, strange: boolean): boolean {
    let launched = false
    let roomy = open(mono)
    for (const answer of roomy.size > 0 ? waiting.heads() : []) {
      const { destination, dueMono } = answer
      if (isStrange(answer) !== strange || dueMono > mono) continue
      if (!roomy.has(destination.platform) || !gates.isOpen(destination, mono)) continue
      if (strange && strangers.flying >= STRANGERS_AT_ONCE) break
      if (!strange) served.add(destination.platform)
      take(answer)
      flights.begin(destination, () => fly(answer))
      launched = true
      roomy = open(mono)
      if (roomy.size === 0) break
    }
    return launched
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
        if (isStrange(answer) && strangers.waiting >= MOST_STRANGERS) return resolve(LEFT_OUT)
        waiting.add(answer)
        if (isStrange(answer)) strangers.waiting++
        return undefined
      }),
    bring: (to, once) => new Promise((resolve) => void atOnce(begin(to, once, resolve))),
    waiting: () => waiting.size() > 0,
    criticalOnly(mono) {
      // In a group anybody may ask, as much as they like: there, alerts go first.
      const own: number[] = []
      // One that could go now would else lose the platform's next place to a row of another chat.
      const ready = new Set<string>()
      const roomy = open(mono)
      for (const { dueMono, destination } of waiting.heads()) {
        const { chatId, group, platform } = destination
        if (dueMono > mono || group || chatId === null) continue
        own.push(chatId)
        if (roomy.has(platform) && !ready.has(platform) && gates.isOpen(destination, mono))
          ready.add(platform)
      }
      // By turns: many who ask must not keep warnings waiting.
      return { criticalOnly: own, criticalOnlyOn: [...ready].filter((name) => !served.delete(name)) }
    },
    launch(mono) {
      const launched = launchSome(mono, false)
      return (strangers.waiting > 0 && launchSome(mono, true)) || launched
    },
    dueAt(mono) {
      let next = Infinity
      for (const { dueMono } of tried) if (dueMono > mono) next = Math.min(next, dueMono)
      return next === Infinity ? null : next
    },
    async finish() {
      for (const answer of waiting.heads()) {
        take(answer)
        await atOnce(answer)
      }
    },
  }
}

/** For a chat that nobody has made known to us. */
function isStrange({ destination }: Answer): boolean {
  return destination.chatId === null
}

/** An answer after an attempt. */
interface Tried {
  to: Address
  look: Attempt
  /** Attempts so far, this one included. */
  tries: number
  /** Since somebody asked. */
  ageMs: number
}

/** Whether an answer is tried again, when, where and how. `trouble` is what the operator should see of it. */
type Next =
  | { is: 'over'; trouble: string | null }
  | { is: 'again'; inMs: number; to: Address; look: Attempt; trouble: string | null }

const BACKOFF = { firstMs: 500, longestMs: 30_000 }
/** With the waits between them about a minute: who asked has asked again by then. */
const MOST_TRIES = 8
/** A platform may ask to wait for hours. Discord takes no answer after this time either (limits.ts there). */
const LONGEST_MS = 15 * 60_000

function nextAttempt(tried: Tried, delivery: Delivery, random: number): Next {
  const { to, look, tries, ageMs } = tried
  const again = (inMs: number, why: string, change: { to?: Address; look?: Attempt } = {}): Next =>
    tries >= MOST_TRIES || ageMs + inMs > LONGEST_MS
      ? { is: 'over', trouble: `an answer was given up after ${tries} attempts: ${why}` }
      : { is: 'again', inMs, to, look, trouble: null, ...change }
  if (delivery.is === 'sent') return { is: 'over', trouble: null }
  // What it means for the chat is told as a change of the chat.
  if (delivery.is === 'gone') return { is: 'over', trouble: null }
  if (delivery.is === 'moved') {
    const inMs = tries < MOVES_AT_ONCE ? 0 : backoffMs(tries, random, BACKOFF)
    return again(inMs, 'its chat has moved', { to: delivery.to })
  }
  const { why } = delivery
  if (delivery.is === 'rejected') {
    if (look.plain) return { is: 'over', trouble: `an answer was refused, also as plain text: ${why}` }
    const next = again(0, why, { look: { ...look, plain: true } })
    return { ...next, trouble: next.trouble ?? `an answer was refused, and goes out plain: ${why}` }
  }
  const { retryAfterMs, maybeSent } = delivery
  const possibleRepeat = look.possibleRepeat || maybeSent
  return again(askedMs(retryAfterMs) ?? backoffMs(tries, random, BACKOFF), why, {
    look: { ...look, possibleRepeat },
  })
}

/** Those that wait, in the order in which they came, and under each key one behind the other. */
interface Lines<T> {
  size(): number
  /** Who is first under a key, in the order in which they came. */
  heads(): Iterable<T>
  add(one: T): void
  /** Before all others. */
  addFirst(one: T): void
  /** Who is first under a key waits no longer. */
  take(one: T): void
}

export function createLines<T extends object | string>(keyOf: (one: T) => string): Lines<T> {
  let all = new Set<T>()
  const lines = new Map<string, T[]>()
  /** All but the heads: to look through very many, no key is looked up. */
  const behind = new Set<T>()

  function* heads(): Generator<T> {
    for (const one of all) if (!behind.has(one)) yield one
  }

  return {
    size: () => all.size,
    heads,
    add(one) {
      all.add(one)
      const line = lines.get(keyOf(one))
      if (line) {
        line.push(one)
        behind.add(one)
      } else lines.set(keyOf(one), [one])
    },
    addFirst(one) {
      all = new Set([one, ...all])
      const line = lines.get(keyOf(one)) ?? []
      const [head] = line
      if (head) behind.add(head)
      lines.set(keyOf(one), [one, ...line])
    },
    take(one) {
      all.delete(one)
      const line = lines.get(keyOf(one)) ?? []
      line.shift()
      const [next] = line
      if (next) behind.delete(next)
      else lines.delete(keyOf(one))
    },
  }
}
