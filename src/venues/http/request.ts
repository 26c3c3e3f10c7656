import { createRequire } from 'node:module'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

import type * as Undici from 'undici'

import type { Clock } from '../../runtime/clock.ts'
import { words } from '../../message/message.ts'
import { VenueError } from '../../venue/venue.ts'

/** A single file: the main module also loads `fetch`, WebSockets and caches, which takes as long as all of zod. */
const Pool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof Undici.Pool

/** A recorded `/markets` has 97 kB. A body of this size is not an answer, and must not fill the memory. */
const LARGEST_BODY_BYTES = 8 * 1024 * 1024

/**
 * The clock keeps the time limit. This one only cleans up after it: undici cannot abort a connection that
 * never opens, so it ends by itself.
 */
const CONNECT_CLEANUP_MS = 60_000

export interface HttpRequest {
  method: 'GET' | 'POST'
  /** With query, below the base URL, already encoded. */
  path: string
  /** Name, value, name, value: undici takes this form as it is. */
  headers: string[]
  body: string | null
}

export interface Reply {
  status: number
  text: string
  retryAfter: string | null
}

export interface Transport {
  /**
   * Makes one attempt within `limitMs`, body included. Rejects with a VenueError (network, timeout, aborted,
   * unreadable) or with the error of `read`. Reads the reply in the turn that completes it, so that no body
   * waits in memory.
   */
  send<T>(request: HttpRequest, limitMs: number, signal: AbortSignal, read: (reply: Reply) => T): Promise<T>
  close(): Promise<void>
}

/** Opens kept-alive connections to one base URL, as many as there are concurrent requests. */
export function openTransport(base: URL, clock: Clock): Transport {
  const prefix = base.pathname.replace(/\/+$/, '')
  const pool = new Pool(base.origin, {
    pipelining: 1,
    // One request per connection: closing it frees a socket and disturbs no other request.
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: CONNECT_CLEANUP_MS,
    maxResponseSize: LARGEST_BODY_BYTES,
  })
  const aborts = createAborts()
  return {
    send: (request, limitMs, signal, read) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(aborted(signal.reason))
        let teardown: ((reason: Error) => void) | null = null
        let gaveUp: VenueError | null = null
        let status = 0
        let retryAfter: string | null = null
        let coding: string | null = null
        let chunks: Buffer[] = []
        const giveUp = (error: VenueError) => {
          gaveUp = error
          settle()
          reject(error)
          teardown?.(error)
        }
        const callOffAbort = aborts.on(signal, () => giveUp(aborted(signal.reason)))
        const callOff = clock.wakeAt(clock.monotonic() + limitMs, () => giveUp(timedOut(limitMs)))
        const settle = () => {
          callOff()
          callOffAbort()
        }
        pool.dispatch(
          {
            path: prefix + request.path,
            method: request.method,
            headers: request.headers,
            body: request.body,
          },
          {
            // Undici calls this just before it writes the request: until then it surely never left.
            onRequestStart(controller) {
              if (gaveUp) return controller.abort(gaveUp)
              teardown = (reason) => controller.abort(reason)
            },
            onResponseStart(_controller, statusCode, headers) {
              status = statusCode
              retryAfter = textOf(headers['retry-after'])
              coding = textOf(headers['content-encoding'])
            },
            onResponseData(_controller, chunk) {
              chunks.push(chunk)
            },
            onResponseEnd() {
              if (gaveUp) return
              settle()
              const [only] = chunks
              const body = chunks.length === 1 && only ? only : Buffer.concat(chunks)
              try {
                resolve(read({ status, text: decoded(body, coding).toString('utf8'), retryAfter }))
              } catch (error) {
                reject(error)
              }
            },
            onResponseError(_controller, error) {
              chunks = []
              if (gaveUp) return
              settle()
              reject(broken(error, teardown !== null))
            },
          },
        )
        return undefined
      }),
    close: () => pool.destroy(),
  }
}

/** We ask for no coding. Some proxies compress all the same. */
const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** The bound holds for what it grows to as well. */
function decoded(body: Buffer, coding: string | null): Buffer {
  const decode = DECODERS.get(coding?.trim().toLowerCase() ?? '')
  if (!decode || body.length === 0) return body
  try {
    return decode(body, { maxOutputLength: LARGEST_BODY_BYTES })
  } catch {
    const why = 'it is compressed and cannot be opened'
    throw new VenueError({ is: 'unreadable', why }, words('cause.unusable', { why }))
  }
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

/**
 * Adds one listener per signal, however many requests share it. A signal walks its list of listeners for each
 * one added or removed.
 */
function createAborts() {
  const waiting = new WeakMap<AbortSignal, Set<() => void>>()
  return {
    on(signal: AbortSignal, hear: () => void): () => void {
      let hearers = waiting.get(signal)
      if (!hearers) {
        const fresh = new Set<() => void>()
        signal.addEventListener('abort', () => fresh.forEach((each) => each()), { once: true })
        waiting.set(signal, fresh)
        hearers = fresh
      }
      const of = hearers
      of.add(hear)
      return () => of.delete(hear)
    },
  }
}

export function aborted(cause: unknown): VenueError {
  return new VenueError({ is: 'aborted' }, words('cause.aborted'), { cause })
}

export function timedOut(limitMs: number): VenueError {
  return new VenueError(
    { is: 'timeout' },
    words('cause.timeout', { seconds: String(Number((limitMs / 1_000).toFixed(1))) }),
  )
}

export function queued(limitMs: number): VenueError {
  const seconds = String(Math.round(limitMs / 1_000))
  return new VenueError({ is: 'queued' }, words('cause.no-turn', { seconds }))
}

/** Translates undici's errors (https://undici.nodejs.org/#/docs/api/Errors). */
function broken(error: Error, sent: boolean): VenueError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return aborted(error)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return unreadableTransport(`it has more than ${LARGEST_BODY_BYTES} bytes`, error)
  }
  // A parser error without bytes means that the connection cut the answer short. Otherwise it carries the
  // offending bytes, which may be anything: do not pass them on.
  if (
    error.name === 'HTTPParserError' &&
    'data' in error &&
    typeof error.data === 'string' &&
    error.data !== ''
  ) {
    return unreadableTransport('it is not HTTP', null)
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return unreadableTransport('its headers are too long', error)
  const text = words(sent ? 'cause.broken' : 'cause.unreachable', { code })
  return new VenueError({ is: 'network', sent }, text, { cause: error })
}

function unreadableTransport(why: string, cause: Error | null): VenueError {
  return new VenueError({ is: 'unreadable', why }, words('cause.unusable', { why }), { cause })
}
