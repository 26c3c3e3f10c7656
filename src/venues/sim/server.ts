import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import { refusal } from './answers.ts'
import type { Asked, HttpAnswer } from './answers.ts'
import { partial } from './faults.ts'
import type { Fault } from './faults.ts'

const LARGEST_BODY_BYTES = 64 * 1024
/** Longer than any client's: the client lets go first, so that no request meets a connection that is closing. */
const KEEP_ALIVE_MS = 65_000

interface Server {
  url: string
  /** Breaks off the requests that a fault left hanging. */
  release(): void
  close(): Promise<void>
}

/** Listens on loopback, asks `reply` for every answer and spoils it as `faultFor` says. */
export async function listen(
  port: number,
  clock: Clock,
  reply: (asked: Asked) => HttpAnswer,
  faultFor: (path: string) => Fault | null,
): Promise<Server> {
  const hanging = new Set<ServerResponse>()
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request).then(
      (body) => {
        const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://sim')
        const fault = faultFor(path)
        const answer =
          body === null
            ? refusal(413, 'The body is too large')
            : reply({ method: request.method ?? 'GET', path, query, body })
        return send(response, answer, fault, clock, hanging)
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

/** Null when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= LARGEST_BODY_BYTES) chunks.push(chunk)
  }
  return bytes > LARGEST_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

function send(
  response: ServerResponse,
  answer: HttpAnswer,
  fault: Fault | null,
  clock: Clock,
  hanging: Set<ServerResponse>,
): void {
  const json = (status: number, body: unknown) =>
    write(response, status, 'application/json', JSON.stringify(body))
  switch (fault?.kind) {
    case undefined:
      return json(answer.status, answer.body)
    case 'status': {
      const status = fault.status ?? 503
      return json(status, { message: `The simulated venue was told to answer ${status}` })
    }
    case 'delay': {
      const later = clock.tick() + (fault.delayMs ?? 1_000)
      const callOff = clock.wakeAt(later, () => json(answer.status, answer.body))
      response.once('close', callOff)
      return undefined
    }
    case 'truncate': {
      const text = JSON.stringify(answer.body)
      return write(response, answer.status, 'application/json', text.slice(0, text.length / 2))
    }
    case 'html':
      return write(
        response,
        fault.status ?? 200,
        'text/html',
        '<!doctype html><html><body><h1>Bad gateway</h1></body></html>',
      )
    case 'empty':
      return write(response, fault.status ?? 200, 'application/json', '')
    case 'reset':
      response.socket?.resetAndDestroy()
      return undefined
    case 'hang':
      hanging.add(response)
      response.once('close', () => hanging.delete(response))
      return undefined
    case 'partial':
      return json(answer.status, partial(answer.body))
  }
}

function write(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
