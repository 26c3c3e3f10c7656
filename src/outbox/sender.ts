import type { Attempt, TryAnswer } from '../chat/bot.ts'
import type { Notifier } from '../chat/notifier.ts'
import { errorText } from '../lib/text/error-text.ts'
import type { Chat } from '../people/chat.ts'
import { between, minuteOfDay } from '../lib/time/daytime.ts'
import { type Address, placeKey } from '../message/address.ts'
import { withDelayNote } from '../message/annotation.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Message } from '../message/message.ts'
import { type Clock, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { OutboxRow } from '../store/store.ts'

/** Hands messages to an adapter. Always returns an outcome, within a time limit. */
export interface Sender {
  /** `picture` is the PNG of a row that brings one. */
  deliver(adapter: Notifier, chat: Chat, row: OutboxRow, picture?: Uint8Array): Promise<Delivery>
  /** Edits an earlier message. Its own message is not sent. */
  edit(adapter: Notifier, chat: Chat, edits: NonNullable<OutboxRow['edits']>): Promise<Delivery>
  answer(attempt: TryAnswer, to: Address, look: Attempt): Promise<Delivery>
  /** Aborts the sends under way and all later ones. */
  giveUp(): void
}

/** Telegram's own server waits out floods for up to 8 s before it answers. A shorter limit would repeat slow sends. */
const SEND_LIMIT_MS = 20_000

/** Outcome of a message that may not be sent now. A row waits for its own sake: this says nothing about its chat. */
export const NOT_NOW: Delivery = {
  ...{ is: 'delayed', retryAfterMs: null, scope: 'message', maybeSent: false },
  why: 'another Perch may lead now',
}

/** Ids of the platforms have at most 40 characters. Both are kept, and servers that people name choose them freely. */
const MAX_ID_CHARACTERS = 200
const MAX_WHY_CHARACTERS = 500

/** The same outcome, with its strings cut to what anybody needs. */
function bounded(delivery: Delivery): Delivery {
  if (delivery.is === 'moved') return delivery
  if (delivery.is !== 'sent') return { ...delivery, why: delivery.why.slice(0, MAX_WHY_CHARACTERS) }
  const { ref } = delivery
  return { is: 'sent', ref: { ...ref, id: ref.id.slice(0, MAX_ID_CHARACTERS) } }
}

export function createSender(
  clock: Clock,
  emit: Emit,
  localize: (message: Message, chat: Chat) => Message,
  mayAct: () => boolean,
): Sender {
  const stopping = new AbortController()
  /** Ends in time even if the adapter ignores its signal. A send that never ended would block its chat for ever. */
  const ended = async (
    where: string,
    work: (signal: AbortSignal) => Promise<Delivery>,
  ): Promise<Delivery> => {
    if (!mayAct()) return NOT_NOW
    try {
      return bounded(await within(clock, SEND_LIMIT_MS, stopping.signal, work))
    } catch (error) {
      const why = errorText(error)
      emit({ is: 'trouble', where, why, error })
      return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: true, why }
    }
  }
  return {
    giveUp: () => stopping.abort(new Error('stopping')),
    answer: (attempt, to, look) => ended(`${to.platform} answer`, (signal) => attempt(to, look, signal)),
    async edit(adapter, chat, { ref, message }) {
      // When a chat moves, its messages keep their ids, but this ref names the old chat.
      if (placeKey(ref.address) !== placeKey(chat.address))
        return { is: 'rejected', why: 'its chat has moved' }
      return ended(`${adapter.name} edit`, (signal) => adapter.edit(ref, localize(message, chat), signal))
    },
    async deliver(adapter, chat, row, picture) {
      const now = clock.now()
      const message = localize(withDelayNote(row.message, { ...row, at: now }), chat)
      const send = {
        to: chat.address,
        alertIds: row.alertIds,
        // A new database starts row ids anew, so the time is part of the key. The text is not: acknowledgements change
        // it.
        key: `perch-${row.id}-${row.queuedAt.toString(36)}`,
        message,
        // The row may have waited into the quiet hours of its chat.
        silent: row.silent || (!isLoud(row) && isQuiet(chat, message.zone, now)),
        plain: row.plain,
        possibleRepeat: row.possibleRepeat,
        replyTo: row.replyTo,
        mention: chat.mention,
        ...(picture && { picture }),
      }
      return ended(`${adapter.name} deliver`, (signal) => adapter.deliver(send, signal))
    },
  }
}

/** Critical alerts ring in quiet hours. So does a drill of one, though it goes behind everybody's alerts. */
function isLoud({ urgency, reason, message }: OutboxRow): boolean {
  return urgency === 0 || (reason === 'test' && message.items.some(({ tone }) => tone === 'critical'))
}

function isQuiet({ quiet }: Chat, zone: string | undefined, now: number): boolean {
  return quiet !== null && between(minuteOfDay(now, zone ?? 'UTC'), quiet)
}
