import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js'

import { errorText } from '../../../src/lib/text/error-text.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { inWords, words } from '../../../src/message/message.ts'
import type { ReasonKey } from '../../../src/words/words.ts'
import { EdgeLimit, ShutOut } from './api.ts'

/** JSON error codes, https://docs.discord.com/developers/topics/opcodes-and-status-codes#json: nothing arrives there any more. */
const GONE: Readonly<Record<number, ReasonKey>> = {
  10003: 'why.channel-gone',
  10004: 'why.server-gone',
  10013: 'why.user-gone',
  50001: 'why.removed',
  50007: 'why.direct-closed',
  50008: 'why.no-posting',
  50013: 'why.no-rights',
  50024: 'why.no-posting',
  50033: 'why.user-unwritable',
  50278: 'why.no-common-server',
  160_005: 'why.locked',
}
export const UNKNOWN_CHANNEL = 10003
export const MISSING_PERMISSIONS = 50013
const UNKNOWN_MESSAGE = 10008
/** The message to edit is another bot's: this database had another token before. */
const NOT_OUR_MESSAGE = 50005
const OPENED_TOO_FAST = 40003
export const UNKNOWN_INTERACTION = 10062
export const ALREADY_ACKNOWLEDGED = 40060
/** A reply needs the right to read the history. */
export const NO_HISTORY = 160_002

/** The request has not left this machine, or no server was there to take it. */
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

/** How a failed send ended. Pure. */
export function outcomeOf(error: unknown): Exclude<Delivery, { is: 'sent' | 'moved' }> {
  if (error instanceof ShutOut || error instanceof EdgeLimit) {
    const { retryAfterMs, message: why } = error
    return { is: 'delayed', retryAfterMs, scope: 'platform', maybeSent: false, why }
  }
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
  // A proxy in front of Discord refuses without Discord's words. A message that it refused was never sent.
  if (error instanceof HTTPError)
    return delayed('chat', `Discord answers ${error.status}`, error.status >= 500)
  const code = codeOf(error)
  const never = NEVER_SENT.has(code ?? '')
  const why = code ?? errorText(error)
  return delayed(never ? 'platform' : 'chat', why, !never)
}

/**
 * Only a documented code ends a chat: others come and go, as 40333 does, which the edge answers
 * (https://github.com/discord/discord-api-docs/issues/6473).
 */
function refusalOf({ code, status, message }: DiscordAPIError): ReturnType<typeof outcomeOf> {
  const gone = typeof code === 'number' ? GONE[code] : undefined
  if (gone !== undefined) return { is: 'gone', why: inWords(words(gone)) }
  if (status === 401) return delayed('platform', 'Discord refuses the token (401)', false)
  if (code === OPENED_TOO_FAST) return delayed('chat', 'direct messages are being opened too fast', false)
  // 413 is too large.
  if (status === 400 || status === 413 || code === UNKNOWN_MESSAGE || code === NOT_OUR_MESSAGE)
    return { is: 'rejected', why: `${status} ${code}: ${message}` }
  const said = typeof code === 'number' && code > 0 ? `: ${message} (${code})` : ''
  return delayed('chat', `Discord answers ${status}${said}`, status >= 500)
}

/**
 * A failure of one request concerns its own channel. Only a failure before Discord, or one that all requests meet,
 * concerns the whole platform.
 */
function delayed(scope: 'chat' | 'platform', why: string, maybeSent: boolean): ReturnType<typeof outcomeOf> {
  return { is: 'delayed', retryAfterMs: null, scope, maybeSent, why }
}

/** `ECONNRESET`, also if it is the error's cause. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** Discord's own number of the error; null if it gives none. */
export function discordCode(error: unknown): number | null {
  return error instanceof DiscordAPIError && typeof error.code === 'number' ? error.code : null
}
