import { hash } from 'node:crypto'

import type { Bot } from '../../src/chat/bot.ts'
import type { Client } from '../../src/chat/client.ts'
import { createPerMinute } from '../../src/lib/time/per-minute.ts'
import type { Identity } from '../../src/message/address.ts'
import { ASSISTANT_PLATFORM } from '../../src/people/session.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Emit } from '../../src/runtime/event.ts'
import type { Http } from '../../src/runtime/http.ts'
import type { Protocol } from './protocol.ts'

/** Requests of one assistant in a minute, of every kind. Calls of tools have a smaller budget. */
const REQUESTS_A_MINUTE = 60

const BEARER = /^Bearer +(perch_[\w-]{20,200})$/i
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * The door of assistants at `/mcp`. Each has a token from `/assistant new`, which is its person's word that it may look
 * and add alerts. Only the digest of the token is known here.
 */
export function createAssistants(world: {
  clock: Clock
  emit: Emit
  http: Pick<Http, 'url' | 'mount'>
  /** A new id for an input. */
  newId: () => string
}): Client {
  const { clock, http } = world
  const requests = createPerMinute(REQUESTS_A_MINUTE)
  let bot: Bot | null = null
  let protocol: Promise<Protocol> | null = null

  /** Most programs are never asked by an assistant, so the protocol waits for the first one that is known. */
  const opened = () => {
    protocol ??= import('./protocol.ts')
      .then(({ default: createProtocol }) => createProtocol({ ...world, bot: () => bot }))
      .catch((error: unknown) => {
        protocol = null
        throw error
      })
    return protocol
  }

  http.mount('/mcp', async (request) => {
    if (bot === null) return refusal(503, 'Perch is starting or ending. Ask again in a minute.')
    const by = askerOf(request)
    if (by === null || bot.glance(by) === null) return stranger(by !== null)
    if (!requests.allows(by.user, clock.monotonic())) {
      const seconds = Math.ceil(requests.waitMs(by.user, clock.monotonic()) / 1_000)
      return refusal(429, 'Too many requests in this minute.', { 'retry-after': String(seconds) })
    }
    const answer = await (await opened()).answer(request, by)
    for (const [name, value] of Object.entries(HEADERS)) answer.headers.set(name, value)
    return answer
  })

  return {
    name: ASSISTANT_PLATFORM,
    tellsNobody: true,
    async start(started) {
      bot = started
    },
    async stop() {
      bot = null
      // One that could not be loaded was told by the request that wanted it.
      await Promise.allSettled([protocol?.then((one) => one.close())])
    },
  }
}

/** Who asks, by the token in the header; null without one. A cookie is never looked at. */
function askerOf(request: Request): Identity | null {
  const [, token] = BEARER.exec(request.headers.get('authorization') ?? '') ?? []
  return token === undefined ? null : { platform: ASSISTANT_PLATFORM, user: hash('sha256', token) }
}

/** RFC 6750, 3: a client that brought a token learns that it is not good. */
function stranger(hasToken: boolean): Response {
  const why = hasToken ? ', error="invalid_token"' : ''
  return refusal(401, 'Your person makes a token with /assistant new in a chat with Perch.', {
    'www-authenticate': `Bearer realm="perch"${why}`,
  })
}

/** An error of the protocol that answers no request in particular. */
function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const error = { code: -32_000, message }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers: { ...HEADERS, ...headers } })
}
