import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js'

import type { Delivery } from '../../src/chat.ts'

/** JSON error codes, https://docs.discord.com/developers/topics/opcodes-and-status-codes#json: nothing arrives there any more. */
const GONE: Readonly<Record<number, string>> = {
  10003: 'the channel does not exist any more',
  10004: 'the server does not exist any more',
  10013: 'the user does not exist any more',
  50001: 'Perch was removed there, or may not see the channel',
  50007: 'the user takes no direct messages from Perch',
  50008: 'messages cannot be posted in such a channel',
  50013: 'Perch may not post there: it needs View Channel, Send Messages and Embed Links',
  50024: 'messages cannot be posted in such a channel',
  50033: 'the user cannot be written to',
  50278: 'the user shares no server with Perch any more',
  160_005: 'the thread is locked',
}
export const UNKNOWN_CHANNEL = 10003
const UNKNOWN_MESSAGE = 10008
export const UNKNOWN_INTERACTION = 10062
export const ALREADY_ACKNOWLEDGED = 40060
/** A reply needs the right to read the history. */
export const NO_HISTORY = 160_002

/** Nothing has left this machine, or nobody was there to take it. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** The work was given up before anything of it was sent. */
export const GIVEN_UP: Delivery = {
  is: 'delayed',
  retryAfterMs: null,
  scope: 'chat',
  maybeSent: false,
  why: 'given up before it began',
}

/** What a failed send means. Pure. */
export function outcomeOf(error: unknown): Exclude<Delivery, { is: 'sent' | 'moved' }> {
  if (error instanceof RateLimitError) {
    const { global, retryAfter, scope } = error
    return {
      is: 'delayed',
      // A 429 that does not say how long is backed off from like any other trouble.
      retryAfterMs: retryAfter > 0 ? retryAfter : null,
      scope: global ? 'platform' : 'chat',
      maybeSent: false,
      why: `too many requests (${global ? 'global' : scope})`,
    }
  }
  if (error instanceof DiscordAPIError) return refusalOf(error)
  if (error instanceof HTTPError) return delayed(`Discord answers ${error.status}`, true)
  const code = codeOf(error)
  return delayed(
    code ?? (error instanceof Error ? error.message : String(error)),
    !NEVER_SENT.has(code ?? ''),
  )
}

function refusalOf({ code, status, message }: DiscordAPIError): ReturnType<typeof outcomeOf> {
  const gone = typeof code === 'number' ? GONE[code] : undefined
  if (gone !== undefined) return { is: 'gone', why: gone }
  if (status === 401) return wall('Discord refuses the token (401)')
  if (code === 40003) return wall('direct messages are being opened too fast')
  // 413 is too large; a 403 or 404 without a code of Discord's own comes from whatever stands in front of it.
  if (status === 400 || status === 413 || code === UNKNOWN_MESSAGE)
    return { is: 'rejected', why: `${status} ${code}: ${message}` }
  if ((status === 403 || status === 404) && typeof code === 'number' && code > 0) {
    return { is: 'gone', why: `Discord says: ${message} (${code})` }
  }
  return wall(`Discord answers ${status}`)
}

function wall(why: string): ReturnType<typeof outcomeOf> {
  return { is: 'delayed', retryAfterMs: null, scope: 'platform', maybeSent: false, why }
}

function delayed(why: string, maybeSent: boolean): ReturnType<typeof outcomeOf> {
  return { is: 'delayed', retryAfterMs: null, scope: 'platform', maybeSent, why }
}

/** `ECONNRESET`, also of what caused it. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** Discord's own number of what is wrong; null when it is none of these. */
export function discordCode(error: unknown): number | null {
  return error instanceof DiscordAPIError && typeof error.code === 'number' ? error.code : null
}
