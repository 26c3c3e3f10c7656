import { ECDH } from 'node:crypto'

import { z } from 'zod'

import { jsonOrNull } from '../../src/lib/text/json.ts'
import { shortLine } from '../../src/lib/text/legible.ts'

/** A browser that wants notifications, as its `PushSubscription` says it. It is a secret: it is enough to write there. */
export interface Subscription {
  /** The address at the browser's push service. */
  endpoint: URL
  /** Its public key (P-256, uncompressed) and its secret, in base64url. */
  p256dh: string
  auth: string
}

const POINT_BYTES = 65
const UNCOMPRESSED = 4
const SECRET_BYTES = 16
/** The longest known are those of Windows, of some 600 characters. A sealed link holds one of this length. */
const MAX_ENDPOINT = 1_000
const MAX_TYPED = 4_000
const MAX_NAME = 40

const JSON_SHAPE = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  /** The page's name for the browser: `Firefox on Android`. */
  name: z.string().optional(),
})

/**
 * Reads a subscription that a page hands over: its JSON, plain or in base64url, or an address of `addressOf`. Null for
 * anything else. Does not say whether the endpoint may be asked.
 */
export function subscriptionIn(typed: string): { subscription: Subscription; name: string | null } | null {
  if (typed.length > MAX_TYPED) return null
  const known = subscriptionAt(typed)
  if (known) return { subscription: known, name: null }
  const text = typed.startsWith('{') ? typed : Buffer.from(typed, 'base64url').toString()
  const parsed = JSON_SHAPE.safeParse(jsonOrNull(text))
  if (!parsed.success) return null
  const { endpoint, keys, name = '' } = parsed.data
  const subscription = subscriptionOf(endpoint, keys.p256dh, keys.auth)
  const shown = shortLine(name, MAX_NAME)
  return subscription && { subscription, name: shown === '' ? null : shown }
}

/** The address of a chat: the endpoint, and the keys behind it in place of a fragment. */
export function addressOf({ endpoint, p256dh, auth }: Subscription): string {
  return `${endpoint.href}#${p256dh}.${auth}`
}

/** The subscription at such an address; null for another one. */
export function subscriptionAt(address: string): Subscription | null {
  const [, endpoint = '', p256dh = '', auth = ''] = /^(https?:[^#]+)#([\w-]+)\.([\w-]+)$/i.exec(address) ?? []
  return subscriptionOf(endpoint, p256dh, auth)
}

function subscriptionOf(endpoint: string, p256dh: string, auth: string): Subscription | null {
  if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint)) return null
  const url = new URL(endpoint)
  url.hash = ''
  if (url.href.length > MAX_ENDPOINT) return null
  const [point, secret] = [p256dh, auth].map((key) => Buffer.from(key, 'base64url'))
  if (!point || !isPoint(point) || secret?.length !== SECRET_BYTES) return null
  // Written anew: the same keys in another spelling would be another place.
  return { endpoint: url, p256dh: point.toString('base64url'), auth: secret.toString('base64url') }
}

/** Nothing can be encrypted to a point beside the curve. */
function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== POINT_BYTES || bytes[0] !== UNCOMPRESSED) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}

/** How messages name it: by the page's name for the browser and the host of its push service. */
export function titleOf({ endpoint }: Subscription, name: string | null): string {
  return name === null ? endpoint.host : `${name} (${endpoint.host})`
}
