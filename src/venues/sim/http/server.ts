import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Clock } from '../../../runtime/clock.ts'
import type { Fault } from '../doors/fault.ts'
import { type HttpAnswer, refusal } from '../endpoints/endpoint.ts'
import type { Asked } from './api.ts'
import { spoil } from './spoil.ts'

// As in src/net/http-server.ts: an import of a value costs 70 ms a start.
const { createServer } = process.getBuiltinModule('node:http')

const LARGEST_BODY_BYTES = 64 * 1024
/** Longer than any client's: the client closes first, so no request meets a closing connection. */
const KEEP_ALIVE_MS = 65_000

interface Server {
  url: string
  /** Breaks off the requests that a fault left hanging. */
  release(): void
  close(): Promise<void>
}

/**
 * Listens on loopback, asks `reply` for every answer, and spoils it with the fault that `faultFor` returns.
 */
export async function listen(
  port: number,
  clock: Clock,
  reply: (asked: Asked) => HttpAnswer,
  faultFor: (path: string) => Fault | null,
): Promise<Server> {
  const hanging = new Set<ServerResponse>()
  // The venue runs inside the bot: our mistake becomes an answer and must not end both.
  const replyTo = (asked: Asked): HttpAnswer => {
    try {
      return reply(asked)
    } catch (error) {
      return refusal(500, `The simulated venue made a mistake: ${String(error)}`)
    }
  }
  const former = createFormer()
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request).then(
      (body) => {
        const url = urlOf(request)
        if (!url) return spoil(response, refusal(400, 'The path cannot be read'), null, clock, hanging)
        const { pathname: path, searchParams: query } = url
        const { method = 'GET', headers, socket } = request
        // An empty key header counts as no key.
        const key = String(headers['x-api-key'] ?? '') || null
        const asked = { method, path, query, body: body ?? '', key, from: socket.remoteAddress ?? '' }
        const fault = faultFor(path)
        const answer = () => (body === null ? refusal(413, 'The body is too large') : replyTo(asked))
        const given = former.of(asked, fault?.kind === 'stale', answer)
        return spoil(response, given, fault, clock, hanging)
      },
      () => response.destroy(),
    )
  })
  const release = () => {
    for (const response of hanging) response.destroy()
    hanging.clear()
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`,
    release,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns null for an unreadable path. The prefix keeps `//` from naming another host. */
function urlOf({ url = '/' }: IncomingMessage): URL | null {
  return URL.parse(url.startsWith('/') ? `http://sim${url}` : url)
}

/** Returns null if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= LARGEST_BODY_BYTES) chunks.push(chunk)
  }
  return bytes > LARGEST_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

/** The last answers, for the fault that repeats an old one. */
interface Former {
  /** Returns the new answer, or if it is to be stale, the last good one. */
  of(asked: Asked, stale: boolean, answer: () => HttpAnswer): HttpAnswer
}

/** How many requests to remember. */
const MAX_FORMER_ANSWERS = 256

function createFormer(): Former {
  const last = new Map<string, HttpAnswer>()
  return {
    of({ method, path, query, body }, stale, answer) {
      const request = `${method} ${path}?${query.toString()} ${body}`
      const before = stale ? last.get(request) : undefined
      if (before) return before
      const now = answer()
      if (path.startsWith('/_sim') || now.status !== 200) return now
      last.delete(request)
      last.set(request, now)
      for (const oldest of last.keys()) {
        if (last.size <= MAX_FORMER_ANSWERS) break
        last.delete(oldest)
      }
      return now
    },
  }
}
