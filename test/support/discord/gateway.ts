import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import type { Json } from './refusals.ts'
import { createSessions, type Identify, isOfShard, type Session } from './sessions.ts'
import { userJson } from './wire.ts'
import type { World } from './world.ts'

/** https://docs.discord.com/developers/events/gateway#rate-limiting */
const MOST_SENDS_A_MINUTE = 120
const MINUTE_MS = 60_000
/** Privileged intents, which nobody has approved: https://docs.discord.com/developers/events/gateway#privileged-intents */
const PRIVILEGED = (1 << 1) | (1 << 8) | (1 << 15)
const ALL_INTENTS = 2 ** 26 - 1

/** What a test may do to the gateway, and what it has seen. Without a shard it is about all of them. */
export interface GatewayControl {
  readonly identifies: readonly Identify[]
  /** Monotonic times of the sessions that were resumed, with how many events were replayed. */
  readonly resumes: readonly { at: number; replayed: number; shard: [number, number] }[]
  heartbeats(): number
  /** Sockets with a session. */
  connected(shard?: number): number
  /** The number of shards that Discord asks for. */
  shards(): number
  /** Discord asks for so many shards from now on, and closes with 4011 where there are fewer than it requires. */
  asksFor(shards: number, requires?: number): void
  /** How many sessions were begun too soon after another one of the same bucket. */
  tooSoon(): number
  /** Closes every socket with this code; a session survives codes that allow it to be resumed. */
  close(code: number, shard?: number): void
  /** Breaks every connection without a word. */
  drop(shard?: number): void
  withholdAcks(on?: boolean): void
  /** Op 1: asks for a heartbeat now, as Discord may at any time. */
  asks(): void
  /** Op 7. */
  reconnect(shard?: number): void
  /** Op 9. */
  invalidate(resumable: boolean, shard?: number): void
  /** Refuses new sockets, or breaks those on which this shard begins or resumes. */
  refuse(on?: boolean, shard?: number): void
  until(look: () => boolean, what: string, limitMs?: number): Promise<boolean>
}

export interface Gateway extends GatewayControl {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** True when a session is there to get it, now or once it is resumed. */
  dispatch(event: string, data: Json, guild: string | null): boolean
  sessionLimit(): Json
}

export interface GatewayOptions {
  heartbeatMs: number
  sessionStarts: number
  shards: number
  maxConcurrency: number
  /** Least time between two sessions of a bucket. Discord wants 5 s; at 0 nobody counts. */
  identifyGapMs: number
}

interface Connection {
  socket: WebSocket
  session: Session | null
  sends: number[]
}

