import { backoffMs } from '../lib/time/backoff.ts'
import type { Delivery } from '../message/delivery.ts'
import { isSilent } from '../message/message.ts'
import type { Change } from '../store/change.ts'
import type { OutboxRow, Settlement } from '../store/store.ts'

/** The consequences of a delivery: how its row is settled, who has to wait, and how its chat changes. */
interface Consequence {
  settlement: Settlement
  /** Nothing is sent to this scope for `ms`. */
  hold: { scope: 'chat' | 'platform'; ms: number } | null
  change: Change | null
}

/** If the platform named no wait, another message is tried there after this time. */
const PROBE_MS = 5_000
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 }
/**
 * The longest wait before a platform is asked again. Its wait may have been meant for somebody else, or be nonsense.
 */
export const LONGEST_HOLD_MS = 5 * 60_000
/** A chat usually moves once. Further moves in a row are retried with backoff, so that we do not follow it for ever. */
export const MAX_IMMEDIATE_MOVES = 3

/** `before` is how many attempts came before the failed one. */
export function retryMs(before: number, random: number): number {
  return backoffMs(before + 1, random, BACKOFF)
}

/**
 * `now` is wall time. `dueNow` is the base of delays; it differs from `now` only after a jump of the wall clock. A
 * message that arrives in a broken chat shows that the chat works again.
 */
export function consequence(
  row: OutboxRow,
  delivery: Delivery,
  at: { now: number; dueNow: number },
  random: number,
  broken = false,
): Consequence {
  const { now, dueNow } = at
  const { id: rowId, chatId, alertIds, message, plain } = row
  const isTest = row.reason === 'test'
  const change = chatChange(chatId, delivery)
  const again = (ms: number, { maybeSent = false, isPlain = plain } = {}): Settlement => ({
    rowId,
    is: 'again',
    dueAt: dueNow + ms,
    maybeSent,
    plain: isPlain,
  })
  if (delivery.is === 'sent') {
    const healed: Change | null = broken ? { is: 'chat-back', chatId } : null
    return { settlement: { rowId, is: 'sent', at: now, ref: delivery.ref }, hold: null, change: healed }
  }
  if (delivery.is === 'delayed') {
    const { maybeSent, scope } = delivery
    const asked = askedMs(delivery.retryAfterMs)
    const ms = Math.min(asked ?? retryMs(row.attempts, random), LONGEST_HOLD_MS)
    // A message with many failed attempts has a long backoff. The platform as a whole must not wait for that long.
    const heldMs = asked === null && scope === 'platform' ? Math.min(ms, PROBE_MS) : ms
    return {
      settlement: again(ms, { maybeSent }),
      hold: scope === 'message' ? null : { scope, ms: heldMs },
      change,
    }
  }
  if (delivery.is === 'gone') {
    // The row waits until the chat works again, because rows of a broken chat are not taken.
    return { settlement: again(0), hold: null, change }
  }
  if (delivery.is === 'moved') {
    const ms = row.attempts < MAX_IMMEDIATE_MOVES ? 0 : retryMs(row.attempts, random)
    return { settlement: again(ms), hold: null, change }
  }
  const { why } = delivery
  if (!plain) return { settlement: again(0, { isPlain: true }), hold: null, change }
  return {
    settlement: { rowId, is: 'parked', at: now, why },
    hold: null,
    // A test that a place refuses proves nothing about alerts but that it takes none.
    change:
      isTest && broken
        ? { is: 'chat-broken', chatId, why }
        : { is: 'undeliverable', chatId, alertIds, message, why },
  }
}

/** An edit is not tried again when it failed so often, or when the platform asks for a longer wait. */
const EDIT_PATIENCE = { attempts: 8, waitMs: 60_000 }

/**
 * The consequences of an edit. No outcome of it is news about its chat or its platform: nothing but edits ever waits for
 * an edit. An edit that can't be made becomes a new message if it has words of its own; else it is dropped.
 */
export function editConsequence(
  row: OutboxRow,
  delivery: Delivery,
  at: { now: number; dueNow: number },
  random: number,
): { settlement: Settlement; holdMs: number | null; change: Change | null } {
  const { id: rowId, chatId, plain } = row
  const { now, dueNow } = at
  const over: Settlement = isSilent(row.message)
    ? { rowId, is: 'expired', at: now }
    : { rowId, is: 'anew', dueAt: dueNow }
  if (delivery.is === 'sent')
    return { settlement: { rowId, is: 'sent', at: now, ref: delivery.ref }, holdMs: null, change: null }
  if (delivery.is === 'moved') return { settlement: over, holdMs: null, change: chatChange(chatId, delivery) }
  if (delivery.is !== 'delayed') return { settlement: over, holdMs: null, change: null }
  const ms = askedMs(delivery.retryAfterMs) ?? retryMs(row.attempts, random)
  const holdMs = delivery.scope === 'platform' ? Math.min(ms, LONGEST_HOLD_MS) : null
  const isHopeless = row.attempts >= EDIT_PATIENCE.attempts || ms > EDIT_PATIENCE.waitMs
  // An edit may be repeated without harm.
  const again: Settlement = { rowId, is: 'again', dueAt: dueNow + ms, maybeSent: false, plain }
  return { settlement: isHopeless ? over : again, holdMs, change: null }
}

/**
 * The consequences of sending a picture. As with an edit, no outcome is news about its chat or its platform. It is tried
 * again while that is in time, and given up without a word.
 */
export function pictureConsequence(
  row: OutboxRow,
  delivery: Delivery,
  { now, dueNow }: { now: number; dueNow: number },
  random: number,
): { settlement: Settlement; holdMs: number | null; change: Change | null } {
  const { id: rowId, chatId, plain, expiresAt } = row
  const over = { rowId, is: 'expired', at: now } as const
  const change = delivery.is === 'moved' ? chatChange(chatId, delivery) : null
  if (delivery.is === 'sent')
    return { settlement: { rowId, is: 'sent', at: now, ref: delivery.ref }, holdMs: null, change }
  if (delivery.is !== 'delayed') return { settlement: over, holdMs: null, change }
  const { maybeSent, scope } = delivery
  const ms = askedMs(delivery.retryAfterMs) ?? retryMs(row.attempts, random)
  const isInTime = expiresAt === null || now + ms < expiresAt
  return {
    settlement: isInTime ? { rowId, is: 'again', dueAt: dueNow + ms, maybeSent, plain } : over,
    holdMs: scope === 'platform' ? Math.min(ms, LONGEST_HOLD_MS) : null,
    change,
  }
}

/** The change of the chat that follows from a delivery, be it of a row or of an answer. */
export function chatChange(chatId: number, delivery: Delivery): Change | null {
  if (delivery.is === 'gone') return { is: 'chat-broken', chatId, why: delivery.why }
  return delivery.is === 'moved' ? { is: 'chat-moved', chatId, to: delivery.to } : null
}

/** In whole milliseconds, as the store keeps them. Platforms also send fractions, e.g. `64.57` seconds. */
export function askedMs(retryAfterMs: number | null): number | null {
  return retryAfterMs !== null && Number.isFinite(retryAfterMs) ? Math.max(Math.ceil(retryAfterMs), 0) : null
}
