import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const LARGEST_BODY_BYTES = 1024 * 1024
/** Longer than any client's: the client lets go first. */
const KEEP_ALIVE_MS = 65_000

export interface Incoming {
  method: string
  path: string
  type: string
  ip: string
  text: string
}

export interface Answer {
  status: number
  type: 'application/json' | 'text/plain' | 'text/html'
  text: string
}

interface HttpServer {
  port: number
  /** Requests that are being read. */
  busy(): number
  up(): Promise<void>
  /** Nothing listens any more, and every connection breaks. */
  down(): Promise<void>
}

export async function listen(
  port: number,
  hear: (asked: Incoming, response: ServerResponse) => void,
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<HttpServer> {
  let busy = 0
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    busy++
    read(request)
      .then(
        (asked) => hear(asked, response),
        () => response.destroy(),
      )
      .finally(() => busy--)
  })
  server.on('upgrade', upgrade)
  const open = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  await open(port)
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return {
    port: bound,
    busy: () => busy,
    up: () => open(bound),
    down: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > LARGEST_BODY_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return {
    method: request.method ?? 'GET',
    path: new URL(request.url ?? '/', 'http://venue').pathname,
    type: request.headers['content-type'] ?? '',
    ip: request.socket.remoteAddress ?? '',
    text: Buffer.concat(chunks).toString('utf8'),
  }
}

/** Half of it ends with the connection. */
export function write(response: ServerResponse, { status, type, text }: Answer, half = false): void {
  if (response.destroyed) return
  const bytes = Buffer.from(text)
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, vary: 'origin' })
  if (!half) return void response.end(bytes)
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
}
