import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Event } from '../../../src/runtime/event.ts'
import { type Asking, type Venue, VenueError, type VenueFailure } from '../../../src/venue/venue.ts'
import { createClient } from '../../../src/venues/perps-data/client.ts'
import { breathe, type HandClock, handClock } from '../../support/clock.ts'

export interface Heard {
  method: string
  url: string
  headers: Record<string, string | string[] | undefined>
  body: string
  /** Monotonic time of the test's clock. */
  mono: number
}

export type Answer = (response: ServerResponse, request: Heard, place: number) => void

export interface TestVenue extends AsyncDisposable {
  url: string
  clock: HandClock
  venue: Venue
  events: Event[]
  heard: Heard[]
  /** Connections that are open now. */
  sockets: Set<Socket>
  answers(answer: Answer): void
  /** Resolves when the server has heard so many requests. */
  hears(count: number): Promise<void>
  asking(patience?: Asking['patience'], over?: Partial<Asking>): Asking
  /** Turns the clock while nobody is being answered, until the call has ended. */
  turn<T>(call: Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The real client against a real local server, on a clock that the test turns. */
export async function startVenue(
  world: { apiKey?: string | null; prefix?: string; random?: () => number; chainId?: number } = {},
): Promise<TestVenue> {
  const clock = handClock()
  const events: Event[] = []
  const heard: Heard[] = []
  const sockets = new Set<Socket>()
  let answer: Answer = (response) => response.end('{}')
  let unanswered = 0

  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    unanswered++
    response.on('close', () => unanswered--)
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method = '', url = '', headers } = request
    heard.push({ method, url, headers, body, mono: clock.monotonic() })
    const last = heard.at(-1)
    if (last) answer(response, last, heard.length - 1)
  }
  const server = createServer((request, response) => {
    hear(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}${world.prefix ?? ''}`

  const client = createClient({
    url,
    chainId: world.chainId ?? 8008,
    apiKey: world.apiKey ?? null,
    clock,
    emit: (event) => events.push(event),
    random: world.random ?? (() => 0.5),
  })
  const close = async () => {
    await client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url,
    clock,
    venue: client.venue,
    events,
    heard,
    sockets,
    answers(next) {
      answer = next
    },
    async hears(count) {
      while (heard.length < count) await breathe(1)
    },
    asking: (patience = 'poll', over = {}) => ({
      patience,
      limitMs: 5_000,
      signal: new AbortController().signal,
      spend: (request) => request(() => {}),
      ...over,
    }),
    async turn(call) {
      const ended = new AbortController()
      const end = () => ended.abort()
      call.then(end, end)
      while (!ended.signal.aborted) {
        await breathe(8)
        if (unanswered === 0) await clock.advance(10)
      }
      return call
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** An answer with a JSON body. */
export function json(body: unknown, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
}

/** An answer of any text. */
export function text(body: string, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, headers)
    response.end(body)
  }
}

/** Answers that come one after the other; the last one stays. */
export function inTurn(...answers: Answer[]): Answer {
  return (response, request, place) =>
    answers[Math.min(place, answers.length - 1)]?.(response, request, place)
}

/** How a call fails; a call that succeeds or fails with anything but a VenueError fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<VenueFailure> {
  return (await errorOf(call)).failure
}

export async function errorOf(call: Promise<unknown>): Promise<VenueError> {
  const ended = await call.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  )
  if (ended instanceof VenueError) return ended
  throw new Error('not a VenueError', { cause: ended })
}

/** What a reader throws that is no VenueError; null when it throws nothing or one. */
export function troubleIn(read: () => unknown): unknown {
  try {
    read()
    return null
  } catch (error) {
    return error instanceof VenueError ? null : error
  }
}
