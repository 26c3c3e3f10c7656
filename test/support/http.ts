import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Longer than any client's: the client lets go first. */
const KEEP_ALIVE_MS = 65_000

/** A stand-in's own server, over loopback. */
interface HttpServer {
  port: number
  /** Requests that are being read. */
  busy(): number
  up(): Promise<void>
  /** Nothing listens any more, and every connection breaks. */
  down(): Promise<void>
}

export async function listen<Asked>(
  port: number,
  /** Rejects for what gets no answer at all. */
  read: (request: IncomingMessage) => Promise<Asked>,
  hear: (asked: Asked, response: ServerResponse) => void,
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

/** Reads about half of what the request says it will send, and breaks the connection off. */
export async function breakOff(request: IncomingMessage): Promise<void> {
  const half = Number(request.headers['content-length'] ?? 0) / 2
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes >= half) break
  }
  request.socket.resetAndDestroy()
}

/** Whether a file comes along. */
export function isUpload({ headers }: IncomingMessage): boolean {
  return (headers['content-type'] ?? '').startsWith('multipart/form-data')
}
