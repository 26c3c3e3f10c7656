import type { z } from 'zod'

import { jsonOrNull } from '../../../src/lib/text/json.ts'
import type { Http } from '../../../src/runtime/http.ts'
import { type Language, languageOf } from '../../../src/words/words.ts'
import { isLoopback } from '../sign-in/credential.ts'

/** Enough for the longest line. */
const LONGEST_BODY = 16_384

/** Why a request is not even looked at. */
export interface Refusal {
  status: 400 | 403 | 413 | 415 | 421
  why: 'web.bad-request' | 'web.other-site' | 'web.too-large' | 'web.no-json' | 'web.other-host'
}

/**
 * Refuses names of hosts that are not ours. Another name that leads to our address would let its owner read the page
 * (DNS rebinding). No attacker owns the names of this machine, and a proxy may use them.
 */
export function hostRefusal(request: Request, { url }: Pick<Http, 'url'>): Refusal | null {
  const host = request.headers.get('host') ?? new URL(request.url).host
  const asked = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null
  // Compared as this scheme writes it, without a usual port.
  const { protocol, host: ours } = new URL(url)
  const isOurs = URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === ours
  return isOurs || (asked !== null && isLoopback(asked.hostname))
    ? null
    : { status: 421, why: 'web.other-host' }
}

/** Refuses requests that another site has made, also where a browser does not say who made it. */
export function siteRefusal(request: Request): Refusal | null {
  const site = request.headers.get('sec-fetch-site')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isOwn = site === 'same-origin' || (isRead && site === null)
  return isOwn ? null : { status: 403, why: 'web.other-site' }
}

/** Reads a short JSON body of this shape. */
export async function jsonOf<T>(
  request: Request,
  shape: z.ZodType<T>,
): Promise<{ is: 'read'; value: T } | { is: 'refused'; refusal: Refusal }> {
  const refused = (status: Refusal['status'], why: Refusal['why']) =>
    ({ is: 'refused', refusal: { status, why } }) as const
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refused(415, 'web.no-json')
  const text = await shortText(request)
  if (text === null) return refused(413, 'web.too-large')
  const parsed = shape.safeParse(jsonOrNull(text))
  return parsed.success ? { is: 'read', value: parsed.data } : refused(400, 'web.bad-request')
}

/** The body, or null as soon as it is too long. */
async function shortText(request: Request): Promise<string | null> {
  if (request.body === null) return ''
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += part.length
    if (bytes > LONGEST_BODY) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** The first language of a browser that Perch speaks; null where it names none. */
export function browserLanguage(request: Request): Language | null {
  const tags = (request.headers.get('accept-language') ?? '').slice(0, 500).split(',')
  for (const tag of tags) {
    const language = languageOf(tag.split(';', 1)[0]?.trim())
    if (language !== null) return language
  }
  return null
}
