import {
  DefaultRestOptions,
  RateLimitError,
  type RawFile,
  REST,
  RESTEvents,
  type RESTOptions,
} from 'discord.js'

import { type Clock, within } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'

/** A request to Discord. */
export interface Ask {
  body?: unknown
  files?: RawFile[]
  signal?: AbortSignal
}

/** discord.js hands a form to the undici that this process has loaded first, which may take none but its own: fetch takes any. */
const makeRequest: RESTOptions['makeRequest'] = (url, init) => {
  const byFetch = fetch as unknown as RESTOptions['makeRequest']
  return init.body instanceof FormData ? byFetch(url, init) : DefaultRestOptions.makeRequest(url, init)
}

/**
 * Discord's REST API. `bot` authenticates with the token; `reply` answers interactions, whose paths contain their own
 * token.
 */
export interface Api {
  bot(method: Method, route: `/${string}`, ask?: Ask): Promise<unknown>
  reply(method: Method, route: `/${string}`, ask?: Ask): Promise<unknown>
  /** Edits with the token, in a queue apart: a limit on edits, or an edit that hangs, keeps no message waiting. */
  edit(route: `/${string}`, ask?: Ask): Promise<unknown>
  /** Posts a picture, in the queue of edits: an upload that hangs keeps no message waiting. */
  upload(route: `/${string}`, ask: Ask): Promise<unknown>
  /** Pins a message, or unpins it, in the queue of edits. */
  pin(method: 'PUT' | 'DELETE', route: `/${string}`, ask?: Ask): Promise<unknown>
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Requests that Discord refused us as a whole: thrown before one more is made. */
export class ShutOut extends Error {
  override name = 'ShutOut'
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super('too many requests were refused: waiting before Discord shuts us out')
    this.retryAfterMs = retryAfterMs
  }
}

/** A 429 of a proxy in front of Discord: it is about our address, not about one channel. */
export class EdgeLimit extends Error {
  override name = 'EdgeLimit'
  /** Null if the answer does not say. */
  readonly retryAfterMs: number | null
  constructor(retryAfterMs: number | null) {
    super('too many requests (in front of Discord)')
    this.retryAfterMs = retryAfterMs
  }
}

/** One attempt; longer waits are the outbox's business. */
const REQUEST_LIMIT_MS = 10_000
/** The longest wait inside a request; longer waits go back to the outbox. */
const LONGEST_WAIT_MS = 2_000
/**
 * 10,000 answers of 401, 403 and 429 within ten minutes, and the address is banned
 * (https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans): we stop far below.
 */
const MAX_INVALID_REQUESTS = 2_000
/** https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const GLOBAL_PER_SECOND = 50
const INVALID_WINDOW_MS = 10 * 60_000

export function createApi({
  token,
  apiUrl,
  clock,
  emit,
  mostInvalid = MAX_INVALID_REQUESTS,
  globalPerSecond = GLOBAL_PER_SECOND,
}: {
  token: string
  apiUrl: string
  clock: Clock
  emit: Emit
  mostInvalid?: number
  globalPerSecond?: number
}): Api {
  let invalid: number[] = []
  const count = (status: number, headers: { get(name: string): string | null }) => {
    const shared = headers.get('x-ratelimit-scope') === 'shared'
    if (status !== 401 && status !== 403 && (status !== 429 || shared)) return
    invalid.push(clock.monotonic())
    if (invalid.length === mostInvalid) {
      const why = `${mostInvalid} requests were refused within ten minutes: no more are made for a while`
      emit({ is: 'trouble', where: 'discord', why })
    }
  }
  const monitor = () => {
    const now = clock.monotonic()
    if ((invalid[0] ?? now) <= now - INVALID_WINDOW_MS)
      invalid = invalid.filter((at) => at > now - INVALID_WINDOW_MS)
    if (invalid.length < mostInvalid) return
    throw new ShutOut((invalid[invalid.length - mostInvalid] ?? now) + INVALID_WINDOW_MS - now)
  }
  // Answers to people are exempt from the limit of the whole bot, which discord.js does not know. Edits are apart because
  // discord.js makes the requests of one rate limit one after the other.
  const open = () => {
    const told = new Set<string>()
    const byEdge = new Set<string>()
    const rest = new REST({
      api: apiUrl,
      version: '10',
      retries: 0,
      makeRequest,
      globalRequestsPerSecond: globalPerSecond,
      // Ours comes first: it is the clock's.
      timeout: 2 * REQUEST_LIMIT_MS,
      // Let the outbox wait instead: there, critical messages go first.
      rejectOnRateLimit: ({ retryAfter, url }) => told.delete(url) || retryAfter > LONGEST_WAIT_MS,
    })
    rest.on(RESTEvents.Response, ({ path }, { status, headers }) => {
      const url = `${apiUrl}/v10${path}`
      if (status === 429) told.add(url)
      // Discord's own 429 names its limit; one without these headers comes from the network in front of it
      // (https://docs.discord.com/developers/topics/rate-limits#header-format-rate-limit-header-examples).
      if (status === 429 && !headers.has('x-ratelimit-scope') && !headers.has('x-ratelimit-bucket'))
        byEdge.add(url)
      count(status, headers)
    })
    const request: REST['request'] = async (ask) => {
      try {
        return await rest.request(ask)
      } catch (error) {
        if (!(error instanceof RateLimitError) || !byEdge.delete(error.url)) throw error
        throw new EdgeLimit(error.retryAfter > 0 ? error.retryAfter : null)
      }
    }
    return { request, setToken: (value: string) => void rest.setToken(value) }
  }
  const [speaking, answering, editing] = [open(), open(), open()]
  const send = async (
    rest: ReturnType<typeof open>,
    auth: boolean,
    method: Method,
    fullRoute: `/${string}`,
    ask: Ask,
  ) => {
    monitor()
    // After one 401 discord.js forgets the token and fails every request that follows.
    rest.setToken(token)
    return within(clock, REQUEST_LIMIT_MS, ask.signal, (signal) =>
      rest.request({ method, fullRoute, auth, ...ask, signal } as Parameters<REST['request']>[0]),
    )
  }
  return {
    bot: (method, route, ask = {}) => send(speaking, true, method, route, ask),
    reply: (method, route, ask = {}) => send(answering, false, method, route, ask),
    edit: (route, ask = {}) => send(editing, true, 'PATCH', route, ask),
    upload: (route, ask) => send(editing, true, 'POST', route, ask),
    pin: (method, route, ask = {}) => send(editing, true, method, route, ask),
  }
}
