import { randomUUID } from 'node:crypto'

import type { WebSocket } from 'ws'

import type { Json } from './refusals.ts'
import type { World } from './world.ts'

const DAY_MS = 86_400_000
/** Codes after which a session is over: https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway */
const ENDS = new Set([1000, 1001, 4004, 4007, 4010, 4011, 4012, 4013, 4014])

export interface Identify {
  at: number
  intents: number
  shard: [number, number]
  right: boolean
}

/** What is kept of a bot's connection, so that it can be resumed. */
export interface Session {
  id: string
  shard: [number, number]
  seq: number
  sent: { s: number; t: string; d: Json }[]
  socket: WebSocket | null
}

interface Sessions {
  readonly identifies: Identify[]
  /** Null when the token is wrong, or was reset because the day's starts are used up. */
  identify(how: Omit<Identify, 'at'>): Session | null
  find(id: unknown): Session | undefined
  send(session: Session, event: string, data: Json): void
  /** How many missed events were replayed. */
  resume(session: Session, socket: WebSocket, seq: number): number
  closed(session: Session, socket: WebSocket, code: number): void
  forget(session: Session): void
  /** Reaches every session whose shard has this guild; what has none goes to the first shard. */
  dispatch(event: string, data: Json, guild: string | null): boolean
  limit(): Json
}

/** https://docs.discord.com/developers/events/gateway#sharding-sharding-formula */
export function isOfShard([shard, shards]: readonly [number, number], guild: string | null): boolean {
  return (guild === null ? 0 : Number((BigInt(guild) >> 22n) % BigInt(shards))) === shard
}

export function createSessions(
  world: World,
  { startsADay, maxConcurrency }: { startsADay: number; maxConcurrency: number },
): Sessions {
  const { clock } = world
  const sessions = new Map<string, Session>()
  const identifies: Identify[] = []
  const today = () => identifies.filter(({ at }) => clock.monotonic() - at < DAY_MS)

  const write = ({ socket }: Session, event: { s: number; t: string; d: Json }) => {
    if (socket && socket.readyState === socket.OPEN) socket.send(JSON.stringify({ op: 0, ...event }))
  }
  const send = (session: Session, t: string, d: Json) => {
    session.seq += 1
    const event = { s: session.seq, t, d }
    session.sent.push(event)
    write(session, event)
  }
  return {
    identifies,
    identify(how) {
      const left = startsADay - today().length
      identifies.push({ at: clock.monotonic(), ...how })
      if (left <= 0) world.token = null
      if (left <= 0 || !how.right) return null
      const id = randomUUID().replaceAll('-', '')
      const session: Session = { id, shard: how.shard, seq: 0, sent: [], socket: null }
      sessions.set(session.id, session)
      return session
    },
    find: (id) => (typeof id === 'string' ? sessions.get(id) : undefined),
    send,
    resume(session, socket, seq) {
      session.socket = socket
      const missed = session.sent.filter(({ s }) => s > seq)
      for (const event of missed) write(session, event)
      session.seq += 1
      write(session, { s: session.seq, t: 'RESUMED', d: { _trace: [] } })
      return missed.length
    },
    closed(session, socket, code) {
      if (session.socket === socket) session.socket = null
      if (ENDS.has(code)) sessions.delete(session.id)
    },
    forget: ({ id }) => void sessions.delete(id),
    dispatch(event, data, guild) {
      const there = [...sessions.values()].filter(({ shard }) => isOfShard(shard, guild))
      for (const session of there) send(session, event, data)
      return there.length > 0
    },
    limit() {
      const starts = today()
      const [first] = starts
      return {
        total: startsADay,
        remaining: Math.max(0, startsADay - starts.length),
        reset_after: first ? Math.ceil(first.at + DAY_MS - clock.monotonic()) : 0,
        max_concurrency: maxConcurrency,
      }
    },
  }
}
