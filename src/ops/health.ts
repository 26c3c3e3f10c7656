import { createServer } from 'node:http'
import type { Server } from 'node:http'

import type { Clock } from '../clock.ts'
import type { Emit, Events } from '../event.ts'
import { watchProgress } from './progress.ts'

/** Tells whoever asks over HTTP whether this process makes progress (`/healthz`) and is ready (`/readyz`). */
export async function startHealth({
  events,
  clock,
  host,
  port,
  portIsDefault,
  marketPollMs,
  emit,
}: {
  events: Events
  clock: Clock
  host: string
  /** 0 is any free one. */
  port: number
  /** Nobody asked for this very port, so another one does as well. */
  portIsDefault: boolean
  marketPollMs: number
  emit: Emit
}): Promise<{ url: string; stop: () => Promise<void> }> {
  const progress = watchProgress({ events, clock, marketPollMs })
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    const asked = request.method === 'GET' || request.method === 'HEAD' ? path : undefined
    const known = asked === '/healthz' || asked === '/readyz'
    const report = progress.report()
    const good = asked === '/readyz' ? report.ready : report.healthy
    response.writeHead(known ? (good ? 200 : 503) : 404, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
    })
    response.end(`${JSON.stringify(known ? report : { says: ['Ask for /healthz or /readyz.'] })}\n`)
  })

  try {
    await listen(server, host, port)
  } catch (error) {
    if (!(portIsDefault && codeOf(error) === 'EADDRINUSE')) {
      progress.stop()
      throw new Error(sentence(error, host, port), { cause: error })
    }
    await listen(server, host, 0)
    emit({
      is: 'remark',
      where: 'health',
      text: `Port ${port} is taken by another program, so this one listens on a free one. HTTP_PORT chooses it.`,
    })
  }
  server.on('error', (error) => emit({ is: 'trouble', where: 'health', why: error.message, error }))
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`
  emit({ is: 'listening', what: 'health', url })

  return {
    url,
    stop() {
      progress.stop()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function sentence(error: unknown, host: string, port: number): string {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    return `HTTP_PORT ${port} is taken by another program. Stop that one, or set HTTP_PORT to a free port (0 takes any).`
  }
  if (code === 'EACCES') {
    return `HTTP_PORT ${port} needs more rights than this process has. Set it to a port from 1024 on.`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HTTP_HOST ${host} is no address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all of them.`
  }
  return `Cannot listen on ${host}, port ${port} (${String(error)}). Check HTTP_HOST and HTTP_PORT.`
}
