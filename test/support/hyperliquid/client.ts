import { once } from 'node:events'

import { type RawData, WebSocket } from 'ws'

import { eventually } from '../patience.ts'
import type { Hyperliquid } from './server.ts'

// What comes back is looked at field by field, and a field that is not there fails the test.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

type Venue = Pick<Hyperliquid, 'url'>

/** What tests of the stand-in ask it with: nothing of Perch's own client. */
interface Answered {
  status: number
  type: string
  text: string
  body: Json
}

export async function post(venue: Venue, said: unknown, headers = {}): Promise<Answered> {
  const response = await fetch(`${venue.url}/info`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof said === 'string' ? said : JSON.stringify(said),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, text, body: type === 'application/json' ? JSON.parse(text) : null }
}

/** The body of a 200. */
export async function info(venue: Venue, said: object): Promise<Json> {
  const { status, body, text } = await post(venue, said)
  if (status !== 200) throw new Error(`${JSON.stringify(said)}: ${status} ${text}`)
  return body
}

export const subscribing = (subscription: object) => ({ method: 'subscribe', subscription })
export const leaving = (subscription: object) => ({ method: 'unsubscribe', subscription })

export const stateOf = (venue: Venue, user: string, dex = '') =>
  info(venue, { type: 'clearinghouseState', user, dex })

export const fillsOf = (venue: Venue, user: string) =>
  info(venue, { type: 'userFillsByTime', user, startTime: 0 })

/** What became of orders, newest first: `Stop Market: triggered`. */
export async function statusesOf(venue: Venue, user: string): Promise<string[]> {
  const entries: Json[] = await info(venue, { type: 'historicalOrders', user })
  return entries.map(({ order, status }) => `${order.orderType}: ${status}`)
}

export interface Socket extends AsyncDisposable {
  /** Texts as they came, the greeting included. */
  texts: string[]
  frames(channel?: string): Json[]
  send(message: unknown): void
  subscribe(subscription: object): void
  /** The first text after this was sent: what the venue says to it, before anything that it subscribes to. */
  asks(message: unknown): Promise<string>
  /** The next frame of this channel that has not been taken yet. */
  takes(channel: string): Promise<Json>
  /** 1006 when nobody said goodbye. */
  closed: Promise<number>
}

export async function connect(venue: Venue): Promise<Socket> {
  const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/ws`)
  const texts: string[] = []
  const taken = new Map<string, number>()
  socket.on('message', (data: RawData) => void texts.push((data as Buffer).toString()))
  const closed = new Promise<number>((resolve) => void socket.on('close', (code) => resolve(code)))
  await once(socket, 'open')
  const frames = (channel?: string) =>
    texts
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text))
      .filter((frame) => channel === undefined || frame.channel === channel)
  const send = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  return {
    texts,
    frames,
    send,
    subscribe: (subscription) => send(subscribing(subscription)),
    async asks(message) {
      const before = texts.length
      send(message)
      await eventually(() => texts.length > before)
      return texts[before] ?? ''
    },
    async takes(channel) {
      const from = taken.get(channel) ?? 0
      await eventually(() => frames(channel).length > from)
      taken.set(channel, from + 1)
      return frames(channel)[from]
    },
    closed,
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await closed
    },
  }
}
