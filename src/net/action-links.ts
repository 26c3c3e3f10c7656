import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'

import { z } from 'zod'

import type { LinkFor, ActionPress, ActionResult } from '../chat/action-link.ts'
import { createPerMinute } from '../lib/time/per-minute.ts'
import type { Address } from '../message/address.ts'
import { inWords, isSilent, plainLines, type Text, words } from '../message/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Answered, Route } from '../runtime/route.ts'
import type { Language } from '../words/words.ts'

const DAY_MS = 86_400_000
const NONCE_BYTES = 12
/** A few bad links are typing mistakes. This many a minute are an attack. */
const BAD_LINKS_PER_MINUTE = 60

/** The key of all links: with another word it is another key, and buttons that were sent before end. */
export function buttonKey(secret: Uint8Array, word: string | null): Uint8Array {
  return word === null ? secret : createHmac('sha256', secret).update(word).digest()
}

/**
 * Buttons outside conversations: links to Perch's own port. Each link is sealed for one line, one destination and one
 * day. Only a POST presses it: previews, scanners and prefetching browsers send GET and get a sentence.
 */
export function createActionLinks(world: {
  /** Where our port is reached, without a slash at the end. */
  url: string
  /** Others than this machine reach it as well. */
  isPublic: boolean
  /** 32 bytes. A new key invalidates all links. */
  key: Uint8Array
  clock: Clock
  emit: Emit
  /** Resolves with null if nobody gets messages there any more. Rejects while the bot does not run. */
  press(press: ActionPress): Promise<ActionResult | null>
  /** The language of the person who gets the messages there. */
  languageAt(there: Address): Language
}): { linkFor: LinkFor; route: Route } {
  const { url, isPublic, key, clock } = world
  const { protocol, pathname } = new URL(url)
  const prefix = pathname.replace(/\/$/, '')
  const isSlip = createGuesses(clock, world.emit)

  if (isPublic && protocol === 'http:')
    world.emit({
      ...{ is: 'caution', where: 'http' },
      why: 'PUBLIC_URL is not encrypted: whoever is on the way can press the buttons. Put https in front of it.',
    })

  async function pressed(token: string): Promise<Answered> {
    const link = opened(token, key)
    if (link === null)
      return isSlip() ? said(404, words('page.not-found')) : said(429, words('page.too-many'))
    const { there, line, until } = link
    const language = world.languageAt(there)
    const answer = (status: number, text: Text) => said(status, inWords(text, language))
    if (clock.now() >= until) return answer(410, words('page.expired'))
    try {
      const id = `button/${hash('sha256', token)}`
      const done = await world.press({ id, there, line, sentAt: until - DAY_MS })
      if (done === null) return answer(410, words('page.nobody'))
      if (isSilent(done.says)) return answer(429, words('page.busy'))
      const lines = plainLines({ ...done.says, buttons: [] }, { now: clock.now(), zone: 'UTC', language })
      return said(done.done ? 200 : 409, lines.join('\n'))
    } catch {
      return answer(503, words('page.away'))
    }
  }

  return {
    linkFor: (there, line) =>
      `${url}/b/${seal({ there, line, until: clock.now() + DAY_MS }, key, randomBytes(NONCE_BYTES))}`,
    route({ method, path }) {
      // A proxy may hand the prefix on, or take it away.
      const token =
        tokenIn(path) ?? (path.startsWith(`${prefix}/`) ? tokenIn(path.slice(prefix.length)) : undefined)
      if (token === undefined) return null
      if (method === 'POST') return pressed(token)
      if (method === 'GET') return said(200, words('page.elsewhere'))
      // A browser may ask first whether it may.
      if (method === 'OPTIONS') return said(200, 'POST', { 'access-control-allow-methods': 'POST' })
      return said(405, words('page.post-only'), { allow: 'GET, HEAD, POST' })
    },
  }
}

function tokenIn(path: string): string | undefined {
  return /^\/b\/([^/]+)$/.exec(path)?.[1]
}

/** Distinguishes typing mistakes from a flood of guesses. The operator is told of a flood once a minute. */
function createGuesses(clock: Clock, emit: Emit): () => boolean {
  const slips = createPerMinute(BAD_LINKS_PER_MINUTE)
  const remarks = createPerMinute(1)
  return () => {
    const mono = clock.monotonic()
    const isSlip = slips.allows('anybody', mono)
    if (!isSlip && remarks.allows('operator', mono))
      emit({ is: 'remark', where: 'http', text: 'somebody tries to guess the address of a button' })
    return isSlip
  }
}

/** Web apps send the press from a browser page of their own and show its result. The link alone authorizes it. */
const FROM_ANYWHERE = { 'access-control-allow-origin': '*' }

function said(status: number, text: Text, headers: Record<string, string> = {}): Answered {
  return { status, type: 'text/plain', body: `${inWords(text)}\n`, headers: { ...FROM_ANYWHERE, ...headers } }
}

/** The content of a link, and its end in wall time. */
type Sealed = Omit<ActionPress, 'id' | 'sentAt'> & { until: number }

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** Longer tokens are not ours: the longest address is that of a browser, of some 1,100 characters. */
const SHAPE = /^[\w-]{40,2000}$/
const PLAIN = z.tuple([z.string(), z.string(), z.string().nullable(), z.string(), z.number()])

/**
 * Encrypts and authenticates the content of a link in one token (AES-GCM), so that nobody can read, change or forge it.
 * Nothing is stored, so links survive a restart and strangers cannot fill a table.
 */
export function seal({ there, line, until }: Sealed, key: Uint8Array, nonce: Uint8Array): string {
  const cipher = createCipheriv(CIPHER, key, nonce)
  const plain = JSON.stringify([there.platform, there.chat, there.thread, line, until])
  const sealed = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/**
 * Returns null if the token was not sealed with this key. Its timing reveals nothing, because GCM compares in constant
 * time.
 */
export function opened(token: string, key: Uint8Array): Sealed | null {
  if (!SHAPE.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  // Several spellings of the same bytes would be several buttons.
  if (bytes.toString('base64url') !== token) return null
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    const text = Buffer.concat([plain, decipher.final()]).toString()
    const [platform, chat, thread, line, until] = PLAIN.parse(JSON.parse(text))
    return { there: { platform, chat, thread }, line, until }
  } catch {
    return null
  }
}
