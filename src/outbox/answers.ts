import type { Attempt, TryAnswer } from '../chat/bot.ts'
import type { Chats } from '../people/chat.ts'
import { backoffMs } from '../lib/time/backoff.ts'
import { type Address, addressKey, sameAddress } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { DispatchRound } from '../store/store.ts'
import { type Destination, destinationOf, type Flights, type SendGates } from './send-gates.ts'
import { askedMs, chatChange, MAX_IMMEDIATE_MOVES } from './outcome.ts'
import type { PlatformPauses } from './platform-pauses.ts'
import type { Sender } from './sender.ts'

/**
 * Sends answers to commands, in order within each chat. Critical rows go before answers, and answers before other rows.
 * On a platform, answers to people take turns with rows; strangers get the capacity that is left, a few at a time.
 * Answers are not stored. After a transient failure an answer waits for its next attempt, and later answers of its chat
 * wait behind it.
 */
interface Answers {
  /** Resolves with the outcome of the last attempt. */
  add(to: Address, attempt: TryAnswer): Promise<Delivery>
  /** Sends it now, for the time when the dispatcher does not run. Retries only attempts that need no wait. */
  bring(to: Address, attempt: TryAnswer): Promise<Delivery>
  waiting(): boolean
  /** Chats whose answer is sent again later: no picture of it goes before. */
  sentAgain(): number[]
  /** Chats and whole platforms that may send only critical rows now, because an answer is waiting there. */
  criticalOnly(mono: number): Pick<DispatchRound, 'criticalOnly' | 'criticalOnlyOn'>
  /** Starts the answers that may go now. Returns false if it started nothing. */
  launch(mono: number): boolean
  /** Time of the next retry, or null if no answer waits for one. */
  dueAt(mono: number): number | null
  /** Sends the waiting answers one by one, without another wait, and then gives up. */
  finish(): Promise<void>
}

