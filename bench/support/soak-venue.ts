import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

import { createDice } from '../../test/support/seed.ts'
import { PREVIEW, type SoakWorld } from './soak-world.ts'

/** A world's venue over HTTP, out of order now and again in every way that it has. */
export interface SoakVenue {
  url: string
  /** Its own descriptors: they are not the program's. */
  sockets(): number
  /** Requests that are on their way, and not because they get no answer. */
  busy(): boolean
  /** By how they went wrong. */
  faults: Map<string, number>
  stop(): Promise<void>
}

const KINDS = ['status', 'limited', 'truncated', 'hang', 'partial', 'garbage'] as const
type Fault = (typeof KINDS)[number]

/** Of all requests, at any time: of those for markets fewer, as each takes the place of hundreds. */
const SHARE = { wallets: 0.03, markets: 0.005 }
const HOUR_MS = 3_600_000
/** As often as this, six times a week, one kind has everything for itself for a quarter of an hour. */
const OUTAGE = { everyMs: 28 * HOUR_MS, forMs: HOUR_MS / 4, share: 0.9 }

export async function openSoakVenue(world: SoakWorld, now: () => number, seed: number): Promise<SoakVenue> {
  const dice = createDice(seed)
  const faults = new Map<string, number>()
  const sockets = new Set<Socket>()
  const hanging = new Set<Socket>()
  let open = 0

  function faultNow(share: number): Fault | null {
    const kind = KINDS[Math.floor(now() / OUTAGE.everyMs) % KINDS.length] ?? 'status'
    if (now() % OUTAGE.everyMs < OUTAGE.forMs && dice.often(OUTAGE.share)) return kind
    return dice.often(share) ? dice.one(KINDS) : null
  }
  function answer(socket: Socket, request: string): void {
    const fault = faultNow(SHARE[request.startsWith('GET /markets') ? 'markets' : 'wallets'])
    if (fault) faults.set(fault, (faults.get(fault) ?? 0) + 1)
    if (fault === 'hang') return void hanging.add(socket)
    if (fault === 'status') return write(socket, '503 Service Unavailable', '{"error":"down"}')
    if (fault === 'limited')
      return write(socket, '429 Too Many Requests', '{"error":"slow down"}', 'retry-after: 2\r\n')
    if (fault === 'garbage') return write(socket, '200 OK', '<html>Maintenance</html>')
    const body = bodyOf(request, fault === 'partial')
    if (fault !== 'truncated') return write(socket, '200 OK', body)
    socket.end(`${head('200 OK', Buffer.byteLength(body))}${body.slice(0, body.length / 2)}`)
    return undefined
  }
  function bodyOf(request: string, isPartial: boolean): string {
    const wallet = /owner=(0x[0-9a-fA-F]+)/.exec(request)?.[1]
    if (request.startsWith('POST')) return PREVIEW
    if (wallet === undefined) return world.marketsBody(now())
    if (request.includes('/orders')) return JSON.stringify({ owner: wallet, orders: [] })
    const positions = world.wallet(wallet, now())
    const shown = isPartial ? positions.slice(1) : positions
    return JSON.stringify({ owner: wallet, positions: shown, totalCount: positions.length })
  }

  const server = createServer((socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      hanging.delete(socket)
    })
    // Requests are small and never pipelined: what ends as one does is one, and a body comes with its head.
    socket.on('data', (chunk) => answer(socket, chunk.toString('latin1')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [began, ended] = [() => void open++, () => void open--]
  const channels = [
    ['undici:request:create', began],
    ['undici:request:trailers', ended],
    ['undici:request:error', ended],
  ] as const
  for (const [name, hear] of channels) subscribe(name, hear)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets: () => sockets.size + 1,
    busy: () => open > hanging.size,
    faults,
    async stop() {
      for (const [name, hear] of channels) unsubscribe(name, hear)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

function head(status: string, length: number, more = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${more}content-length: ${length}\r\n\r\n`
}

function write(socket: Socket, status: string, body: string, more = ''): void {
  socket.write(head(status, Buffer.byteLength(body), more) + body)
}
