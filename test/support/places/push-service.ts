import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'

import { z } from 'zod'

import type { Clock } from '../../../src/runtime/clock.ts'
import { type Asked, type Reply, type StandIn, startStandIn } from './stand-in.ts'

/** RFC 8030, 7.2: every push service takes as much, and the well-known ones take no more. */
const MAX_BYTES = 4_096
const URGENCIES = new Set(['very-low', 'low', 'normal', 'high'])
const DAY_S = 86_400

/** What a browser's service worker reads; not a field more. */
const NOTIFICATION = z.strictObject({
  version: z.literal(1),
  title: z.string().min(1),
  body: z.string(),
  tag: z.string().regex(/^[\w-]{32}$/),
  alertIds: z.array(z.int()),
  tone: z.enum(['critical', 'warning', 'info', 'good', 'blind', 'plain']),
  silent: z.boolean(),
  at: z.number(),
  lang: z.enum(['en', 'de']),
  url: z.url(),
  ack: z.strictObject({ label: z.string(), line: z.string(), url: z.url().nullable() }).nullable(),
})
export type Shown = z.infer<typeof NOTIFICATION>

/** One browser, as its own `PushSubscription` says it. */
export interface Subscribed {
  endpoint: string
  expirationTime: null
  keys: { p256dh: string; auth: string }
}

interface Browser {
  curve: ECDH
  auth: Buffer
  /** The key of the only sender whom it takes. */
  senderKey: string
  isAway: boolean
  isGone: boolean
  /** What the service holds for a browser that is away. */
  held: { topic: string | null; until: number; text: string }[]
  shown: Shown[]
}

export interface PushService extends StandIn {
  /** A browser subscribes with the key that the page gave it. The same name is the same browser. */
  subscribe(name: string, senderKey: string): Subscribed
  /** The notifications that it shows, one of each tag, in the order of the first. */
  shows(name: string): readonly Shown[]
  /** It is switched off, or on again. */
  away(name: string, isAway: boolean): void
  /** Its subscription is over, or there again. */
  gone(name: string, isGone: boolean): void
  /** Somebody presses the button of its newest notification that has one. */
  presses(name: string): Promise<{ status: number; says: string }>
}

