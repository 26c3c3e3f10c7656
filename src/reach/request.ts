import type { Client } from 'undici'

import type { Clock } from '../clock.ts'
import type { Asked, Reached } from '../reach.ts'

/** Of an answer: whoever sends more says nothing that is wanted. */
const LONGEST_BODY = 64 * 1024
/** What has begun to answer has so long to end it: some leave an answer open for ever. */
const WORDS_WITHIN_MS = 2_000

/** One request on a connection that ends with it. */
export async function asked(
  client: Client,
  url: URL,
  { method, headers, body }: Asked,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<Reached> {
  const ended = Promise.withResolvers<Reached>()
  // Until undici begins to write the request, it cannot have reached anybody.
  let begun = false
  let status: number | null = null
  let retryAfterMs: number | null = null
  let text = ''
  const decoder = new TextDecoder()
  const over = (why: string, isWhole = false) =>
    ended.resolve(
      status === null
        ? { is: 'lost', maybeDone: begun, why }
        : // It has said what it thinks of the request; the rest is words.
          { is: 'answered', status, body: text, isWhole, retryAfterMs },
    )
  let stopWaiting = () => {}
  const giveUp = () => over(reasonOf(signal.reason))
  signal.addEventListener('abort', giveUp, { once: true })
  client.dispatch(
    { path: `${url.pathname}${url.search}`, method, headers, body },
    {
      onRequestStart: () => void (begun = true),
      onResponseStart(_controller, statusCode, received) {
        // "Processing" and the like come before an answer, and are none.
        if (statusCode < 200) return
        status = statusCode
        retryAfterMs = waitMs(received['retry-after'], clock.now())
        stopWaiting = clock.wakeAt(clock.tick() + WORDS_WITHIN_MS, () => over('its answer has no end'))
      },
      onResponseData(_controller, chunk) {
        text += decoder.decode(chunk, { stream: true })
        if (text.length > LONGEST_BODY) over('its answer has no end')
      },
      onResponseEnd: () => over('it has ended', true),
      onResponseError: (_controller, error) => over(reasonOf(error)),
    },
  )
  try {
    return await ended.promise
  } finally {
    stopWaiting()
    signal.removeEventListener('abort', giveUp)
    client.destroy().catch(() => {})
  }
}

/** A date as RFC 9110 (5.6.7) wants it: of anything else `Date.parse` makes a year of its own. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds, by some with a fraction, or a date (RFC 9110, 10.2.3). */
function waitMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000
  return HTTP_DATE.test(header) ? Math.max(Date.parse(header) - now, 0) : null
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
