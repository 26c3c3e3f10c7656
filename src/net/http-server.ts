import { Buffer } from 'node:buffer'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

import type { Emit } from '../runtime/event.ts'
import type { Http } from '../runtime/http.ts'
import type { Answered, Route } from '../runtime/route.ts'
import { holdConnections, type MostConnections } from './connections.ts'
import { createMounts } from './mounts.ts'

// An import of a value would make Node read every export of node:http, among them its own copy of undici: 70 ms a start.
const { createServer } = process.getBuiltinModule('node:http')

/** Probes, and phones that press a button, send next to nothing. */
const MAX_BODY_BYTES = 1_024
/** The same for requests to handlers that adapters mount. */
const MAX_MOUNTED_BODY_BYTES = 64 * 1_024
const MAX_HEADER_BYTES = 8_192
const MOST: MostConnections = { asking: 500, streaming: 4_000 }
/** Clients that send their request slower than this lose the connection. */
const SLOWEST_MS = 5_000

/**
 * The one HTTP server. Mounted handlers answer the requests under their prefixes. For the others each of `routes` is
 * asked in turn; more of them may be added later.
 */
export async function startHttp({
  host,
  port,
  portIsDefault,
  routes,
  emit,
  publicPath = '',
  slowestMs = SLOWEST_MS,
  most = MOST,
}: {
  host: string
  /** 0 is any free one. */
  port: number
  /** The port is the default, so another free one will do. */
  portIsDefault: boolean
  routes: readonly Route[]
  emit: Emit
  /** The path of PUBLIC_URL, without a slash at the end: a proxy may hand it on. */
  publicPath?: string
  slowestMs?: number
  most?: MostConnections
}): Promise<Pick<Http, 'mount'> & { url: string; stop: () => Promise<void> }> {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: slowestMs,
    requestTimeout: 2 * slowestMs,
    connectionsCheckingInterval: slowestMs / 2,
  }
  const connections = holdConnections(most)
  const mounts = createMounts({ publicPath, emit, streams: connections.streams })
  const server = createServer(limits, (request, response) => {
    const { socket } = request
    connections.asks(socket)
    response.once('close', () => connections.rests(socket))
    answer(routes, mounts.find, connections.heard, request, response).catch((error: unknown) => {
      emit({ is: 'trouble', where: 'http', why: 'a request was not answered', error })
      if (!response.headersSent) write(response, FAILED)
    })
  })
  server.on('connection', connections.opened)
  try {
    await listen(server, host, port)
  } catch (error) {
    if (!(portIsDefault && codeOf(error) === 'EADDRINUSE'))
      throw new Error(sentence(error, host, port), { cause: error })
    await listen(server, host, 0)
    emit({
      is: 'remark',
      where: 'http',
      text: `Port ${port} is taken by another program, so this one listens on a free one. HTTP_PORT chooses it.`,
    })
  }
  server.on('error', (error) => emit({ is: 'trouble', where: 'http', why: error.message, error }))
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`
  emit({ is: 'listening', what: 'http', url })
  return {
    url,
    mount: mounts.mount,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const NOT_FOUND = said(404, 'Ask for /healthz, /readyz or /metrics.')
const TOO_LARGE = said(413, 'That is too much.')
const FAILED = said(500, 'That did not work.')

function said(status: number, words: string): Answered {
  return { status, type: 'application/json', body: `${JSON.stringify({ says: [words] })}\n` }
}

async function answer(
  routes: readonly Route[],
  mounted: ReturnType<typeof createMounts>['find'],
  heard: ReturnType<typeof holdConnections>['heard'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request
  const own = mounted(url)
  const body = await bodyOf(request, own === null ? MAX_BODY_BYTES : MAX_MOUNTED_BODY_BYTES)
  if (body === 'broken') return
  heard(request.socket)
  if (body === 'large') return write(response, TOO_LARGE)
  if (own !== null) return own(request, response, body)
  const asked = { method: method === 'HEAD' ? 'GET' : method, path: url.split('?', 1)[0] ?? '' }
  for (const route of routes) {
    const answered = await route(asked)
    if (answered !== null) return write(response, answered)
  }
  return write(response, NOT_FOUND)
}

/** Bodies are read to the end only while they are short. */
async function bodyOf(request: IncomingMessage, most: number): Promise<Buffer | 'large' | 'broken'> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length
      if (bytes > most) return 'large'
      chunks.push(chunk as Buffer)
    }
    return Buffer.concat(chunks)
  } catch {
    return 'broken'
  }
}

function write(response: ServerResponse, { status, type, body, headers }: Answered): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    connection: 'close',
    ...headers,
  })
  response.end(body)
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
