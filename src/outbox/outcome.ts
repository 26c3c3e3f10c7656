import { backoffMs } from '../lib/time/backoff.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Change } from '../store/change.ts'
import type { OutboxRow, Settlement } from '../store/store.ts'

/** What a delivery leads to: how its row is settled, who waits, and what changes about its chat. */
interface Consequence {
  settlement: Settlement
  /** Nothing is sent there before this much time has passed. */
  hold: { scope: 'chat' | 'platform'; ms: number } | null
  change: Change | null
}

/** Where a platform did not say how long: so soon somebody else's message asks again. */
const PROBE_MS = 5_000
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 }
/** Whatever a platform asks for, it is asked again by then: it may have meant somebody else, or nothing sensible. */
export const LONGEST_HOLD_MS = 5 * 60_000
/** A chat moves once; one that moves at every attempt must not keep us running after it. */
export const MOVES_AT_ONCE = 3

/** `before` counts the attempts before the one that failed. */
export function retryMs(before: number, random: number): number {
  return backoffMs(before + 1, random, BACKOFF)
}

/**
 * `now` is the wall's; `dueNow` is the same unless the wall clock has jumped: delays count from it. What arrives in a chat
 * that was broken shows that it works again.
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
    // One message that was tried often holds up nobody else for as long as itself.
    const heldMs = asked === null && scope === 'platform' ? Math.min(ms, PROBE_MS) : ms
    // That an old message cannot be changed now says nothing of what is new: warnings go on.
    const isChange = row.edits !== null && asked === null && scope === 'chat'
    return { settlement: again(ms, { maybeSent }), hold: isChange ? null : { scope, ms: heldMs }, change }
  }
  if (delivery.is === 'gone') {
    // The row waits until the chat works again: a broken chat's rows are not taken.
    return { settlement: again(0), hold: null, change }
  }
  if (delivery.is === 'moved') {
    const ms = row.attempts < MOVES_AT_ONCE ? 0 : retryMs(row.attempts, random)
    return { settlement: again(ms), hold: null, change }
  }
  const { why } = delivery
  if (!plain) return { settlement: again(0, { isPlain: true }), hold: null, change }
  return {
    settlement: { rowId, is: 'parked', at: now, why },
    hold: null,
    change: { is: 'undeliverable', chatId, alertIds, message, why },
  }
}

/** What a delivery says of its chat, whatever was sent there. */
export function chatChange(chatId: number, delivery: Delivery): Change | null {
  if (delivery.is === 'gone') return { is: 'chat-broken', chatId, why: delivery.why }
  return delivery.is === 'moved' ? { is: 'chat-moved', chatId, to: delivery.to } : null
}

/** In whole milliseconds, as the store keeps them: platforms also say `64.57` seconds. */
export function askedMs(retryAfterMs: number | null): number | null {
  return retryAfterMs !== null && Number.isFinite(retryAfterMs) ? Math.max(Math.ceil(retryAfterMs), 0) : null
}
