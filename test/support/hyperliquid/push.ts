import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import { type Connection, createConnection, type Shared } from './connection.ts'
import { createWindows } from './limits.ts'
import type { Subscription } from './subscriptions.ts'
import type { World } from './world.ts'

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits: each per address. */
const MOST_CONNECTIONS = 10
const MOST_NEW_A_MINUTE = 30
const MOST_MESSAGES_A_MINUTE = 2_000
const MOST_SUBSCRIPTIONS = 1_000
/** Recorded in May 2026; fifteen were seen in August. */
const MOST_USERS = 10
/** A socket that has closed still counts for so long (observed). */
const RELEASED_AFTER_MS = 2_000

/** Subscriptions that a test means: all unless told. */
interface Which {
  type?: string
  user?: string
  dex?: string
  coin?: string
}

/** What a test may do to the sockets, and what it sees of them. */
export interface Push {
  connections(): number
  /** What is subscribed to now, as the venue says it back. */
  subscriptions(): readonly Subscription['echo'][]
  /** Different users of an address's subscriptions. */
  users(ip?: string): number
  /** These subscriptions are told nothing any more, also those to come, until they speak again; nothing closes. */
  silence(which?: Which): void
  speak(): void
  /** Pings are left without an answer. */
  withholdPongs(on?: boolean): void
  /** Breaks every connection without a word. */
  cut(): void
  /** Refuses new sockets. */
  refuse(on?: boolean): void
  /** Sends every connection a text that is no frame. */
  garble(text?: string): void
  /** Another number of users than ten. */
  allowUsers(most: number): void
  /** Messages of clients that were heard. */
  heard(): number
  /** Those that are no ping and not about public trades. */
  asks(): number
}

interface Sockets extends Push {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Once a second. */
  beat(): void
  end(): void
}

export function createPush(world: World, { greets }: { greets: boolean }): Sockets {
  const { clock } = world
  const server = new WebSocketServer({ noServer: true })
  const connections = new Map<Connection, string>()
  /** Users of sockets that have just closed. */
  const lingering: { ip: string; users: readonly string[]; until: number }[] = []
  const opened = createWindows(clock, () => MOST_NEW_A_MINUTE)
  const said = createWindows(clock, () => MOST_MESSAGES_A_MINUTE)
  const silenced: Which[] = []
  let [mostUsers, heard, asks, refuses, pongless] = [MOST_USERS, 0, 0, false, false]

  const of = (ip: string) => [...connections].flatMap(([one, from]) => (from === ip ? [one] : []))
  const usersOf = (ip: string) => {
    const closed = lingering.filter((one) => one.ip === ip && clock.monotonic() < one.until)
    const open = of(ip).flatMap((one) => one.users())
    return new Set([...open, ...closed.flatMap(({ users }) => users)])
  }
  const shared = (ip: string): Shared => ({
    world,
    silenced: (subscription) => silenced.some((which) => meant(which, subscription)),
    withholdsPongs: () => pongless,
    maySpeak: (text) => {
      heard += 1
      if (!/"ping"|"trades"/.test(text)) asks += 1
      return said(ip).take(1)
    },
    refusal(user) {
      const all = of(ip).reduce((sum, one) => sum + one.subscriptions().length, 0)
      if (all >= MOST_SUBSCRIPTIONS) return `Cannot subscribe to more than ${MOST_SUBSCRIPTIONS} channels.`
      if (user === null) return null
      const users = usersOf(ip)
      const full = !users.has(user) && users.size >= mostUsers
      return full ? `Cannot track more than ${mostUsers} total users.` : null
    },
  })
  const welcome = (socket: WebSocket, ip: string) => {
    const connection = createConnection(socket, shared(ip))
    connections.set(connection, ip)
    // A socket that is reset under us is no error of the test's.
    socket.on('error', () => {})
    socket.on('close', () => {
      connections.delete(connection)
      lingering.push({ ip, users: connection.users(), until: clock.monotonic() + RELEASED_AFTER_MS })
    })
    if (greets) connection.say('Websocket connection established.')
  }

  const deafen = world.news.listen((event) => {
    for (const connection of connections.keys()) connection.happened(event)
  })
  const cut = () => {
    for (const connection of connections.keys()) connection.cut()
  }
  return {
    connections: () => connections.size,
    subscriptions: () =>
      [...connections.keys()].flatMap((one) => one.subscriptions().map(({ echo }) => echo)),
    users: (ip = '127.0.0.1') => usersOf(ip).size,
    silence: (which = {}) => void silenced.push(which),
    speak: () => void silenced.splice(0),
    withholdPongs: (on = true) => void (pongless = on),
    cut,
    refuse: (on = true) => void (refuses = on),
    garble: (text = '<html>one moment, please</html>') => {
      for (const connection of connections.keys()) connection.say(text)
    },
    allowUsers: (most) => void (mostUsers = most),
    heard: () => heard,
    asks: () => asks,
    upgrade(request, socket, head) {
      const ip = request.socket.remoteAddress ?? ''
      const path = (request.url ?? '').split('?')[0]
      if (path !== '/ws') return turnAway(socket, '404 Not Found')
      if (refuses) return turnAway(socket, '503 Service Unavailable')
      if (of(ip).length >= MOST_CONNECTIONS || !opened(ip).take(1)) {
        return turnAway(socket, '429 Too Many Requests')
      }
      server.handleUpgrade(request, socket, head, (client) => welcome(client, ip))
      return undefined
    },
    beat() {
      for (const connection of connections.keys()) connection.beat()
    },
    end() {
      deafen()
      cut()
    },
  }
}

function turnAway(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

function meant({ type, user, dex, coin }: Which, subscription: Subscription): boolean {
  return (
    (type === undefined || type === subscription.type) &&
    (user === undefined || user.toLowerCase() === subscription.user) &&
    (dex === undefined || dex === subscription.dex) &&
    (coin === undefined || coin === subscription.coin)
  )
}
