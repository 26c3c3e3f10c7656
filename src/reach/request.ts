import type { Client } from 'undici'

import type { Asked, Reached } from '../reach.ts'

/** Of an answer: whoever sends more says nothing that is wanted. */
const LONGEST_BODY = 64 * 1024

/** One request on a connection that ends with it. */
export async function asked(
  client: Client,
  url: URL,
  { method, headers, body }: Asked,
  { signal, now }: { signal: AbortSignal; now: () => number },
): Promise<Reached> {
  const ended = Promise.withResolvers<Reached>()
  // Until undici begins to write the request, it cannot have reached anybody.
  let begun = false
  const lost = (why: string) => ended.resolve({ is: 'lost', maybeDone: begun, why })
  const giveUp = () => lost(reasonOf(signal.reason))
  signal.addEventListener('abort', giveUp, { once: true })
  let status = 0
  let retryAfterMs: number | null = null
  let text = ''
  const decoder = new TextDecoder()
  const answered = () => ended.resolve({ is: 'answered', status, body: text, retryAfterMs })
  client.dispatch(
    { path: `${url.pathname}${url.search}`, method, headers, body },
    {
      onRequestStart: () => void (begun = true),
      onResponseStart(_controller, statusCode, received) {
        status = statusCode
        retryAfterMs = waitMs(received['retry-after'], now())
      },
      onResponseData(_controller, chunk) {
        text += decoder.decode(chunk, { stream: true })
        if (text.length > LONGEST_BODY) answered()
      },
      onResponseEnd: answered,
      onResponseError(_controller, error) {
        // It has said what it thinks of the request; the rest is words.
        if (status > 0) answered()
        else lost(reasonOf(error))
      },
    },
  )
  try {
    return await ended.promise
  } finally {
    signal.removeEventListener('abort', giveUp)
    client.destroy().catch(() => {})
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function waitMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
