import type { Notifier } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import { backoffMs } from '../lib/time/backoff.ts'
import { item, type Message, message, text } from '../message/message.ts'
import { type Clock, pause, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'

/**
 * Tells the operator at once that nothing can be kept, and everybody else when it lasts, past the outbox, which could not keep it
 * either: whoever counts on being warned must know that they are not.
 */
interface StorageAlarm {
  /** Why nothing can be kept; null when it can again. */
  storeFailed(why: string | null): void
  stop(): void
}

/** One message when it begins and one when it is over, however often it comes and goes in between. */
const QUIET_MS = 60_000
/** What is over sooner is the operator's business alone. */
const PATIENCE_MS = 60_000
/** Nobody but the operator hears of it more often. */
const REST_MS = 3_600_000
const SEND_LIMIT_MS = 20_000
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 }
const MOST_TRIES = 8

export function createStorageAlarm(world: {
  clock: Clock
  emit: Emit
  random: () => number
  adapters: ReadonlyMap<string, Notifier>
  /** The operator's. */
  chats: () => readonly Chat[]
  /** Where each person who counts on being warned is told first. */
  everybody: () => readonly Chat[]
  localize: (message: Message, chat: Chat) => Message
}): StorageAlarm {
  const { clock, emit, random, adapters, chats, everybody, localize } = world
  const stopping = new AbortController()
  let isTold = false
  let isKeeping = true
  let patience: (() => void) | null = null
  let othersTold: Chat[] = []
  let othersToldAt = -Infinity
  let callOff: (() => void) | null = null
  let sentMessages = 0

  const nextKey = () => `perch-cry-${clock.now()}-${++sentMessages}`

  function tell(words: Message): void {
    const key = nextKey()
    for (const chat of chats()) {
      if (!chat.private) continue
      send(chat, words, { key, silent: false, tries: MOST_TRIES }).catch((error: unknown) => {
        if (!stopping.signal.aborted) emit({ is: 'trouble', where: 'outbox', why: String(error), error })
      })
    }
  }

  async function send(
    chat: Chat,
    words: Message,
    { key, silent, tries: most }: { key: string; silent: boolean; tries: number },
  ): Promise<void> {
    const { address: to, mention } = chat
    const adapter = adapters.get(to.platform)
    if (!adapter) return
    const once = { alertIds: [], silent, plain: false, possibleRepeat: false, replyTo: null, mention }
    for (let tries = 1; ; tries++) {
      const delivery = await within(clock, SEND_LIMIT_MS, stopping.signal, (signal) =>
        adapter.deliver({ to, key, message: localize(words, chat), ...once }, signal),
      )
      if (delivery.is === 'sent') return
      if (delivery.is !== 'delayed' || tries === most) {
        const why = delivery.is === 'moved' ? 'the chat has moved' : delivery.why
        throw new Error(`the operator could not be told: ${why}`)
      }
      await pause(clock, backoffMs(tries, random(), BACKOFF), stopping.signal)
    }
  }

  /** One after the other, once each: no platform's pace is exceeded. Returns who has it. */
  async function tellEach(those: readonly Chat[], words: Message, goesOn: () => boolean): Promise<Chat[]> {
    const told: Chat[] = []
    for (const chat of those) {
      if (stopping.signal.aborted || !goesOn()) break
      const isSent = await send(chat, words, { key: nextKey(), silent: true, tries: 1 }).then(
        () => true,
        () => false,
      )
      if (isSent) told.push(chat)
    }
    const missed = those.length - told.length
    if (missed > 0 && goesOn())
      emit({
        is: 'trouble',
        where: 'outbox',
        why: `${missed} of ${those.length} people do not know whether anything is kept`,
      })
    return told
  }

  function tellOthers(since: number): void {
    patience = null
    if (isKeeping || clock.monotonic() - othersToldAt < REST_MS) return
    othersToldAt = clock.monotonic()
    const operators = new Set(chats().map(({ personId }) => personId))
    const others = everybody().filter(({ personId }) => !operators.has(personId))
    const lines = [
      text`Since ${{ time: since, as: 'clock' }} I cannot keep what I find, and I say nothing that I could not keep.`,
      'I try to reach whoever runs me. Look at your positions yourself until I write again.',
    ]
    void tellEach(others, message([item('blind', 'I cannot warn you now', lines)]), () => !isKeeping).then(
      (told) => {
        othersTold.push(...told)
        // It was over before the last of them knew.
        if (!isTold) relieve()
      },
    )
  }

  function relieve(): void {
    const words = message([item('good', 'I can warn you again', ['What waited comes now.'])])
    void tellEach(othersTold.splice(0), words, () => true)
  }

  function over(): void {
    callOff = null
    patience?.()
    patience = null
    isTold = false
    tell(message([item('good', 'I can keep what happens again', ['Warnings that waited come now.'])]))
    relieve()
  }

  return {
    storeFailed(why) {
      callOff?.()
      callOff = null
      isKeeping = why === null
      if (why === null) {
        if (isTold) callOff = clock.wakeAt(clock.monotonic() + QUIET_MS, over)
        return
      }
      const since = clock.now()
      patience ??= clock.wakeAt(clock.monotonic() + PATIENCE_MS, () => tellOthers(since))
      if (isTold) return
      isTold = true
      const lines = [
        why,
        'Warnings wait or are lost until that is mended: look at the disk. /status says more.',
      ]
      tell(message([item('blind', 'I cannot keep anything now', lines)]))
    },
    stop() {
      callOff?.()
      patience?.()
      stopping.abort(new Error('stopping'))
    },
  }
}
