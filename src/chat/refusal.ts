import { remember } from '../lib/data/remember.ts'
import type { Delivery } from '../message/delivery.ts'

/** A "no" that may pass: an edge's, or that of a receiver which is being replaced. */
export interface Refusal {
  is: 'refuses'
  maybeSent: boolean
  why: string
}

/** So long it is only waited for: what is critical has gone elsewhere after a minute. */
const BELIEVED_AFTER_MS = 5 * 60_000
/** Where nothing can be written is asked hourly, and must not begin anew each time. */
const FORGOTTEN_AFTER_MS = 2 * 60 * 60_000
/** Addresses that refuse; more than anybody has. */
const MOST = 1_000

/** Believes that an address is gone when it has said nothing else for a while. */
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