/** How many answers to strangers may wait. Further ones are refused at once, so that a crowd cannot fill the memory. */
const MAX_WAITING_STRANGERS = 500
/** How many sends to strangers may be under way. If they all hang, others still have capacity. */
const MAX_STRANGERS_IN_FLIGHT = 8

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
  /** Commits a change of the chat, e.g. that it is gone. If that fails, the chat waits. */
  keep(change: Change, of: Destination, before: number): Promise<void>
}): Answers {
  const { clock, emit, random, chats, gates, pauses, flights, sender, keep } = world
  const waiting = createLines<Answer>(({ destination }) => destination.key)
  /** The waiting answers that had an attempt. Only these can wait for a due time. */
  const tried = new Set<Answer>()
  const strangers = { waiting: 0, flying: 0 }
  /** Platforms where an answer went last. Rows have the next turn there. */
  const served = new Set<string>()

  /** Platforms that have capacity now. With none, the long list of waiting answers need not be walked. */
  const open = (mono: number) =>
    new Set(gates.room(mono).flatMap(({ platform, most }) => (most > 0 ? [platform] : [])))

  function begin(to: Address, attempt: TryAnswer, over: Answer['over']): Answer {
    const destination = destinationOf(to, chats.at(to))
    const mono = clock.monotonic()
    const look = { plain: false, possibleRepeat: false }
    return { to, destination, attempt, look, tries: 0, askedMono: mono, dueMono: mono, over }
  }

  /**
   * Makes one attempt and applies its outcome to the chat. Prepares the answer for its next attempt if there is one.
   */
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
    // A row may have reported meanwhile that the chat moved. Then this outcome is about the old address.
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
    // The gate of its chat is still closed, unless alerts could wait for it no longer.
    waiting.addFirst(answer)
    tried.add(answer)
    strangers.waiting += strange
  }

  function take(answer: Answer): void {
    waiting.take(answer)
    tried.delete(answer)
    if (isStrange(answer)) strangers.waiting--
  }

  /** Starts answers to strangers, or those to everybody else. */
  function launchSome(mono: number, strange: boolean): boolean {
    let launched = false
    let roomy = open(mono)
    for (const answer of roomy.size > 0 ? waiting.heads() : []) {
      const { destination, dueMono } = answer
      if (isStrange(answer) !== strange || dueMono > mono) continue
      if (!roomy.has(destination.platform) || !gates.isOpen(destination, mono)) continue
      if (strange && strangers.flying >= MAX_STRANGERS_IN_FLIGHT) break
      if (!strange) served.add(destination.platform)
      take(answer)
      flights.begin(destination, () => fly(answer), true)
      launched = true
      roomy = open(mono)
      if (roomy.size === 0) break
    }
    return launched
  }

  /** Makes attempts until one succeeds or the next one would have to wait. */
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
    sentAgain: () => [...tried].flatMap(({ destination: { chatId } }) => chatId ?? []),
    add: (to, once) =>
      new Promise((resolve) => {
        const answer = begin(to, once, resolve)
        if (isStrange(answer) && strangers.waiting >= MAX_WAITING_STRANGERS) return resolve(LEFT_OUT)
        waiting.add(answer)
        if (isStrange(answer)) strangers.waiting++
        return undefined
      }),
    bring: (to, once) => new Promise((resolve) => void atOnce(begin(to, once, resolve))),
    waiting: () => waiting.size() > 0,
    criticalOnly(mono) {
      // Not in groups: anybody may send commands there, as many as they like, and alerts must not wait for them.
      const own: number[] = []
      // Without this, a row of another chat would take the platform's next slot.
      const ready = new Set<string>()
      const roomy = open(mono)
      for (const { dueMono, destination } of waiting.heads()) {
        const { chatId, group, platform } = destination
        if (dueMono > mono || group || chatId === null) continue
        own.push(chatId)
        if (roomy.has(platform) && !ready.has(platform) && gates.isOpen(destination, mono))
          ready.add(platform)
      }
      // A platform that sent an answer last is left out, so that many commands cannot keep warnings waiting.
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

/** True if no known chat has this address. */
function isStrange({ destination }: Answer): boolean {
  return destination.chatId === null
}

/** An answer, as it stands after an attempt. */
interface Tried {
  to: Address
  look: Attempt
  /** Attempts so far, including this one. */
  tries: number
  /** Time since the command arrived. */
  ageMs: number
}

/** Whether, when, where and how an answer is tried again. The operator sees `trouble`. */
type Next =
  | { is: 'over'; trouble: string | null }
  | { is: 'again'; inMs: number; to: Address; look: Attempt; trouble: string | null }

const BACKOFF = { firstMs: 500, longestMs: 30_000 }
/** With the waits in between this takes about a minute. By then a person has repeated the command. */
const MAX_ATTEMPTS = 8
/** A platform may ask for a wait of hours. Discord accepts no answer after 15 minutes either (see its limits.ts). */
const LONGEST_MS = 15 * 60_000

function nextAttempt(tried: Tried, delivery: Delivery, random: number): Next {
  const { to, look, tries, ageMs } = tried
  const again = (inMs: number, why: string, change: { to?: Address; look?: Attempt } = {}): Next =>
    tries >= MAX_ATTEMPTS || ageMs + inMs > LONGEST_MS
      ? { is: 'over', trouble: `an answer was given up after ${tries} attempts: ${why}` }
      : { is: 'again', inMs, to, look, trouble: null, ...change }
  if (delivery.is === 'sent') return { is: 'over', trouble: null }
  // The caller commits this as a change of the chat.
  if (delivery.is === 'gone') return { is: 'over', trouble: null }
  if (delivery.is === 'moved') {
    const inMs = tries < MAX_IMMEDIATE_MOVES ? 0 : backoffMs(tries, random, BACKOFF)
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

/** A queue of queues: items in order of arrival, and one line per key. */
interface Lines<T> {
  size(): number
  /** The first item of each key, in order of arrival. */
  heads(): Iterable<T>
  add(one: T): void
  /** Puts it before all others. */
  addFirst(one: T): void
  /** Removes the first item of its key. */
  take(one: T): void
}

export function createLines<T extends object | string>(keyOf: (one: T) => string): Lines<T> {
  let all = new Set<T>()
  const lines = new Map<string, T[]>()
  /** All items but the heads, so that walking the heads needs no lookup of a key. */
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
