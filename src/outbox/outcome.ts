import type { Delivery } from '../chat.ts'
import { age, message } from '../message.ts'
import type { Message, Span } from '../message.ts'
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
const MOVES_AT_ONCE = 3
/** Sent this long after it was detected, a message says how late it is. */
const LATE_MS = 60_000

/** Doubles with each attempt up to a minute, and is spread by half, so that chats do not come back together. */
export function retryMs(attempts: number, random: number): number {
  const full = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 10), LONGEST_RETRY_MS)
  return Math.round(full * (0.5 + random / 2))
}

/** `now` is the wall's; `dueNow` is the same unless the wall clock has jumped: delays count from it. */
export function consequence(
  row: OutboxRow,
  delivery: Delivery,
  at: { now: number; dueNow: number },
  random: number,
): Consequence {
  const { now, dueNow } = at
  const { id: rowId, chatId, alertIds, plain } = row
  const again = (ms: number, { maybeSent = false, isPlain = plain } = {}): Settlement => ({
    rowId,
    is: 'again',
    dueAt: dueNow + ms,
    maybeSent,
    plain: isPlain,
  })
  if (delivery.is === 'sent') {
    return { settlement: { rowId, is: 'sent', at: now, ref: delivery.ref }, hold: null, change: null }
  }
  if (delivery.is === 'delayed') {
    const { maybeSent, scope } = delivery
    const ms = askedMs(delivery.retryAfterMs) ?? retryMs(row.attempts, random)
    return { settlement: again(ms, { maybeSent }), hold: { scope, ms }, change: null }
  }
  if (delivery.is === 'gone') {
    // The row waits until the chat works again: a broken chat's rows are not taken.
    return { settlement: again(0), hold: null, change: { is: 'chat-broken', chatId, why: delivery.why } }
  }
  if (delivery.is === 'moved') {
    // A chat moves once; one that moves at every attempt must not keep us running after it.
    const ms = row.attempts < MOVES_AT_ONCE ? 0 : retryMs(row.attempts, random)
    return { settlement: again(ms), hold: null, change: { is: 'chat-moved', chatId, to: delivery.to } }
  }
  const { why } = delivery
  if (!plain) return { settlement: again(0, { isPlain: true }), hold: null, change: null }
  return {
    settlement: { rowId, is: 'parked', at: now, why },
    hold: null,
    change: { is: 'undeliverable', chatId, alertIds, why },
  }
}

/** In whole milliseconds, as the store keeps them: platforms also say `64.57` seconds. */
function askedMs(retryAfterMs: number | null): number | null {
  return retryAfterMs !== null && Number.isFinite(retryAfterMs) ? Math.max(Math.ceil(retryAfterMs), 0) : null
}

/** The message as it goes out now: late news says how late it is. */
export function asSentNow(row: OutboxRow, now: number): Message {
  const late = now - row.queuedAt
  if (late < LATE_MS) return row.message
  const { items, ...rest } = row.message
  const { footnote } = rest
  const before = footnote === null ? [] : [...(typeof footnote === 'string' ? [footnote] : footnote), ' · ']
  const words: Span[] = ['seen at ', { time: row.queuedAt, as: 'clock' }, `, sent ${age(late)} late`]
  return message(items, { ...rest, footnote: [...before, ...words] })
}
