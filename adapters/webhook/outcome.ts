import type { Address } from '../../src/address.ts'
import type { Delivery } from '../../src/delivery.ts'
import { unanswered } from '../../src/reach.ts'
import type { Reached } from '../../src/reach.ts'
import type { Refusal } from '../../src/refusal.ts'

/** Somebody took the address away, or does not want us; or they do so only while the receiver is being replaced. */
const REFUSES = new Set([401, 403, 404, 405])
/** It may be otherwise in a moment. */
const PASSING = new Set([408, 409, 425])

/** What an answer means for what was sent. Pure. */
export function outcomeOf(reached: Reached, to: Address, id: string): Delivery | Refusal {
  if (reached.is !== 'answered') return unanswered(reached)
  const { status, retryAfterMs } = reached
  const why = `the webhook answered ${status}`
  if (status >= 200 && status < 300) return { is: 'sent', ref: { address: to, id } }
  if (status >= 300 && status < 400)
    return { is: 'gone', why: `${why}: I follow no redirect, name where it leads` }
  if (status === 429) return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: false, why }
  if (status >= 500 || PASSING.has(status))
    return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: status >= 500, why }
  if (status === 410) return { is: 'gone', why }
  if (REFUSES.has(status)) return { is: 'refuses', maybeSent: false, why }
  return { is: 'rejected', why }
}
