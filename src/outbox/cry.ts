import type { Chat, ChatAdapter } from '../chat.ts'
import { pause, within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import { backoffMs } from '../lib/backoff.ts'
import { item, message } from '../message.ts'
import type { Message } from '../message.ts'

/** Tells the operator that nothing can be kept, past the outbox, which could not keep it either. */
interface Cry {
  /** Why nothing can be kept; null when it can again. */
  hear(why: string | null): void
  stop(): void
}

/** One message when it begins and one when it is over, however often it comes and goes in between. */
const QUIET_MS = 60_000
const SEND_LIMIT_MS = 20_000
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 }
const MOST_TRIES = 8

export function createCry(world: {
  clock: Clock
  emit: Emit
  random: () => number
  adapters: ReadonlyMap<string, ChatAdapter>
  /** The operator's. */
  chats: () => readonly Chat[]
  dress: (message: Message, chat: Chat) => Message
}): Cry {
  const { clock, emit, random, adapters, chats, dress } = world
  const stopping = new AbortController()
  let isTold = false
  let callOff: (() => void) | null = null
  let cries = 0

  function tell(words: Message): void {
    const key = `perch-cry-${clock.now()}-${++cries}`
    for (const chat of chats()) {
      const adapter = adapters.get(chat.address.platform)
      if (!chat.private || !adapter) continue
      send(adapter, chat, words, key).catch((error: unknown) => {
        if (!stopping.signal.aborted) emit({ is: 'trouble', where: 'outbox', why: String(error), error })
      })
    }
  }

  async function send(adapter: ChatAdapter, chat: Chat, words: Message, key: string): Promise<void> {
    const { address: to, mention } = chat
    const once = { alertIds: [], silent: false, plain: false, possibleRepeat: false, replyTo: null, mention }
    for (let tries = 1; ; tries++) {
      const delivery = await within(clock, SEND_LIMIT_MS, stopping.signal, (signal) =>
        adapter.deliver({ to, key, message: dress(words, chat), ...once }, signal),
      )
      if (delivery.is === 'sent') return
      if (delivery.is !== 'delayed' || tries === MOST_TRIES) {
        const why = delivery.is === 'moved' ? 'the chat has moved' : delivery.why
        throw new Error(`the operator could not be told: ${why}`)
      }
      await pause(clock, backoffMs(tries, random(), BACKOFF), stopping.signal)
    }
  }

  function over(): void {
    callOff = null
    isTold = false
    tell(message([item('good', 'I can keep what happens again', ['Warnings that waited come now.'])]))
  }

  return {
    hear(why) {
      callOff?.()
      callOff = null
      if (why === null) {
        if (isTold) callOff = clock.wakeAt(clock.tick() + QUIET_MS, over)
        return
      }
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
      stopping.abort(new Error('stopping'))
    },
  }
}
