import { Buffer } from 'node:buffer'
import { createECDH, createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto'

/** The order of P-256 (SEC 2, 2.4.2): a private key is a number from 1 to one below it. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Push services allow a day (RFC 8292, 2). Half of it bears a clock that is wrong by hours. */
const LIVES_S = 12 * 3_600

/** The keys by which push services know this bot. A browser takes notifications of the one key that it was given. */
export interface ServerKeys {
  /** 65 bytes, in base64url: what a browser wants as `applicationServerKey`. */
  publicKey: string
  signingKey: KeyObject
}

/** Derives the same keys from the same secret of 32 bytes, so that browsers stay subscribed over a restart. */
export function serverKeys(secret: Uint8Array): ServerKeys {
  const scalar = scalarOf(secret)
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const [x, y, d] = [base64(point.subarray(1, 33)), base64(point.subarray(33)), base64(scalar)] as const
  return {
    publicKey: base64(point),
    signingKey: createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' }),
  }
}

/** One in four billion digests is no key of this curve. Then the next one is. */
function scalarOf(secret: Uint8Array): Buffer {
  for (let turn = 0; ; turn++) {
    const bytes = createHmac('sha256', secret).update(`vapid ${turn}`).digest()
    const number = BigInt(`0x${bytes.toString('hex')}`)
    if (number > 0n && number < ORDER) return bytes
  }
}

/**
 * Returns the header that shows a push service who sends (RFC 8292): a token for its origin, signed with ES256.
 * web-push could make it, but reads the machine's clock itself.
 */
export function authorization(
  { publicKey, signingKey }: ServerKeys,
  {
    origin,
    contact,
    now,
  }: {
    origin: string
    /** An address such as `mailto:ann@example.com`. Firefox's service wants one, and Apple's wants one that exists. */
    contact: string
    /** Wall time. */
    now: number
  },
): string {
  const claims = { aud: origin, exp: Math.floor(now / 1_000) + LIVES_S, sub: contact }
  const said = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(said), { key: signingKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${said}.${signature.toString('base64url')}, k=${publicKey}`
}
