import type { Notifier } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import { placeKey, type SentRef } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import { type Message, say } from '../message/message.ts'
import { PIN_EVERY_MS } from '../people/pin.ts'
import { type Clock, createAlarm, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'

/**
 * Keeps the pinned status messages up to date. Does not use the outbox, and writes only while nothing else is being
 * sent.
 */
interface Pins {
  /** Checks whether a pinned message has to be written. */
  nudge(): void
  stop(): void
}

const SEND_LIMIT_MS = 10_000
/** How soon to look again while other sends are under way. */
const BUSY_RETRY_MS = 1_000

export function createPins(world: {
  clock: Clock
  emit: Emit
  adapters: ReadonlyMap<string, Notifier>
  /** Chats that have a pinned status, or want one. */
  chats(): readonly Chat[]
  words(chat: Chat): Message
  /** True if nothing else is being sent. */
  isAtRest(): boolean
  change(change: Change): Promise<unknown>
}): Pins {
  const { clock, emit, adapters, words, isAtRest, change } = world
  const stopping = new AbortController()
  const alarm = createAlarm(clock, nudge)
  const writtenMono = new Map<number, number>()
  /** The pinned messages by chat, including those that could not be stored: otherwise a second one would be sent. */
  const known = new Map<number, SentRef>()
  let writing = false

  const dueMono = ({ id }: Chat) => (writtenMono.get(id) ?? -Infinity) + PIN_EVERY_MS

  function nudge(): void {
    if (writing || stopping.signal.aborted) return
    const work = next()
    if (work === null) return
    if (!isAtRest()) return alarm.set(BUSY_RETRY_MS)
    writing = true
    work()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) emit({ is: 'trouble', where: 'pin', why: String(error), error })
      })
      .finally(() => {
        writing = false
        nudge()
      })
  }

  /** Returns the next piece of work, one at a time. Null: nothing is due until the alarm rings. */
  function next(): (() => Promise<void>) | null {
    const chats = world.chats()
    for (const { id, pin } of chats) if (pin?.ref) known.set(id, pin.ref)
    const over = [...known.keys()].find((id) => !chats.some((chat) => chat.id === id))
    if (over !== undefined) return () => end(over)
    const reached = chats.filter(({ brokenBecause }) => brokenBecause === null)
    const due = reached.find((chat) => dueMono(chat) <= clock.monotonic())
    if (due) return () => write(due)
    if (reached.length > 0) alarm.set(Math.min(...reached.map(dueMono)) - clock.monotonic())
    return null
  }

  async function write(chat: Chat): Promise<void> {
    const { id, address, pin } = chat
    writtenMono.set(id, clock.monotonic())
    const adapter = adapters.get(address.platform)
    if (!adapter) return
    const ref = known.get(id)
    // After the chat has moved, the message at its old address cannot be edited.
    const edited = ref && placeKey(ref.address) === placeKey(address) ? ref : null
    const delivery = await inTime((signal) =>
      edited ? adapter.edit(edited, words(chat), signal) : adapter.deliver(first(chat), signal),
    )
    if (delivery.is === 'sent') {
      known.set(id, delivery.ref)
      if (pin?.ref === null) await change({ is: 'pinned', chatId: id, ref: delivery.ref })
    }
    // The message was deleted or cannot be edited. A chat that is merely gone keeps its pin, as it may come back.
    if (delivery.is === 'rejected') {
      known.delete(id)
      await change({ is: 'unpin', chatId: id })
    }
  }

  /** Marks the message as abandoned, so that readers do not take its age for a sign that Perch is down. */
  async function end(id: number): Promise<void> {
    const ref = known.get(id)
    known.delete(id)
    writtenMono.delete(id)
    const adapter = ref && adapters.get(ref.address.platform)
    if (adapter)
      await inTime((signal) => adapter.edit(ref, say('This is not kept up to date any more'), signal))
  }

  function first(chat: Chat) {
    const once = { alertIds: [], plain: false, possibleRepeat: false, replyTo: null, mention: null }
    const key = `perch-pin-${chat.id}-${clock.now()}`
    return { ...once, to: chat.address, key, message: words(chat), silent: true }
  }

  function inTime(work: (signal: AbortSignal) => Promise<Delivery>): Promise<Delivery> {
    return within(clock, SEND_LIMIT_MS, stopping.signal, work)
  }

  return {
    nudge,
    stop() {
      stopping.abort(new Error('stopping'))
      alarm.off()
    },
  }
}
