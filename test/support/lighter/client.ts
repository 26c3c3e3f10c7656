import { once } from 'node:events'

import { type RawData, WebSocket } from 'ws'

import { eventually } from '../patience.ts'
import type { Lighter } from './server.ts'

// What comes back is looked at field by field, and a field that is not there fails the test.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

type Venue = Pick<Lighter, 'url'>

/** What tests of the stand-in ask it with: nothing of Perch's own client. */
export async function get(venue: Venue, path: string, headers = {}): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${venue.url}/api/v1/${path}`, { headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

/** The only account of that index. */
export async function accountAt(venue: Venue, index: number): Promise<Json> {
  return (await get(venue, `account?by=index&value=${index}`)).body.accounts[0]
}

export interface Socket extends AsyncDisposable {
  texts: string[]
  frames(type?: string): Json[]
  send(message: unknown): void
  subscribe(channel: string): void
  unsubscribe(channel: string): void
  /** The next frame of this type that has not been taken yet; `error` for refusals. */
  takes(type: string): Promise<Json>
  /** 1006 when nobody said goodbye. */
  closed: Promise<number>
  /** Pings of the protocol, and the pongs to them. */
  ping(): void
  pongs(): number
}

/** It answers pings unless told. */
export async function connect(venue: Venue, { pongs = true, query = '' } = {}): Promise<Socket> {
  const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/stream${query}`)
  const texts: string[] = []
  const taken = new Map<string, number>()
  const send = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  socket.on('message', (data: RawData) => {
    const text = (data as Buffer).toString()
    texts.push(text)
    if (pongs && text === '{"type":"ping"}') send({ type: 'pong' })
  })
  let ponged = 0
  socket.on('pong', () => ponged++)
  const closed = new Promise<number>((resolve) => void socket.on('close', (code) => resolve(code)))
  await once(socket, 'open')
  const frames = (type?: string) =>
    texts
      .map((text) => JSON.parse(text))
      .filter((frame) => type === undefined || (type === 'error' ? 'error' in frame : frame.type === type))
  return {
    texts,
    frames,
    send,
    subscribe: (channel) => send({ type: 'subscribe', channel }),
    unsubscribe: (channel) => send({ type: 'unsubscribe', channel }),
    async takes(type) {
      const from = taken.get(type) ?? 0
      await eventually(() => frames(type).length > from)
      taken.set(type, from + 1)
      return frames(type)[from]
    },
    closed,
    ping: () => socket.ping(),
    pongs: () => ponged,
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await closed
    },
  }
}
