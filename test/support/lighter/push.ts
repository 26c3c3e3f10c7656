import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import type { Channels } from './channels.ts'
import { type Connection, createConnection, type Shared } from './connection.ts'
import { createTally, type Limits, type Tally } from './limits.ts'
import { createSpoiler, type Fate, type Spoiling } from './spoil.ts'
import type { Writing } from './text.ts'
import type { World } from './world.ts'

/** Prices alone change an account's stats; they are told so often (not seen), a part of the accounts each second. */
const STATS_SECONDS = 10

/** What a test may do to the sockets, and what it sees of them. */
export interface Push {
  connections(): number
  /** What is subscribed to now, of all connections, such as `account_all/1077`. */
  channels(): readonly string[]
  /** Breaks every connection without a word. */
  cut(): void
  /** Refuses new sockets with HTTP 503. */
  refuse(on?: boolean): void
  /** Those that are open, or all to come as well, send nothing any more, pongs neither; nothing closes. */
  silence(which?: 'open' | 'all'): void
  speak(): void
  /** From now on so many frames are lost, doubled, late or cut in half; null ends it. */
  spoil(spoiling: Spoiling | null): void
  /** How many frames met each fate. */
  readonly spoilt: Readonly<Record<Fate, number>>
  /** Messages are answered so much later and are in flight until then: the venue may take seconds. At once unless told. */
  answersAfter(ms: number): void
  /** Sends every connection a text. */
  garble(text?: string): void
  /** Messages of clients that were heard. */
  heard(): number
  /** Frames that were meant for clients. */
  sent(): number
}

interface Sockets extends Push {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Once a second. */
  beat(): void
  end(): void
}

export function createPush(world: World, channels: Channels, limits: Limits, writing: Writing): Sockets {
  const server = new WebSocketServer({ noServer: true, autoPong: false })
  const connections = new Map<Connection, string>()
  /** By channel: who follows it. */
  const followers = new Map<string, Set<Connection>>()
  /** By address: messages without an answer. */
  const flying = new Map<string, number>()
  const tallies = new Map<string, Tally>()
  const spoiler = createSpoiler()
  let [heard, sent, beats, sessions, answersAfterMs] = [0, 0, 0, 0, 0]
  let [refuses, silent] = [false, false]

  const tell = ([channel, text]: readonly [string, string]) => {
    for (const connection of followers.get(channel) ?? []) {
      sent += 1
      connection.say(text)
    }
  }
  const isFollowed = (channel: string) => followers.has(channel)
  const tallyOf = (ip: string) => {
    const known = tallies.get(ip) ?? createTally()
    tallies.set(ip, known)
    return known
  }
  const sharedOf = (ip: string, self: () => Connection): Shared => ({
    ...{ clock: world.clock, ip, limits, spoiler, all: tallyOf(ip) },
    later(answer) {
      // Of a burst only those that are read in one turn are in flight together: a test of that limit asks for seconds.
      if (answersAfterMs === 0) setImmediate(answer)
      else world.clock.wakeAt(world.clock.monotonic() + answersAfterMs, answer)
    },
    flying(by) {
      const now = (flying.get(ip) ?? 0) + by
      flying.set(ip, now)
      if (by > 0) heard += 1
      return now
    },
    control: (kind, frame) => writing.write(kind, '', frame),
    whole(channel) {
      sent += 1
      return channels.whole(channel)
    },
    accountOf: (channel) => /^(?:account_all|user_stats)\/(.*)/.exec(channel)?.[1] ?? null,
    joined(channel) {
      followers.set(channel, (followers.get(channel) ?? new Set()).add(self()))
    },
    left(channel) {
      const those = followers.get(channel)
      those?.delete(self())
      if (those?.size === 0) followers.delete(channel)
    },
  })
  const welcome = (socket: WebSocket, ip: string) => {
    const connection: Connection = createConnection(
      socket,
      sharedOf(ip, () => connection),
    )
    // A socket that is reset under us is no error of the test's.
    socket.on('error', () => {})
    const open = [...connections.values()].filter((from) => from === ip).length
    const over = limits.connection(ip, open + 1)
    if (over) {
      connection.error(over)
      return socket.close(1008, over.message)
    }
    connections.set(connection, ip)
    socket.on('close', () => connections.delete(connection))
    connection.silence(silent)
    sessions += 1
    return connection.greet(`session-${sessions}`)
  }

  const deafen = world.listen((event) => channels.frames(event, isFollowed).forEach(tell))
  const each = (act: (connection: Connection) => void) => {
    for (const connection of connections.keys()) act(connection)
  }
  return {
    connections: () => connections.size,
    channels: () => [...connections.keys()].flatMap((one) => one.channels()),
    cut: () => each((one) => one.cut()),
    refuse: (on = true) => void (refuses = on),
    silence(which = 'open') {
      silent = which === 'all'
      each((one) => one.silence(true))
    },
    speak() {
      silent = false
      each((one) => one.silence(false))
    },
    spoil: (spoiling) => spoiler.set(spoiling),
    spoilt: spoiler.met,
    answersAfter: (ms) => void (answersAfterMs = ms),
    garble: (text = '<html>one moment, please</html>') => each((one) => one.say(text)),
    heard: () => heard,
    sent: () => sent,
    upgrade(request, socket, head) {
      const path = (request.url ?? '').split('?')[0]
      if (path !== '/stream') return turnAway(socket, '404 Not Found')
      if (refuses) return turnAway(socket, '503 Service Unavailable')
      const ip = request.socket.remoteAddress ?? ''
      server.handleUpgrade(request, socket, head, (client) => welcome(client, ip))
      return undefined
    },
    beat() {
      beats += 1
      // Something changes in a market each second; here in every second one by turns, so that no update is whole.
      const traded = world.markets.filter(({ id }) => (id + beats) % 2 === 0)
      for (const market of traded) market.dayVolume += 1
      channels.frames({ is: 'moved', markets: traded }, isFollowed).forEach(tell)
      for (const account of world.accounts.values()) {
        const isDue =
          (account.index + beats) % STATS_SECONDS === 0 && isFollowed(`user_stats/${account.index}`)
        if (isDue && [...account.positions.values()].some(({ size }) => size !== 0))
          tell(channels.stats(account))
      }
      each((one) => one.beat())
    },
    end() {
      deafen()
      each((one) => one.cut())
    },
  }
}

function turnAway(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
