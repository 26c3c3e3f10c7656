import type { Notifier } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import { backoffMs } from '../lib/time/backoff.ts'
import { item, type Message, message, words } from '../message/message.ts'
import { type Clock, pause, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import { NOT_NOW } from './sender.ts'

/**
 * Tells the operator at once that the store cannot write, and everybody else if that lasts. Sends past the outbox,
 * because that could not store the message either. People who count on warnings must know that none will come.
 */
interface StorageAlarm {
  /** The reason why nothing can be stored; null when the store works again. */
  storeFailed(why: string | null): void
  stop(): void
}

/** One message at the start and one at the end. Recoveries shorter than this do not end it. */
const RECOVERED_AFTER_MS = 60_000
/** Failures shorter than this are reported to the operator alone. */
const PATIENCE_MS = 60_000
/** Everybody else is told at most this often. */
const EVERYBODY_EVERY_MS = 3_600_000
const SEND_LIMIT_MS = 20_000
/** How soon to look again whether another process leads. */
const ASK_AGAIN_MS = 1_000
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 }
const MAX_ATTEMPTS = 8

export function createStorageAlarm(world: {
  clock: Clock
  emit: Emit
  random: () => number
  adapters: ReadonlyMap<string, Notifier>
  /** The operators' chats. Only private ones are used. */
  chats: () => readonly Chat[]
  /** The first chat of each person who counts on warnings. */
  everybody: () => readonly Chat[]
  localize: (message: Message, chat: Chat) => Message
  /** False while another process may keep and warn. */
  mayAlarm?: () => boolean
  /** Processes share the store: a server may fail as well, and while it is away `/status` is not answered. */
  isShared?: () => boolean
}): StorageAlarm {
  const { clock, emit, random, adapters, chats, everybody, localize } = world
  const { mayAlarm = () => true, isShared = () => false } = world
  const stopping = new AbortController()
  let isReported = false
  let isKeeping = true
  let patience: (() => void) | null = null
  let informedChats: Chat[] = []
  let othersInformedMono = -Infinity
  let callOff: (() => void) | null = null
  let sentMessages = 0

  const nextKey = () => `perch-cry-${clock.now()}-${++sentMessages}`

  function tell(said: Message): void {
    const key = nextKey()
    for (const chat of chats()) {
      if (!chat.private) continue
      send(chat, said, { key, silent: false, tries: MAX_ATTEMPTS }).catch((error: unknown) => {
        if (!stopping.signal.aborted) emit({ is: 'trouble', where: 'outbox', why: String(error), error })
      })
    }
  }

  async function send(
    chat: Chat,
    said: Message,
    { key, silent, tries: most }: { key: string; silent: boolean; tries: number },
  ): Promise<void> {
    const { address: to, mention } = chat
    const adapter = adapters.get(to.platform)
    if (!adapter) return
    const once = { alertIds: [], silent, plain: false, possibleRepeat: false, replyTo: null, mention }
    for (let tries = 1; ; tries++) {
      const delivery = await within(clock, SEND_LIMIT_MS, stopping.signal, async (signal) =>
        mayAlarm() ? adapter.deliver({ to, key, message: localize(said, chat), ...once }, signal) : NOT_NOW,
      )
      if (delivery.is === 'sent') return
      if (delivery.is !== 'delayed' || tries === most) {
        const why = delivery.is === 'moved' ? 'the chat has moved' : delivery.why
        throw new Error(`the operator could not be told: ${why}`)
      }
      await pause(clock, backoffMs(tries, random(), BACKOFF), stopping.signal)
    }
  }

  /**
   * Sends to one chat after the other, once each, to stay below each platform's pace. Returns the chats that received
   * it.
   */
  async function informEach(those: readonly Chat[], said: Message, goesOn: () => boolean): Promise<Chat[]> {
    const informed: Chat[] = []
    for (const chat of those) {
      if (stopping.signal.aborted || !goesOn()) break
      const isSent = await send(chat, said, { key: nextKey(), silent: true, tries: 1 }).then(
        () => true,
        () => false,
      )
      if (isSent) informed.push(chat)
    }
    const missed = those.length - informed.length
    if (missed > 0 && goesOn())
      emit({
        is: 'trouble',
        where: 'outbox',
        why: `${missed} of ${those.length} people do not know whether anything is kept`,
      })
    return informed
  }

  function informOthers(since: number): void {
    patience = null
    if (!mayAlarm()) {
      patience = clock.wakeAt(clock.monotonic() + ASK_AGAIN_MS, () => informOthers(since))
      return
    }
    if (isKeeping || clock.monotonic() - othersInformedMono < EVERYBODY_EVERY_MS) return
    othersInformedMono = clock.monotonic()
    const operators = new Set(chats().map(({ personId }) => personId))
    const others = everybody().filter(({ personId }) => !operators.has(personId))
    const lines = [
      words('alarm.others.since', { at: { time: since, as: 'clock' } }),
      words('alarm.others.do'),
    ]
    void informEach(
      others,
      message([item('blind', words('alarm.others.title'), lines)]),
      () => !isKeeping,
    ).then((informed) => {
      informedChats.push(...informed)
      // The store recovered before the last of these sends ended.
      if (!isReported) relieve()
    })
  }

  function relieve(): void {
    const said = message([item('good', words('alarm.others-over.title'), [words('alarm.others-over.lines')])])
    void informEach(informedChats.splice(0), said, () => true)
  }

  function over(): void {
    callOff = null
    patience?.()
    patience = null
    isReported = false
    tell(message([item('good', words('alarm.over.title'), [words('alarm.over.lines')])]))
    relieve()
  }

  return {
    storeFailed(why) {
      callOff?.()
      callOff = null
      isKeeping = why === null
      if (why === null) {
        if (isReported) callOff = clock.wakeAt(clock.monotonic() + RECOVERED_AFTER_MS, over)
        return
      }
      const since = clock.now()
      patience ??= clock.wakeAt(clock.monotonic() + PATIENCE_MS, () => informOthers(since))
      if (isReported) return
      isReported = true
      const lines = [why, words(isShared() ? 'alarm.nobody.shared' : 'alarm.nobody.lines')]
      tell(message([item('blind', words('alarm.nobody.title'), lines)]))
    },
    stop() {
      callOff?.()
      patience?.()
      stopping.abort(new Error('stopping'))
    },
  }
}
