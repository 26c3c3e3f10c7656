import { backoffMs } from '../../../lib/time/backoff.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type Line, openLine, type Silence } from '../../http/line.ts'
import type { Purpose } from '../rules/places.ts'
import type { Pace } from './pace.ts'

/**
 * The venue allows 255 connections of one address. All subscriptions that it allows fit on 14. It pings each
 * connection every minute, and our answers count as messages.
 */
const MOST_CONNECTIONS = 40
/** After a refusal, ask for all connections again after this: another program may have closed its own. */
const FEWER_MS = 300_000
const BACKOFF = { firstMs: 1_000, longestMs: 20_000 }
/** A connection that lasted longer was not refused, so reconnect soon. */
const HELD_MS = 60_000
/** The venue pings each minute. Alone, a silent connection is pinged after this. */
const PING_AFTER_MS = 15_000
/** Pings cost messages: the more connections, the later each of them is pinged. */
const PING_AFTER_PER_CONNECTION_MS = 8_000
/** Later than this the venue's own ping has come, if the connection is alive. */
const LONGEST_SILENCE_MS = 65_000
const ANSWER_MS = 15_000

interface Connection {
  id: number
  purpose: Purpose
  isOpen: boolean
  /** We end it ourselves. */
  isClosing: boolean
  line: Line
}

export interface Connections {
  /** Opens one for this purpose, as soon as the venue may be asked. */
  open(purpose: Purpose): void
  say(id: number, message: object): void
  /** Sends a message that must not wait. */
  greet(id: number, message: object): void
  cut(id: number, why: string): void
  /** Ends one that is not needed any more. */
  close(id: number): void
  /** The venue allows no more of them. */
  refused(): void
  all(): Iterable<Pick<Connection, 'id' | 'purpose' | 'isOpen'>>
  stop(): Promise<void>
}

/** Opens connections, all of them at a common pace. One that is lost is forgotten until it is asked for again. */
export function createConnections(world: {
  url: string
  clock: Clock
  random: () => number
  pace: Pace
  opened(id: number, purpose: Purpose): void
  heard(id: number, text: string): void
  /** `why` is null if it was closed because it is not needed any more. */
  lost(id: number, purpose: Purpose, why: string | null): void
}): Connections {
  const { url, clock, random, pace } = world
  const connections = new Map<number, Connection>()
  const ends = new Set<Promise<void>>()
  let lastId = 0
  let isStopped = false
  let again = { failures: 0, mono: -Infinity }
  let fewer = { most: MOST_CONNECTIONS, untilMono: -Infinity }

  const most = () => (clock.monotonic() < fewer.untilMono ? fewer.most : MOST_CONNECTIONS)

  function silence(): Silence {
    const pingAfterMs = pingAfter(connections.size)
    return { pingAfterMs, deadAfterMs: pingAfterMs + ANSWER_MS }
  }

  /** While nothing is connected, one attempt at a time shows whether the venue is there. */
  function mayOpen(purpose: Purpose): boolean {
    if (isStopped || clock.monotonic() < again.mono || !pace.mayOpen()) return false
    // Prices come first, also when the places are few.
    if (connections.size >= (purpose === 'market_stats' ? MOST_CONNECTIONS : most())) return false
    const some = [...connections.values()]
    return again.failures === 0 || some.length === 0 || some.some(({ isOpen }) => isOpen)
  }

  function keepForGreetings(): void {
    const { size } = connections
    // One pong a minute each, and the pings of silent ones.
    pace.keep(size * (1 + Math.floor(60_000 / pingAfter(size))))
  }

  function ended(one: Connection, why: string, heldMs: number): void {
    connections.delete(one.id)
    keepForGreetings()
    const mono = clock.monotonic()
    // Several that are lost together are one failure.
    if (mono >= again.mono && !one.isClosing) {
      const failures = one.isOpen && heldMs > HELD_MS ? 1 : again.failures + 1
      again = { failures, mono: mono + backoffMs(failures, random(), BACKOFF) }
    }
    if (!isStopped) world.lost(one.id, one.purpose, one.isClosing ? null : why)
  }

  function say(id: number, message: object): void {
    connections.get(id)?.line.say(JSON.stringify(message))
  }

  function greet(id: number, message: object): void {
    pace.greeted()
    say(id, message)
  }

  return {
    open(purpose) {
      if (!mayOpen(purpose)) return
      pace.opening()
      const id = ++lastId
      const began = clock.monotonic()
      const line = openLine({
        ...{ url, clock, silence },
        opened() {
          one.isOpen = true
          world.opened(id, purpose)
        },
        heard: (text) => world.heard(id, text),
        ping: () => greet(id, { type: 'ping' }),
        look() {},
      })
      const one: Connection = { id, purpose, isOpen: false, isClosing: false, line }
      connections.set(id, one)
      keepForGreetings()
      const end = line.over
        .then((why) => ended(one, why, clock.monotonic() - began))
        .finally(() => ends.delete(end))
      ends.add(end)
    },
    say(id, message) {
      pace.asked()
      say(id, message)
    },
    greet,
    cut: (id, why) => connections.get(id)?.line.cut(why),
    close(id) {
      const one = connections.get(id)
      if (!one) return
      one.isClosing = true
      one.line.cut('it is not needed any more')
    },
    refused() {
      const open = [...connections.values()].filter(({ isOpen }) => isOpen)
      fewer = { most: Math.max(open.length - 1, 1), untilMono: clock.monotonic() + FEWER_MS }
    },
    all: () => connections.values(),
    async stop() {
      isStopped = true
      for (const { line } of connections.values()) line.cut('stopping')
      await Promise.all(ends)
    },
  }
}

function pingAfter(connections: number): number {
  const wishedMs = Math.max(PING_AFTER_MS, connections * PING_AFTER_PER_CONNECTION_MS)
  return Math.min(wishedMs, LONGEST_SILENCE_MS)
}
