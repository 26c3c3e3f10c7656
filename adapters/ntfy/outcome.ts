import { z } from 'zod'

import type { Address } from '../../src/address.ts'
import type { Delivery } from '../../src/delivery.ts'
import { unanswered } from '../../src/reach.ts'
import type { Reached } from '../../src/reach.ts'
import type { Refusal } from '../../src/refusal.ts'
import { jsonOrNull } from '../../src/lib/json.ts'

const PUBLISHED = z.object({ id: z.string(), event: z.literal('message') })
const REFUSED = z.object({ code: z.number(), error: z.string().optional() })

/** Of ntfy's own codes (server/errors.go): the topic is none, or is not allowed. */
const TOPIC_REFUSED = new Set([40_009, 40_010])
/** The day's share is used up, which is asked again later than a burst that was too fast. */
const DAY_IS_OVER = new Set([42_905, 42_908])
const LATER_MS = 5 * 60_000

/** What an answer means for what was sent. Pure. */
export function outcomeOf(reached: Reached, to: Address, isOurServer: boolean): Delivery | Refusal {
  if (reached.is !== 'answered') return unanswered(reached)
  const { status, body, isWhole, retryAfterMs } = reached
  const parsed = jsonOrNull(body)
  const published = PUBLISHED.safeParse(parsed)
  if (status === 200 && published.success) return { is: 'sent', ref: { address: to, id: published.data.id } }
  const refused = REFUSED.safeParse(parsed)
  const code = refused.success ? refused.data.code : 0
  const why = code === 0 ? `ntfy answered ${status}` : `ntfy answered ${status} (${code})`
  const foreign = `${why}, which is no answer of ntfy`
  if (status >= 300 && status < 400) return { is: 'gone', why: foreign }
  if (status === 429) {
    const askedMs = retryAfterMs ?? (DAY_IS_OVER.has(code) ? LATER_MS : null)
    return { is: 'delayed', retryAfterMs: askedMs, scope: 'chat', maybeSent: false, why }
  }
  if (status >= 500 || status === 408)
    return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: status >= 500, why }
  // Something else answers there: a page about an error, or a portal that wants somebody to log in.
  if (code === 0) return { is: 'refuses', maybeSent: !isWhole, why: foreign }
  if (status === 401 || status === 403)
    return {
      is: 'gone',
      why: isOurServer ? `${why}: NTFY_TOKEN may not write there` : `${why}: it is not open`,
    }
  if (status === 404 || TOPIC_REFUSED.has(code)) return { is: 'gone', why }
  return { is: 'rejected', why }
}