export function createGateway(
  world: World,
  url: () => string,
  { heartbeatMs, sessionStarts, shards: firstShards, maxConcurrency, identifyGapMs }: GatewayOptions,
): Gateway {
  const { clock, news } = world
  const server = new WebSocketServer({ noServer: true })
  const connections = new Set<Connection>()
  const sessions = createSessions(world, { startsADay: sessionStarts, maxConcurrency })
  const resumes: { at: number; replayed: number; shard: [number, number] }[] = []
  const refusedShards = new Set<number>()
  /** Bucket → when a session of it was last begun. */
  const begun = new Map<number, number>()
  let asked = firstShards
  let required = firstShards
  let hasty = 0
  let heartbeats = 0
  let acks = true
  let refuses = false

  const tell = (what: string) => news.happened({ is: 'gateway', what })
  const say = ({ socket }: Connection, op: number, d: unknown) =>
    void (socket.readyState === socket.OPEN && socket.send(JSON.stringify({ op, d, s: null, t: null })))
  const each = (act: (connection: Connection) => void, shard?: number) => {
    for (const connection of connections)
      if (shard === undefined || connection.session?.shard[0] === shard) act(connection)
  }
  /** https://docs.discord.com/developers/events/gateway#sharding-max-concurrency */
  const isTooSoon = (shard: number): boolean => {
    const bucket = shard % maxConcurrency
    const now = clock.monotonic()
    const soon = now - (begun.get(bucket) ?? -Infinity) < identifyGapMs
    begun.set(bucket, now)
    if (soon) hasty += 1
    return soon
  }

  const identify = (connection: Connection, d: Json) => {
    if (connection.session) return connection.socket.close(4005, 'Already authenticated.')
    const { token, intents, properties } = d
    if (!Number.isInteger(intents) || (intents as number) < 0 || (intents as number) > ALL_INTENTS) {
      return connection.socket.close(4013, 'Invalid intent(s).')
    }
    const [shard, shards] = Array.isArray(d['shard']) ? (d['shard'] as number[]) : [0, 1]
    if (shard === undefined || shards === undefined || shard >= shards) {
      return connection.socket.close(4010, 'Invalid shard.')
    }
    if (refusedShards.has(shard)) return connection.socket.terminate()
    if (typeof properties !== 'object' || properties === null)
      return connection.socket.close(4002, 'Decode error.')
    const right = world.token !== null && token === world.token
    const session = sessions.identify({ intents: intents as number, shard: [shard, shards], right })
    if (!session) return connection.socket.close(4004, 'Authentication failed.')
    if (shards < required) {
      sessions.forget(session)
      return connection.socket.close(4011, 'Sharding required.')
    }
    if (isTooSoon(shard)) {
      sessions.forget(session)
      say(connection, 9, false)
      return tell('too soon')
    }
    if ((intents as number) & PRIVILEGED) return connection.socket.close(4014, 'Disallowed intent(s).')
    connection.session = session
    session.socket = connection.socket
    sessions.send(session, 'READY', {
      v: 10,
      user: { ...userJson(world.bot), verified: true, mfa_enabled: true, flags: 0 },
      guilds: [...world.guilds.values()]
        .filter((guild) => guild.hasBot && isOfShard([shard, shards], guild.id))
        .map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: `${url()}/resume`,
      shard: [shard, shards],
      application: { id: world.app.id, flags: 0 },
      private_channels: [],
    })
    return tell('ready')
  }
  const resume = (connection: Connection, { token, session_id, seq }: Json) => {
    if (world.token === null || token !== world.token) {
      return connection.socket.close(4004, 'Authentication failed.')
    }
    const session = sessions.find(session_id)
    if (!session) {
      say(connection, 9, false)
      return tell('invalid session')
    }
    if (refusedShards.has(session.shard[0])) return connection.socket.terminate()
    if (session.shard[1] < required) {
      sessions.forget(session)
      return connection.socket.close(4011, 'Sharding required.')
    }
    if (typeof seq !== 'number' || seq > session.seq) {
      sessions.forget(session)
      return connection.socket.close(4007, 'Invalid seq.')
    }
    connection.session = session
    const replayed = sessions.resume(session, connection.socket, seq)
    resumes.push({ at: clock.monotonic(), replayed, shard: session.shard })
    return tell('resumed')
  }
  const hear = (connection: Connection, said: string) => {
    const now = clock.monotonic()
    connection.sends = [...connection.sends.filter((at) => now - at < MINUTE_MS), now]
    if (connection.sends.length > MOST_SENDS_A_MINUTE) return connection.socket.close(4008, 'Rate limited.')
    const message = parse(said)
    if (!message) return connection.socket.close(4002, 'Decode error.')
    const d = (typeof message['d'] === 'object' && message['d'] !== null ? message['d'] : {}) as Json
    switch (message['op']) {
      case 1:
        heartbeats += 1
        if (acks) say(connection, 11, null)
        return tell('heartbeat')
      case 2:
        return identify(connection, d)
      case 6:
        return resume(connection, d)
      case 3:
      case 4:
      case 8:
        return connection.session ? undefined : connection.socket.close(4003, 'Not authenticated.')
      default:
        return connection.socket.close(4001, 'Unknown opcode.')
    }
  }
  const welcome = (socket: WebSocket) => {
    const connection: Connection = { socket, session: null, sends: [] }
    connections.add(connection)
    socket.on('message', (said: Buffer) => hear(connection, said.toString()))
    // A socket that is reset under us is no error of the test's.
    socket.on('error', () => {})
    socket.on('close', (code) => {
      connections.delete(connection)
      if (connection.session) sessions.closed(connection.session, socket, code)
      tell('closed')
    })
    say(connection, 10, { heartbeat_interval: heartbeatMs, _trace: [] })
  }

  return {
    identifies: sessions.identifies,
    resumes,
    heartbeats: () => heartbeats,
    connected: (shard) =>
      [...connections].filter(
        ({ session, socket }) =>
          session && socket.readyState === socket.OPEN && (shard === undefined || session.shard[0] === shard),
      ).length,
    shards: () => asked,
    asksFor(shards, requires = shards) {
      asked = shards
      required = requires
    },
    tooSoon: () => hasty,
    close: (code, shard) =>
      each(({ socket, session }) => {
        if (session) sessions.closed(session, socket, code)
        socket.close(code)
      }, shard),
    drop: (shard) => each(({ socket }) => socket.terminate(), shard),
    withholdAcks: (on = true) => void (acks = !on),
    asks: () => each((connection) => say(connection, 1, null)),
    reconnect: (shard) => each((connection) => say(connection, 7, null), shard),
    invalidate: (resumable, shard) =>
      each((connection) => {
        if (!resumable && connection.session) sessions.forget(connection.session)
        say(connection, 9, resumable)
      }, shard),
    refuse(on = true, shard) {
      if (shard === undefined) refuses = on
      else if (on) refusedShards.add(shard)
      else refusedShards.delete(shard)
    },
    until: async (look, what, limitMs) => news.until(look, what, limitMs),
    upgrade(request, socket, head) {
      const { searchParams } = new URL(request.url ?? '/', 'ws://gateway')
      if (refuses) return void socket.destroy()
      server.handleUpgrade(request, socket, head, (client) => {
        if (searchParams.get('v') !== '10') return client.close(4012, 'Invalid API version.')
        if (searchParams.get('encoding') !== 'json') return client.close(4002, 'Decode error.')
        return welcome(client)
      })
      return undefined
    },
    dispatch: (event, data, guild) => sessions.dispatch(event, data, guild),
    sessionLimit: () => sessions.limit(),
  }
}

function parse(said: string): Json | null {
  try {
    const message: unknown = JSON.parse(said)
    return typeof message === 'object' && message !== null ? (message as Json) : null
  } catch {
    return null
  }
}
