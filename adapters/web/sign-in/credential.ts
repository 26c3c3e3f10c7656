import { hash } from 'node:crypto'

import { PAGE_PLATFORM } from '../../../src/people/session.ts'
import type { Identity } from '../../../src/message/address.ts'

/** 32 random bytes in base64url. */
const SECRET = /^[\w-]{43}$/
/** The header of a Mini App: inside another site's frame a browser keeps no strict cookie. */
const BEARER = /^Perch ([\w-]{43})$/

/** Names and sets the cookie that holds the secret of a session. */
export interface SessionCookie {
  name: string
  /** The `Set-Cookie` of a new session. */
  holding(secret: string, livesMs: number): string
  ended: string
}

/** `url`: where browsers reach the server. Browsers take `Secure` over plain HTTP on their own machine alone. */
export function sessionCookie(url: string): SessionCookie {
  const { protocol, hostname } = new URL(url)
  const isEncrypted = protocol === 'https:'
  const name = isEncrypted ? '__Host-perch' : 'perch'
  const secure = isEncrypted || isLoopback(hostname) ? '; Secure' : ''
  const cookie = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  return {
    name,
    holding: (secret, livesMs) => cookie(secret, Math.floor(livesMs / 1_000)),
    ended: cookie('', 0),
  }
}

/** Whether a host name, as a URL spells it, means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

/** The secret that a request carries: that of its header, else that of its cookie; null without one. */
export function secretOf(request: Request, cookieName: string): string | null {
  const [, bearer] = BEARER.exec(request.headers.get('authorization') ?? '') ?? []
  return bearer ?? cookieOf(request, cookieName, SECRET)
}

/** The value of a cookie; null where it is not there, is there twice, or has another shape. */
export function cookieOf(request: Request, name: string, shape: RegExp): string | null {
  const values = (request.headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [own = '', ...value] = pair.trim().split('=')
    return own === name ? [value.join('=')] : []
  })
  const [value = ''] = values
  return values.length === 1 && shape.test(value) ? value : null
}

/** Who speaks with this secret. Only its digest is kept, so no copy of the database opens a page. */
export function identityOf(secret: string): Identity {
  return { platform: PAGE_PLATFORM, user: hash('sha256', secret) }
}
