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
