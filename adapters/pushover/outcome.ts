import { z } from 'zod'

import { jsonOrNull } from '../../src/lib/text/json.ts'
import type { Address } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import type { EgressAnswer } from '../../src/runtime/egress.ts'
import { EXPIRE_S } from './form.ts'

const TAKEN = z.object({ status: z.literal(1), request: z.string(), receipt: z.string().optional() })
/** A parameter that is wrong is named, as `invalid` (https://pushover.net/api#response). */
const REFUSED = z.object({
  status: z.literal(0),
  errors: z.array(z.string()).default([]),
  user: z.unknown().optional(),
  token: z.unknown().optional(),
})
/** The share of the month is used up (https://pushover.net/api#limits): nothing arrives for days. */
const MONTH_IS_OVER = /quota|(month|message).*limit/i
const LATER_MS = 5 * 60_000
const SHOWN_ERROR_CHARACTERS = 80

/** How a send ended, by its answer. A message that rings until it is confirmed has a receipt. Pure. */
export function outcomeOf(
  reached: EgressAnswer,
  to: Address,
  secrets: readonly string[],
): { delivery: Delivery; receipt: string | null } {
  const none = (delivery: Delivery) => ({ delivery, receipt: null })
  const delayed = (
    scope: 'chat' | 'platform',
    maybeSent: boolean,
    why: string,
    retryAfterMs: number | null = null,
  ) => none({ is: 'delayed', retryAfterMs, scope, maybeSent, why })
  if (reached.is === 'refused') return delayed('platform', false, reached.why)
  if (reached.is === 'lost') return delayed('chat', reached.maybeDone, reached.why)
  const { status, body, isWhole, retryAfterMs } = reached
  const parsed = jsonOrNull(body)
  const taken = TAKEN.safeParse(parsed)
  if (taken.success) {
    const { request, receipt = null } = taken.data
    return { delivery: { is: 'sent', ref: { address: to, id: receipt ?? request } }, receipt }
  }
  const refused = REFUSED.safeParse(parsed)
  const words = refused.success ? `: ${refused.data.errors.join(', ')}` : ''
  const said = secrets
    .reduce((text, secret) => text.replaceAll(secret, '…'), words)
    .slice(0, SHOWN_ERROR_CHARACTERS)
  const why = `Pushover answered ${status}${said}`
  if (status === 429 && retryAfterMs === null && MONTH_IS_OVER.test(said))
    return none({ is: 'gone', why: `${why}: it takes no more from this bot this month` })
  if (status === 429) return delayed('platform', false, why, retryAfterMs ?? LATER_MS)
  if (status >= 500) return delayed('chat', true, why, retryAfterMs)
  // A proxy or a portal answers in Pushover's place.
  if (!refused.success) return delayed('chat', !isWhole, why, retryAfterMs)
  if (refused.data.token === 'invalid') return delayed('platform', false, `${why}. Look at PUSHOVER_TOKEN`)
  if (refused.data.user === 'invalid') return none({ is: 'gone', why })
  return none({ is: 'rejected', why })
}

const RECEIPT = z.object({
  status: z.literal(1),
  acknowledged: z.int(),
  acknowledged_at: z.int(),
  expired: z.int(),
  expires_at: z.int(),
})

/** `afterMs` is how long after it was taken, by Pushover's clock and not by ours. */
type Receipt = { is: 'rings' } | { is: 'seen'; afterMs: number } | { is: 'over' } | { is: 'unknown' }

/** The state of a receipt; `unknown` if it cannot be read now. Pure. */
export function receiptOf(reached: EgressAnswer): Receipt {
  if (reached.is !== 'answered') return { is: 'unknown' }
  const read = RECEIPT.safeParse(jsonOrNull(reached.body))
  if (!read.success) return { is: refusesForGood(reached) ? 'over' : 'unknown' }
  const { acknowledged, acknowledged_at: seenAt, expired, expires_at: endsAt } = read.data
  // Pushover rounds to whole seconds. One second less is certain.
  if (acknowledged === 1)
    return { is: 'seen', afterMs: Math.max(seenAt - (endsAt - EXPIRE_S) - 1, 0) * 1_000 }
  return { is: expired === 1 ? 'over' : 'rings' }
}

const DONE = z.object({ status: z.literal(1) })

/** Whether nothing rings under a receipt any more, once that was asked for. Pure. */
export function isCancelled(reached: EgressAnswer): boolean {
  if (reached.is !== 'answered') return false
  return DONE.safeParse(jsonOrNull(reached.body)).success || refusesForGood(reached)
}

/** Pushover knows no such receipt, or no more. A proxy or a portal that answers in its place says nothing of it. */
function refusesForGood({ status, body }: { status: number; body: string }): boolean {
  if (status < 400 || status >= 500 || status === 408 || status === 429) return false
  return REFUSED.safeParse(jsonOrNull(body)).success
}
