import type { Attempt, TryAnswer } from '../chat/bot.ts'
import type { Notifier } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import { between, minuteOfDay } from '../lib/time/daytime.ts'
import { type Address, placeKey } from '../message/address.ts'
import { withDelayNote } from '../message/annotation.ts'
import type { Delivery } from '../message/delivery.ts'
import { isSilent, type Message } from '../message/message.ts'
import { type Clock, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { OutboxRow } from '../store/store.ts'

/** Hands messages to an adapter, and always comes back with an outcome, in time. */
export interface Sender {
  deliver(adapter: Notifier, chat: Chat, row: OutboxRow): Promise<Delivery>
  answer(attempt: TryAnswer, to: Address, look: Attempt): Promise<Delivery>
  /** Ends what is under way, now and later. */
  giveUp(): void
}

/** Telegram's own server waits out floods for up to 8 s before it answers; less would repeat slow sends. */
const SEND_LIMIT_MS = 20_000

/** A message that could not be changed so often is said anew. */
const MOST_CHANGES = 8

export function createSender(
  clock: Clock,
  emit: Emit,
  localize: (message: Message, chat: Chat) => Message,
): Sender {
  const stopping = new AbortController()
  /** It ends in time also where the adapter does not heed its signal: it must not keep its chat waiting for ever. */
  const ended = async (
    where: string,
    work: (signal: AbortSignal) => Promise<Delivery>,
  ): Promise<Delivery> => {
    try {
      return await within(clock, SEND_LIMIT_MS, stopping.signal, work)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      emit({ is: 'trouble', where, why, error })
      return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: true, why }
    }
  }
  /** Null when the message cannot be changed: then it is said anew. */
  async function change(
    adapter: Notifier,
    chat: Chat,
    { ref, message }: NonNullable<OutboxRow['edits']>,
  ): Promise<Delivery | null> {
    // Messages keep their numbers, and not their chat, when it moves.
    if (placeKey(ref.address) !== placeKey(chat.address)) return null
    const edited = await ended(`${adapter.name} edit`, (signal) =>
      adapter.edit(ref, localize(message, chat), signal),
    )
    if (edited.is === 'gone' || edited.is === 'rejected') return null
    // A change that is made twice is made once.
    return edited.is === 'delayed' ? { ...edited, maybeSent: false } : edited
  }

  return {
    giveUp: () => stopping.abort(new Error('stopping')),
    answer: (attempt, to, look) => ended(`${to.platform} answer`, (signal) => attempt(to, look, signal)),
    async deliver(adapter, chat, row) {
      const edited = row.edits ? await change(adapter, chat, row.edits) : null
      if (edited && !(edited.is === 'delayed' && row.attempts > MOST_CHANGES)) return edited
      if (row.edits && isSilent(row.message)) return { is: 'sent', ref: row.edits.ref }
      const now = clock.now()
      const message = localize(withDelayNote(row.message, { ...row, at: now }), chat)
      const send = {
        to: chat.address,
        alertIds: row.alertIds,
        // Numbers begin anew with a new database, and words change with what was done about an alert meanwhile.
        key: `perch-${row.id}-${row.queuedAt.toString(36)}`,
        message,
        // It may have waited for hours in which it would not have been said.
        silent: row.silent || (row.urgency > 0 && isQuiet(chat, message.zone, now)),
        plain: row.plain,
        possibleRepeat: row.possibleRepeat,
        replyTo: row.replyTo,
        mention: chat.mention,
      }
      return ended(`${adapter.name} deliver`, (signal) => adapter.deliver(send, signal))
    },
  }
}

function isQuiet({ quiet }: Chat, zone: string | undefined, now: number): boolean {
  return quiet !== null && between(minuteOfDay(now, zone ?? 'UTC'), quiet)
}
