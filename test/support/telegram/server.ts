import { Buffer } from 'node:buffer'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { pause } from '../../../src/runtime/clock.ts'
import { breakOff, isUpload } from '../http.ts'
import { download } from './documents.ts'
import type { Fault, Faults } from './faults.ts'
import { call, spelled } from './methods.ts'
import { Refusal } from './refusal.ts'
import { readArgs } from './request.ts'
import type { World } from './world.ts'

/** A request of the bot, and what became of it. */
export interface Asked {
  readonly method: string
  readonly args: Readonly<Record<string, string>>
  readonly at: number
  readonly mono: number
  /** `held` while a poll waits, a fault holds it, or it is being answered. */
  outcome: 'held' | 'answered' | 'refused' | Fault['kind']
  /** HTTP status of the answer, 0 without one. */
  status: number
  description: string
  answeredMono: number | null
}

interface Server {
  readonly root: string
  readonly asked: readonly Asked[]
  /** Requests that are neither answered nor held on purpose. */
  busy(): number
  /** Breaks off what a fault left hanging. */
  release(): void
  close(): Promise<void>
}

/** Longer than any client's: the client lets go first, so that no request meets a connection that is closing. */
const KEEP_ALIVE_MS = 65_000
const HTML =
  '<html>\r\n<head><title>%</title></head>\r\n<body><center><h1>%</h1></center></body>\r\n</html>\r\n'

/** The Bot API over loopback HTTP: finds the token and the method, spoils the answer as the faults say. */
export async function listen(world: World, token: string, faults: Faults, port: number): Promise<Server> {
  const asked: Asked[] = []
  const hanging = new Set<ServerResponse>()
  let busy = 0

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://telegram')
    if (download(world, token, decode(pathname), response)) return
    const [, given = '', name = ''] = /^\/bot([^/]*)\/([^/]*)$/.exec(decode(pathname)) ?? []
    if (isUpload(request) && faults.breaksOff(spelled(name))) return breakOff(request)
    const read = await readArgs(request, searchParams)
    // Neither has a body in the real server's answer.
    if (typeof read === 'number') return write(response, read, '', '', { connection: 'close' })
    if (request.method !== 'GET' && request.method !== 'POST') return write(response, 501, '', '')
    const { clock } = world
    const record: Asked = {
      method: spelled(name),
      args: read.all(),
      at: clock.now(),
      mono: clock.monotonic(),
      outcome: 'held',
      status: 0,
      description: '',
      answeredMono: null,
    }
    asked.push(record)
    world.touch()
    const answer = (status: number, body: unknown, half = false) => {
      const refused = typeof body === 'object' && body !== null && 'description' in body
      record.outcome = status < 400 ? 'answered' : 'refused'
      record.description = refused ? String(body.description) : ''
      reply(response, record, status, body, half)
    }
    if (!/^\d+:[\w-]{30,}$/.test(given)) return answer(404, errorBody(new Refusal(404, 'Not Found')))
    if (given !== token) return answer(401, errorBody(new Refusal(401, 'Unauthorized')))

    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const fault = faults.take(record.method, read)
    if (fault?.afterMs) await held(pause(clock, fault.afterMs))
    if (fault && spoil(fault, response, record, answer)) return
    const called = call(world, record.method, read, gone.signal)
    const body = await (record.method === 'getUpdates' ? held(called) : called).then(
      (result) => ({ ok: true, result }),
      (error: unknown) => error,
    )
    if (fault?.kind === 'deliver-then-reset' || fault?.kind === 'deliver-then-hang') {
      return abandon(fault.kind, response, record)
    }
    const half = fault?.kind === 'half-body'
    if (body instanceof Refusal) answer(body.code, errorBody(body), half)
    else if (body instanceof Error) answer(500, errorBody(new Refusal(500, `Stand-in: ${body.stack}`)))
    else answer(200, body, half)
    if (half) record.outcome = 'half-body'
  }

  /** While it waits, the request is at rest. */
  const held = async <T>(work: Promise<T>): Promise<T> => {
    busy--
    try {
      return await work
    } finally {
      busy++
    }
  }

  /** True when the fault leaves nothing to do. */
  const spoil = (
    fault: Fault,
    response: ServerResponse,
    record: Asked,
    answer: (status: number, body: unknown) => void,
  ) => {
    switch (fault.kind) {
      case 'reset':
      case 'hang':
        abandon(fault.kind, response, record)
        return true
      case 'html-502':
      case 'html-404': {
        const status = fault.kind === 'html-502' ? 502 : 404
        const title = status === 502 ? '502 Bad Gateway' : '404 Not Found'
        Object.assign(record, { outcome: fault.kind, status, answeredMono: world.clock.monotonic() })
        write(response, status, 'text/html', HTML.replaceAll('%', title))
        return true
      }
      case 'json': {
        const { status = 500, description = 'Internal Server Error', parameters = null, body } = fault
        answer(status, body ?? errorBody(new Refusal(status, description, parameters)))
        record.outcome = 'json'
        return true
      }
      case 'half-body':
      case 'half-upload':
      case 'deliver-then-reset':
      case 'deliver-then-hang':
      case 'delay':
        return false
    }
  }
  const abandon = (kind: Fault['kind'], response: ServerResponse, record: Asked) => {
    record.outcome = kind
    if (kind.endsWith('reset')) response.socket?.resetAndDestroy()
    else if (!response.destroyed) {
      hanging.add(response)
      response.once('close', () => hanging.delete(response))
    }
    world.touch()
  }
  const reply = (response: ServerResponse, record: Asked, status: number, body: unknown, half: boolean) => {
    const text = JSON.stringify(body)
    const wait = /"retry_after":(\d+)/.exec(text)?.[1]
    record.status = status
    record.answeredMono = world.clock.monotonic()
    const headers = status === 429 && wait ? { 'retry-after': wait } : {}
    write(response, status, 'application/json', text, headers, half)
    world.touch()
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    busy++
    respond(request, response)
      .catch(() => response.destroy())
      .finally(() => busy--)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const release = () => {
    for (const response of hanging) response.destroy()
    hanging.clear()
  }
  return {
    root: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`,
    asked,
    busy: () => busy,
    release,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function errorBody({ code, description, parameters }: Refusal): unknown {
  return { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) }
}

/** As the real server: one piece, with its length. Half of it ends with the connection. */
function write(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
  half = false,
): void {
  if (response.destroyed) return
  const bytes = Buffer.from(text)
  response.writeHead(status, {
    ...(type === '' ? {} : { 'content-type': type }),
    'content-length': bytes.length,
    ...headers,
  })
  if (!half) return void response.end(bytes)
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
