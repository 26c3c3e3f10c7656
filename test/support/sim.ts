import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEvents, type Event } from '../../src/runtime/event.ts'
import type { Asking, OpenedVenue } from '../../src/venue/venue.ts'
import openSim from '../../src/venues/sim/index.ts'
import { DEMO_WALLETS } from '../../src/venues/sim/play/catalogue.ts'
import { type HandClock, handClock } from './clock.ts'

export const [SUGGESTED = '0x', SECOND = '0x', THIRD = '0x'] = DEMO_WALLETS

/** Minute bars that take the suggested wallet from 10 to 5 to 2.5% and to its liquidation. */
export const FALL = new URL('../fixtures/fall.csv', import.meta.url).pathname

/** How a test asks the client: one attempt, paid for at once. */
export const ASKING: Asking = {
  patience: 'poll',
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

export interface SimUnderTest extends AsyncDisposable {
  opened: OpenedVenue
  url: string
  clock: HandClock
  events: Event[]
  /** How many requests began with this path until now. */
  asked(path: string): number
  /** The parsed JSON of a GET. */
  read(path: string): Promise<Json>
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>
  positions(wallet?: string): Promise<Json[]>
  market(symbol: string): Promise<Json>
}

/** What a test reads of the wire: whatever it asks for is there, or the test fails. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

/** The simulated venue as the bot opens it: real server, real HTTP, a clock that the test turns. */
export async function startSim(env: Record<string, string> = {}): Promise<SimUnderTest> {
  const clock = handClock()
  const events: Event[] = []
  const stream = createEvents()
  stream.listen((event) => events.push(event))
  const opened = await openSim({ env, clock, emit: stream.emit, random: () => 0.5 })
  const listening = events.find((event) => event.is === 'listening')
  if (!listening) throw new Error('the simulated venue does not say where it listens')
  const { url } = listening
  const paths: string[] = []
  const hear = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (request.socket.localPort === Number(new URL(url).port)) paths.push(request.url ?? '')
  }
  subscribe('http.server.request.start', hear)

  const send = async (method: string, path: string, body?: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body: text }) })
    return { status: response.status, body: await response.json() }
  }
  const read = async (path: string): Promise<Json> => (await send('GET', path)).body
  return {
    opened,
    url,
    clock,
    events,
    asked: (path) => paths.filter((one) => one.startsWith(path)).length,
    read,
    send,
    positions: async (wallet = SUGGESTED) => (await read(positionsPath(wallet))).positions,
    async market(symbol) {
      const [element] = await read('/markets')
      return element.markets.find((market: Json) => market.symbol === symbol)
    },
    async [Symbol.asyncDispose]() {
      unsubscribe('http.server.request.start', hear)
      await opened.close()
    },
  }
}

export function positionsPath(wallet: string): string {
  return `/positions/v2?owner=${wallet}&ownershipType=SuperOwner`
}

export function ordersPath(wallet: string, statuses: string): string {
  return `/orders/v2?owner=${wallet}&ownershipType=SuperOwner&statuses=${statuses}`
}

/** A CSV file that is gone when the test is. */
export async function csvFile(lines: string[]): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'perch-sim-'))
  const path = join(folder, 'prices.csv')
  await writeFile(path, lines.join('\n'))
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** Minute bars from 2025-01-01 00:00 UTC. */
export function minuteBars(...closes: number[]): string[] {
  return ['timestamp,close', ...closes.map((close, minute) => `${1_735_689_600 + minute * 60},${close}`)]
}
