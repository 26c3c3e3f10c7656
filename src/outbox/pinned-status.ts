import type { Notifier } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import { placeKey, type SentRef } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import { type Message, say } from '../message/message.ts'
import { PIN_EVERY_MS } from '../people/pin.ts'
import { type Clock, createAlarm, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'

/** Keeps messages of chats up to date, past the outbox: never while anything else is being sent. */
interface Pins {
  /** Something may have to be written. */
  nudge(): void
  stop(): void
}

const SEND_LIMIT_MS = 10_000
/** How soon to look again while others send. */
const REST_MS = 1_000

export function createPins(world: {
  clock: Clock
  emit: Emit
  adapters: ReadonlyMap<string, Notifier>
  /** Those that have such a message, or want one. */
  chats(): readonly Chat[]
  words(chat: Chat): Message
  /** Nobody else sends anything now. */
  isAtRest(): boolean
  change(change: Change): Promise<unknown>
}): Pins {
  const { clock, emit, adapters, words, isAtRest, change } = world
  const stopping = new AbortController()
  const alarm = createAlarm(clock, nudge)
  const writtenMono = new Map<number, number>()
  /** Where they stand, also one of which that could not be kept: a second one must not come. */
  const known = new Map<number, SentRef>()
  let writing = false

  const dueMono = ({ id }: Chat) => (writtenMono.get(id) ?? -Infinity) + PIN_EVERY_MS

  function nudge(): void {
    if (writing || stopping.signal.aborted) return
    const work = next()
    if (work === null) return
    if (!isAtRest()) return alarm.set(REST_MS)
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

  /** One at a time. Null: nothing is due before the alarm rings. */
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
    // What stands in another place, from before the chat has moved, cannot be changed.
    const edited = ref && placeKey(ref.address) === placeKey(address) ? ref : null
    const delivery = await inTime((signal) =>
      edited ? adapter.edit(edited, words(chat), signal) : adapter.deliver(first(chat), signal),
    )
    if (delivery.is === 'sent') {
      known.set(id, delivery.ref)
      if (pin?.ref === null) await change({ is: 'pinned', chatId: id, ref: delivery.ref })
    }
    // It was deleted, or nothing can be changed there. Whoever has locked us out may let us in again.
    if (delivery.is === 'rejected') {
      known.delete(id)
      await change({ is: 'unpin', chatId: id })
    }
  }

  /** Whoever reads it must not take us for dead. */
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
