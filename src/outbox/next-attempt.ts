import type { Address } from '../address.ts'
import type { Look } from '../chat.ts'
import type { Delivery } from '../delivery.ts'
import { backoffMs } from '../lib/backoff.ts'
import { askedMs, MOVES_AT_ONCE } from './outcome.ts'

/** An answer after an attempt. */
interface Tried {
  to: Address
  look: Look
  /** Attempts so far, this one included. */
  tries: number
  /** Since somebody asked. */
  ageMs: number
}

/** Whether an answer is tried again, when, where and how. `trouble` is what the operator should see of it. */
export type Next =
  | { is: 'over'; trouble: string | null }
  | { is: 'again'; inMs: number; to: Address; look: Look; trouble: string | null }

const BACKOFF = { firstMs: 500, longestMs: 30_000 }
/** With the waits between them about a minute: who asked has asked again by then. */
const MOST_TRIES = 8
/** A platform may ask to wait for hours. Discord takes no answer after this time either (limits.ts there). */
const LONGEST_MS = 15 * 60_000

export function nextAttempt(tried: Tried, delivery: Delivery, random: number): Next {
  const { to, look, tries, ageMs } = tried
  const again = (inMs: number, why: string, change: { to?: Address; look?: Look } = {}): Next =>
    tries >= MOST_TRIES || ageMs + inMs > LONGEST_MS
      ? { is: 'over', trouble: `an answer was given up after ${tries} attempts: ${why}` }
      : { is: 'again', inMs, to, look, trouble: null, ...change }
  if (delivery.is === 'sent') return { is: 'over', trouble: null }
  // What it means for the chat is told as a change of the chat.
  if (delivery.is === 'gone') return { is: 'over', trouble: null }
  if (delivery.is === 'moved') {
    const inMs = tries < MOVES_AT_ONCE ? 0 : backoffMs(tries, random, BACKOFF)
    return again(inMs, 'its chat has moved', { to: delivery.to })
  }
  const { why } = delivery
  if (delivery.is === 'rejected') {
    if (look.plain) return { is: 'over', trouble: `an answer was refused, also as plain text: ${why}` }
    const next = again(0, why, { look: { ...look, plain: true } })
    return { ...next, trouble: next.trouble ?? `an answer was refused, and goes out plain: ${why}` }
  }
  const { retryAfterMs, maybeSent } = delivery
  const possibleRepeat = look.possibleRepeat || maybeSent
  return again(askedMs(retryAfterMs) ?? backoffMs(tries, random, BACKOFF), why, {
    look: { ...look, possibleRepeat },
  })
}
