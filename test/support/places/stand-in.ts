import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEgress } from '../../../src/net/egress.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Egress } from '../../../src/runtime/egress.ts'

export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The same, where it is no text. */
  bytes: Buffer
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** What the next request meets; `reply` in the place of being taken. */
export type Fault =
  | { is: 'reply'; reply: Reply }
  | { is: 'taken-then-reset' }
  | { is: 'taken-half-answered' }
  /** It is taken and this happens before it is answered. */
  | { is: 'taken'; before: () => void }
  | { is: 'hang' }
  | { is: 'nobody' }

/** A service on the web, at a name of its own, over loopback. */
export interface StandIn {
  /** `http://<host>:<port>`. */
  origin: string
  /** Knows the way there, and checks as it does in earnest. */
  egress: Egress
  fault(fault: Fault): void
  /** What it was asked, also what it did not take. */
  asked: readonly Asked[]
  /** Resolves when no request is under way but those that hang. */
  idle(): Promise<void>
  /** Requests that nobody has given up. */
  open(): number
  close(): Promise<void>
}

/** Nobody listens there; the stand-in does at 127.0.0.1. */
const EMPTY = '127.0.0.2'

export async function startStandIn(
  host: string,
  clock: Clock,
  take: (asked: Asked) => Reply,
): Promise<StandIn> {
  const asked: Asked[] = []
  const faults: Fault[] = []
  let hanging = 0
  let pending = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const { method = '', url: path = '', headers } = request
      const one = { method, path, headers, body: bytes.toString(), bytes }
      asked.push(one)
      const fault = faults.shift()
      if (fault?.is === 'hang') {
        hanging++
        request.socket.on('close', () => hanging--)
      } else if (fault?.is === 'taken-then-reset') {
        take(one)
        request.socket.destroy()
      } else if (fault?.is === 'taken-half-answered') {
        const { status, headers, body = '' } = take(one)
        response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
        response.write(body.slice(0, body.length / 2), () => request.socket.destroy())
      } else if (fault?.is === 'taken') {
        const reply = take(one)
        fault.before()
        answer(response, reply)
      } else answer(response, fault?.is === 'reply' ? fault.reply : take(one))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const resolve = async () => {
    const nobody = faults[0]?.is === 'nobody'
    if (nobody) faults.shift()
    return [{ address: nobody ? EMPTY : '127.0.0.1', family: 4 }]
  }
  const counting = (real: Egress): Egress => ({
    refusal: (url, signal) => real.refusal(url, signal),
    async ask(...given) {
      pending++
      try {
        return await real.ask(...given)
      } finally {
        pending--
      }
    },
    allowing: (hosts) => counting(real.allowing(hosts)),
  })
  return {
    origin: `http://${host}:${port}`,
    egress: counting(createEgress({ clock, allowed: [host], resolve })),
    fault: (fault) => void faults.push(fault),
    asked,
    async idle() {
      while (pending > hanging) await new Promise((next) => setImmediate(next))
    },
    open: () => pending,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function answer(response: ServerResponse, { status, headers = {}, body = '' }: Reply): void {
  response.writeHead(status, headers).end(body)
}
