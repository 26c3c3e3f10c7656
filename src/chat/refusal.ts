import { remember } from '../lib/data/remember.ts'
import type { Delivery } from '../message/delivery.ts'

/** A refusal that may pass: by a proxy, or by a receiver that is being replaced. */
export interface Refusal {
  is: 'refuses'
  maybeSent: boolean
  why: string
}

/** Wait this long before believing a refusal. Critical messages have gone elsewhere after a minute. */
const BELIEVED_AFTER_MS = 5 * 60_000
/** Broken chats are probed hourly, and the wait must not begin anew each time. */
const FORGOTTEN_AFTER_MS = 2 * 60 * 60_000
/** Refusing addresses; more than anybody has. */
const MOST = 1_000

/** Takes an address for gone once it has refused everything for a while. */
export function createRefusals(): (address: string, outcome: Delivery | Refusal, mono: number) => Delivery {
  const refusing = new Map<string, { since: number; last: number }>()
  return (address, outcome, mono) => {
    if (outcome.is !== 'refuses') {
      refusing.delete(address)
      return outcome
    }
    const before = refusing.get(address)
    const since = before && mono - before.last < FORGOTTEN_AFTER_MS ? before.since : mono
    remember(refusing, address, { since, last: mono }, MOST)
    const { maybeSent, why } = outcome
    return mono - since >= BELIEVED_AFTER_MS
      ? { is: 'gone', why }
      : { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent, why }
  }
}
