import type { RawData, WebSocket } from 'ws'

import type { Clock } from '../../../src/runtime/clock.ts'
import { createTally, type Limits, type Refusal, type Tally } from './limits.ts'
import type { Spoiler } from './spoil.ts'

const PING_MS = 60_000
/** A ping that is left without a pong for so long ends the connection. */
const PATIENCE_MS = 120_000

/** What connections of one address share. */
export interface Shared {
  clock: Clock
  ip: string
  limits: Limits
  spoiler: Spoiler
  /** What all connections of the address follow. */
  all: Tally
  /** Calls this when a message is to be answered: a turn later, or as late as a test wants. */
  later(answer: () => void): void
  /** Messages of this address that are not answered yet, this one included; `by` changes their number. */
  flying(by: number): number
  /** A frame that is about no channel, such as an `error`. */
  control(kind: string, frame: Record<string, unknown>): string
  /** The whole of a channel as a frame, or why there is none. */
  whole(channel: string): string | Refusal
  /** The account that a channel is about; null when it is about markets. */
  accountOf(channel: string): string | null
  joined(channel: string): void
  left(channel: string): void
}

/** One socket, as Lighter sees it. */
export interface Connection {
  channels(): readonly string[]
  say(text: string): void
  greet(session: string): void
  error(refusal: Refusal): void
  /** Nothing is sent any more, pongs neither, and nothing closes. */
  silence(on: boolean): void
  /** Once a second: pings, and the end of a socket that does not answer them. */
  beat(): void
  cut(): void
}

/** None of these codes is seen; their numbers are those around the documented ones. */
const UNREADABLE: Refusal = { code: 30_001, message: 'invalid message' }
const KNOWN: Refusal = { code: 30_003, message: 'already subscribed' }
const UNKNOWN: Refusal = { code: 30_004, message: 'not subscribed' }

export function createConnection(socket: WebSocket, shared: Shared): Connection {
  const { clock, ip, limits } = shared
  /** By channel: the account it is about. */
  const followed = new Map<string, string | null>()
  const own = createTally()
  let pingedAt = clock.monotonic()
  /** When the oldest ping without a pong was sent. */
  let unansweredSince: number | null = null
  let silent = false

  const way = shared.spoiler.way((text) => {
    if (socket.readyState === socket.OPEN) socket.send(text)
  })
  const say = (text: string) => {
    if (!silent) way.send(text)
  }
  const control = (kind: string, frame: Record<string, unknown>) => say(shared.control(kind, frame))
  const error = (refusal: Refusal) => control('error', { error: refusal })

  const subscribe = (channel: string) => {
    if (followed.has(channel)) return error(KNOWN)
    const account = shared.accountOf(channel)
    const over = limits.subscription(own.plus(account), shared.all.plus(account))
    if (over) return error(over)
    const whole = shared.whole(channel)
    if (typeof whole !== 'string') return error(whole)
    followed.set(channel, account)
    own.add(account, 1)
    shared.all.add(account, 1)
    shared.joined(channel)
    return say(whole)
  }
  const leave = (channel: string) => {
    const account = followed.get(channel) ?? null
    followed.delete(channel)
    own.add(account, -1)
    shared.all.add(account, -1)
    shared.left(channel)
  }
  const unsubscribe = (channel: string) => {
    if (!followed.has(channel)) return error(UNKNOWN)
    leave(channel)
    return control('unsubscribed', { type: 'unsubscribed', channel: channel.replace('/', ':') })
  }
  const answer = (text: string) => {
    const { type, channel } = parse(text) ?? {}
    if (type === 'ping') return control('pong', { type: 'pong' })
    if (type === 'pong') return void (unansweredSince = null)
    if (typeof channel !== 'string') return error(UNREADABLE)
    if (type === 'subscribe') return subscribe(channel)
    return type === 'unsubscribe' ? unsubscribe(channel) : error(UNREADABLE)
  }
  socket.on('message', (said: RawData) => {
    const over = limits.message(ip, shared.flying(1))
    shared.later(() => {
      shared.flying(-1)
      // Nobody is there any more, and nothing must be followed for nobody.
      if (socket.readyState !== socket.OPEN) return
      if (over) error(over)
      else answer((said as Buffer).toString())
    })
  })
  // A ping of the protocol itself: who is silent does not answer it either.
  socket.on('ping', (data) => {
    if (!silent) socket.pong(data)
  })
  socket.on('close', () => [...followed.keys()].forEach(leave))

  return {
    channels: () => [...followed.keys()],
    say,
    greet: (session) => control('connected', { session_id: session, type: 'connected' }),
    error,
    silence: (on) => void (silent = on),
    beat() {
      way.flush()
      const now = clock.monotonic()
      if (unansweredSince !== null && now - unansweredSince >= PATIENCE_MS)
        return socket.close(1001, 'no pong')
      if (now - pingedAt < PING_MS) return undefined
      pingedAt = now
      unansweredSince ??= now
      return control('ping', { type: 'ping' })
    },
    cut: () => socket.terminate(),
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : null
  } catch {
    return null
  }
}
