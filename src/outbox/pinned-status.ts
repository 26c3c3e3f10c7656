import type { Notifier } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import { placeKey, type SentRef } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import { type Message, type Text, words as sentence } from '../message/message.ts'
import { PIN_EVERY_MS, type Pinning } from '../people/pin.ts'
import { type Clock, createAlarm, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'

/**
 * Keeps the live cards up to date. Does not use the outbox, and writes only while nothing else is being sent.
 */
interface Pins {
  /** Checks whether a card has to be written. */
  nudge(): void
  /** How the new card of a chat fared; null if that is not known in time. */
  shown(chatId: number): Promise<Pinning | null>
  stop(): void
}

const SEND_LIMIT_MS = 10_000
/** How soon to look again while other sends are under way. */
const BUSY_RETRY_MS = 1_000
/** Telegram takes about one message a second in a private chat and 20 a minute in a group, edits included. */
const PRIVATE_EVERY_MS = 15_000
const GROUP_EVERY_MS = 30_000
/** All cards together make at most two edits a second: a platform takes about thirty messages. */
const SHARE_MS = 500
/** After a refused edit a card is written a quarter as often, and after each good one a fifth more often. */
const SLOWER = 4
const FASTER = 0.8
/** How long somebody waits for the first card. */
const SHOWN_WITHIN_MS = 3_000

/** The card of one chat. */
interface Card {
  /** Also of a message that could not be stored: otherwise a second one would be sent. */
  ref: SentRef | null
  /** The words without their ages, as they were last written. */
  face: string | null
  writtenMono: number
  /** When it is compared next. */
  dueMono: number
  everyMs: number
}

export function createPins(world: {
  clock: Clock
  emit: Emit
  adapters: ReadonlyMap<string, Notifier>
  /** Chats that have a card, or want one. */
  chats(): readonly Chat[]
  words(chat: Chat): Message
  /** Marks a card that is kept up to date no longer. */
  lastWords(chatId: number): Message
  /** True if nothing else is being sent. */
  isAtRest(): boolean
  change(change: Change): Promise<unknown>
  /** False while another process may write cards. */
  mayAct?: () => boolean
}): Pins {
  const { clock, emit, adapters, words, isAtRest, change, mayAct = () => true } = world
  const stopping = new AbortController()
  const alarm = createAlarm(clock, nudge)
  const cards = new Map<number, Card>()
  const waiting = new Map<number, (fared: Pinning) => void>()
  /** A platform that hangs holds up no other. */
  const busy = new Set<string>()

  function nudge(): void {
    if (stopping.signal.aborted) return
    for (let work = next(); work; work = next()) {
      if (!isAtRest() || !mayAct()) return alarm.set(BUSY_RETRY_MS)
      const { platform, run } = work
      busy.add(platform)
      run()
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) emit({ is: 'trouble', where: 'pin', why: String(error), error })
        })
        .finally(() => {
          busy.delete(platform)
          nudge()
        })
    }
  }

  /** Returns the next piece of work, one at a time for each platform. Null: nothing is due until the alarm rings. */
  function next(): { platform: string; run: () => Promise<void> } | null {
    const chats = world.chats()
    const wanted = new Set(chats.map(({ id }) => id))
    for (const [id, { ref }] of cards) {
      if (wanted.has(id)) continue
      const platform = ref?.address.platform ?? ''
      if (!busy.has(platform)) return { platform, run: () => end(id) }
    }
    const mono = clock.monotonic()
    const leastMs = chats.length * SHARE_MS
    let firstMono = Infinity
    for (const chat of chats) {
      const { platform } = chat.address
      if (chat.brokenBecause !== null || busy.has(platform)) continue
      const card = cardOf(chat)
      if (card.dueMono <= mono) {
        const face = faceOf(words(chat))
        if (face !== card.face || mono - card.writtenMono >= PIN_EVERY_MS)
          return { platform, run: () => write(chat, card) }
        card.dueMono = mono + Math.max(card.everyMs, leastMs)
      }
      firstMono = Math.min(firstMono, card.dueMono)
    }
    if (firstMono < Infinity) alarm.set(Math.max(firstMono - mono, 0))
    return null
  }

  function cardOf({ id, pin, private: own }: Chat): Card {
    const everyMs = own ? PRIVATE_EVERY_MS : GROUP_EVERY_MS
    const card = cards.get(id) ?? {
      ref: null,
      face: null,
      writtenMono: -Infinity,
      dueMono: -Infinity,
      everyMs,
    }
    cards.set(id, card)
    if (pin?.ref) card.ref = pin.ref
    return card
  }

  async function write(chat: Chat, card: Card): Promise<void> {
    const { id, address, pin } = chat
    const said = words(chat)
    const usualMs = chat.private ? PRIVATE_EVERY_MS : GROUP_EVERY_MS
    const paced = (everyMs: number) => Math.max(everyMs, usualMs, world.chats().length * SHARE_MS)
    card.dueMono = clock.monotonic() + paced(card.everyMs)
    const adapter = adapters.get(address.platform)
    if (!adapter) return
    // After the chat has moved, the message at its old address cannot be edited.
    const edited = card.ref && placeKey(card.ref.address) === placeKey(address) ? card.ref : null
    const delivery = await inTime((signal) =>
      edited ? adapter.edit(edited, said, signal) : adapter.deliver(first(chat, said), signal),
    )
    if (delivery.is === 'sent') {
      card.everyMs = paced(card.everyMs * FASTER)
      Object.assign(card, { ref: delivery.ref, face: faceOf(said), writtenMono: clock.monotonic() })
      try {
        if (pin?.ref === null) await change({ is: 'pinned', chatId: id, ref: delivery.ref })
      } finally {
        if (!edited) await put(id, delivery.ref)
      }
    } else {
      card.everyMs = Math.min(card.everyMs * SLOWER, PIN_EVERY_MS)
      const askedMs = delivery.is === 'delayed' ? (delivery.retryAfterMs ?? 0) : PIN_EVERY_MS
      card.dueMono = clock.monotonic() + Math.max(card.everyMs, askedMs)
    }
    // The message was deleted or cannot be edited. A chat that is merely gone keeps its card, as it may come back.
    if (delivery.is === 'rejected') {
      cards.delete(id)
      await change({ is: 'unpin', chatId: id })
    }
  }

  /** Asks the platform once to keep the new card in sight, and says how that fared. */
  async function put(id: number, ref: SentRef): Promise<void> {
    const why = await pinned(ref, true)
    waiting.get(id)?.(why === null ? { is: 'pinned' } : { is: 'refused', why })
    waiting.delete(id)
  }

  /** Null: done. Else why not. */
  async function pinned(ref: SentRef, isKept: boolean): Promise<Text | null> {
    const pin = adapters.get(ref.address.platform)?.pin
    if (!pin) return sentence('card.pin.never')
    if (!mayAct()) return sentence('card.pin.failed')
    try {
      return await within(clock, SEND_LIMIT_MS, stopping.signal, (signal) => pin(ref, isKept, signal))
    } catch (error) {
      if (!stopping.signal.aborted) emit({ is: 'trouble', where: 'pin', why: String(error), error })
      return sentence('card.pin.failed')
    }
  }

  /** Marks the message as abandoned, so that readers do not take its age for a sign that Perch is down. */
  async function end(id: number): Promise<void> {
    const { ref = null } = cards.get(id) ?? {}
    cards.delete(id)
    const adapter = ref && adapters.get(ref.address.platform)
    if (!adapter) return
    await inTime((signal) => adapter.edit(ref, world.lastWords(id), signal))
    await pinned(ref, false)
  }

  function first({ id, address: to }: Chat, said: Message) {
    const once = { alertIds: [], plain: false, possibleRepeat: false, replyTo: null, mention: null }
    return { ...once, to, key: `perch-pin-${id}-${clock.now()}`, message: said, silent: true }
  }

  function inTime(work: (signal: AbortSignal) => Promise<Delivery>): Promise<Delivery> {
    return within(clock, SEND_LIMIT_MS, stopping.signal, work)
  }

  return {
    nudge,
    shown(chatId) {
      const { promise, resolve } = Promise.withResolvers<Pinning | null>()
      const callOff = clock.wakeAt(clock.monotonic() + SHOWN_WITHIN_MS, () => resolve(null))
      waiting.set(chatId, resolve)
      nudge()
      return promise.finally(() => {
        callOff()
        waiting.delete(chatId)
      })
    },
    stop() {
      stopping.abort(new Error('stopping'))
      alarm.off()
    },
  }
}

/** A message without the times that readers see as an age: these alone are no reason to write it again. */
function faceOf(message: Message): string {
  return JSON.stringify(message, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'as' in value && value.as === 'ago' ? null : value,
  )
}
