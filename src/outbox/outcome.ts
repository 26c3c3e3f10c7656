import type { Delivery } from '../chat.ts'
import { age, message } from '../message.ts'
import type { Message } from '../message.ts'
import type { Change, OutboxRow, Settlement } from '../store.ts'

/** What a delivery leads to: how its row is settled, who waits, and what changes about its chat. */
export interface Consequence {
  settlement: Settlement
  /** Nothing is sent there before this much time has passed. */
  hold: { scope: 'chat' | 'platform'; ms: number } | null
  change: Change | null
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
/** Sent this long after it was detected, a message says how late it is. */
const LATE_MS = 60_000

/** Doubles with each attempt up to a minute, and is spread by half, so that chats do not come back together. */
export function retryMs(attempts: number, random: number): number {
  const full = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 10), LONGEST_RETRY_MS)
  return Math.round(full * (0.5 + random / 2))
}

export function consequence(row: OutboxRow, delivery: Delivery, now: number, random: number): Consequence {
  const { id: rowId, chatId, alertIds, plain } = row
  const again = (dueAt: number, maybeSent = false): Settlement => ({ rowId, is: 'again', dueAt, maybeSent, plain })
  switch (delivery.is) {
    case 'sent':
      return { settlement: { rowId, is: 'sent', at: now, ref: delivery.ref }, hold: null, change: null }
    case 'delayed': {
      const ms = delivery.retryAfterMs ?? retryMs(row.attempts, random)
      return { settlement: again(now + ms, delivery.maybeSent), hold: { scope: delivery.scope, ms }, change: null }
    }
    case 'gone':
      // The row waits until the chat works again: a broken chat's rows are not taken.
      return { settlement: again(now), hold: null, change: { is: 'chat-broken', chatId, why: delivery.why } }
    case 'moved':
      return { settlement: again(now), hold: null, change: { is: 'chat-moved', chatId, to: delivery.to } }
    case 'rejected':
      return plain
        ? {
            settlement: { rowId, is: 'parked', at: now, why: delivery.why },
            hold: null,
            change: { is: 'undeliverable', chatId, alertIds, why: delivery.why },
          }
        : { settlement: { rowId, is: 'again', dueAt: now, maybeSent: false, plain: true }, hold: null, change: null }
  }
}

/** The message as it goes out now: late news says how late it is. */
export function asSentNow(row: OutboxRow, now: number): Message {
  const late = now - row.queuedAt
  if (late < LATE_MS) return row.message
  const { items, ...rest } = row.message
  const footnote = ['seen at ', { time: row.queuedAt, as: 'clock' }, `, sent ${age(late)} late`] as const
  return message(items, { ...rest, footnote })
}
