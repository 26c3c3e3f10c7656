import { request } from 'undici'

import { createEvents, type Event } from '../../src/runtime/event.ts'
import type { Venue } from '../../src/venue/venue.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import type { Exchange } from '../../src/venues/sim/exchange/state.ts'
import { host } from '../../src/venues/sim/http/host.ts'
import { stillPlayback } from '../../src/venues/sim/play/playback.ts'
import { createMarketTime } from '../../src/venues/sim/play/market-time.ts'
import { type HandClock, handClock } from './clock.ts'
import type { Json } from './sim.ts'

export interface Hosted extends AsyncDisposable {
  exchange: Exchange
  url: string
  clock: HandClock
  /** The project's own client of the API. */
  venue: Venue
  events: Event[]
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Sent>
  /** What a good GET answers. */
  read(path: string): Promise<Json>
  /** What a good request at a control door answers. */
  control(method: string, door: string, body?: unknown): Promise<Json>
}

interface Sent {
  status: number
  body: Json
}

/** A venue behind real HTTP, whose prices move only as a test says, and whose time stands still. */
export async function hosted(exchange: Exchange, options: { perSecond?: number } = {}): Promise<Hosted> {
  const clock = handClock()
  const playback = stillPlayback(exchange)
  const time = createMarketTime(playback, 0, exchange.nowSeconds)
  const perSecond = options.perSecond ?? null
  const server = await host({ port: 0, control: true, perSecond, speed: 0 }, clock, { playback, time })
  const events: Event[] = []
  const stream = createEvents()
  stream.listen((event) => events.push(event))
  const { url } = server
  const client = createClient({
    ...{ url, chainId: 8008, apiKey: null, clock, emit: stream.emit, random: () => 0.5 },
  })
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Sent> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const asked = { method, ...(body === undefined ? {} : { body: text }), ...(headers && { headers }) }
    // Half of what fetch costs, and some tests ask thousands of times.
    const response = await request(url + path, asked)
    return { status: response.statusCode, body: (await response.body.json()) as Json }
  }
  const ok = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const sent = await send(method, path, body)
    if (sent.status !== 200) throw new Error(`${method} ${path}: ${sent.status} ${sent.body.message}`)
    return sent.body
  }
  return {
    ...{ exchange, url, clock, venue: client.venue, events, send },
    read: (path) => ok('GET', path),
    control: (method, door, body) => ok(method, `/_sim/${door}`, body),
    async [Symbol.asyncDispose]() {
      await client.close()
      await server.close()
    },
  }
}
