import type { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Emit } from '../runtime/event.ts'
import type { FetchHandler, Http } from '../runtime/http.ts'

/** Answers one request whose body was read. Rejects only if the answer could not be begun. */
type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>
/** As `@hono/node-server` wants it: bytes that were read already. */
type Read = IncomingMessage & { rawBody: Buffer }

const PREFIX = /^\/[a-z]+$/

/**
 * The handlers of adapters on the HTTP server. `publicPath` is the path of PUBLIC_URL without a slash at the end: a proxy
 * may hand it on, or take it away. Handlers never see it.
 */
export function createMounts(world: {
  publicPath: string
  emit: Emit
  /** A stream of events opens on this connection. */
  streams(socket: Socket): void
}): Pick<Http, 'mount'> & { find(url: string): Answer | null } {
  const { publicPath, emit, streams } = world
  /** By prefix: who answers at an address, as the handler sees it. */
  const mounted = new Map<string, (inside: string) => Answer>()

  function mount(prefix: string, handler: FetchHandler): void {
    if (!PREFIX.test(prefix)) throw new Error(`${prefix} is no prefix of a path: a slash and small letters`)
    if (mounted.has(prefix)) throw new Error(`${prefix} is mounted already`)
    let listener: ReturnType<typeof listenerOf> | null = null
    mounted.set(prefix, (inside) => async (request, response, body) => {
      // Loaded by the first request: a start must not wait for it.
      listener ??= listenerOf(handler)
      const read: Read = Object.assign(request, { url: inside, rawBody: body })
      await (
        await listener
      )(read, response)
    })
  }

  async function listenerOf(handler: FetchHandler) {
    const { getRequestListener } = await import('@hono/node-server')
    return getRequestListener(
      async (request, { incoming, outgoing }) => {
        const fail = (error: unknown) =>
          emit({ is: 'trouble', where: 'http', why: 'a request was not answered', error })
        try {
          const answer = await handler(request, { address: incoming.socket.remoteAddress ?? '' })
          if (isStream(answer)) streams(incoming.socket)
          return whole(answer, (error) => {
            fail(error)
            outgoing.destroy()
          })
        } catch (error) {
          fail(error)
          return new Response(FAILED, { status: 500, headers: FAILED_HEADERS })
        }
      },
      { overrideGlobalObjects: false, autoCleanupIncoming: false },
    )
  }

  /** The address as the handler of this prefix sees it; null if it lies outside. */
  function insideOf(url: string, prefix: string): string | null {
    const inner = url.startsWith(`${publicPath}/`) ? url.slice(publicPath.length) : url
    return [inner, url].find((one) => isInside(one, prefix)) ?? null
  }

  return {
    mount,
    find(url) {
      for (const [prefix, answerAt] of mounted) {
        const inside = insideOf(url, prefix)
        if (inside !== null) return answerAt(inside)
      }
      return null
    },
  }
}

const FAILED = `${JSON.stringify({ says: ['That did not work.'] })}\n`
const FAILED_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** Ends at the boundary of a path, and does not lead out again by `..`, however that is written. */
function isInside(url: string, prefix: string): boolean {
  const [path = ''] = url.split('?', 1)
  const starts = (one: string) => one === prefix || one.startsWith(`${prefix}/`)
  return starts(path) && URL.canParse(path, 'http://perch') && starts(new URL(path, 'http://perch').pathname)
}

function isStream(answer: Response): boolean {
  return answer.body !== null && /^text\/event-stream\b/.test(answer.headers.get('content-type') ?? '')
}

/**
 * The same answer, whose stream tells us of an error and never the other side. `@hono/node-server` would print the error,
 * and send its text.
 */
function whole(answer: Response, failed: (error: unknown) => void): Response {
  if (answer.body === null) return answer
  const reader = answer.body.getReader()
  let hasLeft = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (hasLeft) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          failed(error)
          if (!hasLeft) controller.close()
        }
      },
      async cancel(reason) {
        hasLeft = true
        await reader.cancel(reason).catch(failed)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, answer)
}
