import { within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { ChatAdapter, Delivery } from '../chat.ts'
import type { Emit } from '../event.ts'
import type { Message } from '../message.ts'
import type { Chat } from '../person.ts'
import type { OutboxRow } from '../store.ts'
import { asSentNow } from './outcome.ts'

/** Hands messages to an adapter, and always comes back with an outcome, in time. */
export interface Sender {
  deliver(adapter: ChatAdapter, chat: Chat, row: OutboxRow): Promise<Delivery>
  /** A send that ends in time, also where it does not heed its signal: it must not keep its chat waiting for ever. */
  limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Ends what is under way, now and later. */
  giveUp(): void
}

/** Telegram's own server waits out floods for up to 8 s before it answers (platforms.md 1.3); less would repeat slow sends. */
const SEND_LIMIT_MS = 20_000

export function createSender(
  clock: Clock,
  emit: Emit,
  dress: (message: Message, chat: Chat) => Message,
): Sender {
  const stopping = new AbortController()
  const limited: Sender['limited'] = (work) =>
    within(clock, SEND_LIMIT_MS, stopping.signal, (signal) => {
      const aborted = new Promise<never>((_resolve, reject) => {
        const giveUp = () => reject(signal.reason)
        if (signal.aborted) giveUp()
        else signal.addEventListener('abort', giveUp, { once: true })
      })
      return Promise.race([work(signal), aborted])
    })
  return {
    limited,
    giveUp: () => stopping.abort(new Error('stopping')),
    async deliver(adapter, chat, row) {
      const send = {
        to: chat.address,
        key: `perch-${row.id}`,
        message: dress(asSentNow(row, clock.now()), chat),
        silent: row.silent,
        plain: row.plain,
        possibleRepeat: row.possibleRepeat,
        replyTo: row.replyTo,
        mention: chat.mention,
      }
      try {
        return await limited((signal) => adapter.deliver(send, signal))
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        emit({ is: 'trouble', where: `${adapter.name} deliver`, why, error })
        return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: true, why }
      }
    },
  }
}