/** A push service and its browsers. It takes only what RFC 8030, 8188, 8291 and 8292 allow. */
export async function startPushService(clock: Clock): Promise<PushService> {
  const browsers = new Map<string, Browser>()
  let ids = 0

  function take({ method, path, headers, bytes }: Asked): Reply {
    const browser = browsers.get(path.slice('/send/'.length))
    if (!browser || !path.startsWith('/send/')) return refused(404, 'no such subscription')
    if (browser.isGone) return refused(410, 'unsubscribed')
    if (method !== 'POST') return refused(405, 'POST only')
    const header = (name: string) => String(headers[name] ?? '')
    const stranger = strangerIn(header('authorization'), { origin: service.origin, now: clock.now() })
    if (typeof stranger !== 'string') return refused(401, stranger.why)
    if (stranger !== browser.senderKey) return refused(403, 'another key than that of the subscription')
    if (!/^\d+$/.test(header('ttl'))) return refused(400, 'TTL is missing')
    if (!URGENCIES.has(header('urgency') || 'normal')) return refused(400, 'no such urgency')
    const topic = header('topic') || null
    if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) return refused(400, 'no such topic')
    if (header('content-encoding') !== 'aes128gcm') return refused(415, 'aes128gcm only')
    if (bytes.length > MAX_BYTES) return refused(413, 'too large')
    const text = decrypted(bytes, browser)
    if (browser.isAway) {
      const until = clock.now() + Number(header('ttl')) * 1_000
      browser.held = [
        ...browser.held.filter((one) => topic === null || one.topic !== topic),
        { topic, until, text },
      ]
    } else show(browser, text)
    return { status: 201, headers: { location: `${service.origin}/message/${++ids}` } }
  }

  function show(browser: Browser, text: string): void {
    const one = NOTIFICATION.parse(JSON.parse(text))
    const at = browser.shown.findIndex(({ tag }) => tag === one.tag)
    browser.shown =
      at < 0 ? [...browser.shown, one] : browser.shown.map((other, index) => (index === at ? one : other))
  }

  const browserOf = (name: string) => {
    const browser = browsers.get(name)
    if (!browser) throw new Error(`no browser ${name}`)
    return browser
  }
  const service: StandIn = await startStandIn('push.test', clock, take)
  return {
    ...service,
    subscribe(name, senderKey) {
      let browser = browsers.get(name)
      if (!browser) {
        const curve = createECDH('prime256v1')
        curve.generateKeys()
        const fresh = { isAway: false, isGone: false, held: [], shown: [] }
        browser = { curve, auth: randomBytes(16), senderKey, ...fresh }
        browsers.set(name, browser)
      }
      const [p256dh, auth] = [browser.curve.getPublicKey(), browser.auth].map((key) =>
        key.toString('base64url'),
      )
      return {
        endpoint: `${service.origin}/send/${name}`,
        expirationTime: null,
        keys: { p256dh: p256dh ?? '', auth: auth ?? '' },
      }
    },
    shows: (name) => browserOf(name).shown,
    away(name, isAway) {
      const browser = browserOf(name)
      browser.isAway = isAway
      if (isAway) return
      const due = browser.held.splice(0).filter(({ until }) => until > clock.now())
      for (const { text } of due) show(browser, text)
    },
    gone: (name, isGone) => void (browserOf(name).isGone = isGone),
    async presses(name) {
      const ack = browserOf(name).shown.findLast((one) => one.ack !== null)?.ack
      if (!ack) throw new Error(`${name} shows no button`)
      if (ack.url === null) throw new Error('the button leads nowhere')
      const answer = await fetch(ack.url, { method: 'POST' })
      return { status: answer.status, says: (await answer.text()).trim() }
    },
  }
}

function refused(status: number, body: string): Reply {
  return { status, body }
}

const HEADER = z.object({ typ: z.literal('JWT'), alg: z.literal('ES256') })
const CLAIMS = z.object({
  aud: z.string(),
  exp: z.int(),
  sub: z.string().regex(/^(mailto:\S+@\S+|https:\/\/\S+)$/),
})

/** The key of the sender, if its token is one (RFC 8292); else why it is none. */
function strangerIn(
  authorization: string,
  { origin, now }: { origin: string; now: number },
): string | { why: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || 'null') as unknown
  if (!HEADER.safeParse(json(header)).success) return { why: 'no token of ES256' }
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return { why: 'no key' }
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) => one.toString('base64url'))
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
    format: 'jwk',
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return { why: 'the signature is wrong' }
  const claimed = CLAIMS.safeParse(json(claims))
  if (!claimed.success) return { why: 'the claims are incomplete' }
  const { aud, exp } = claimed.data
  if (aud !== origin) return { why: 'for another service' }
  if (exp <= now / 1_000) return { why: 'expired' }
  return exp > now / 1_000 + DAY_S ? { why: 'holds for more than a day' } : key
}

/** Decrypts one record of aes128gcm as a browser does (RFC 8188, 2; RFC 8291, 3.4). Throws if it was not made for it. */
export function decrypted(body: Buffer, { curve, auth }: { curve: ECDH; auth: Buffer }): string {
  const salt = body.subarray(0, 16)
  const recordBytes = body.readUInt32BE(16)
  const keyBytes = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyBytes)
  const record = body.subarray(21 + keyBytes)
  if (record.length > recordBytes) throw new Error('more than one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey])
  const shared = Buffer.from(hkdfSync('sha256', curve.computeSecret(senderKey), auth, info, 32))
  const derived = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${name}\0`, bytes))
  const cipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  cipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  // The last record ends with a 2 and any number of zeros.
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('the last record has another mark')
  return padded.subarray(0, end).toString()
}
