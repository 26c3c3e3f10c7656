import { doubledMs } from '../../../lib/time/backoff.ts'
import type { Clock } from '../../../runtime/clock.ts'
import {
  type Channel,
  type ChannelKey,
  channelKey,
  MOST_PER_CONNECTION,
  MOST_SUBSCRIPTIONS,
  planned,
} from '../rules/places.ts'
import type { Connections } from './connections.ts'
import type { Pace } from './pace.ts'

/** The longest wait for the answer to a subscription. */
const UNANSWERED_MS = 20_000
/** The shortest pause between two attempts at one subscription, and the longest. */
const AGAIN = { firstMs: 5_000, longestMs: 600_000 }
/** Without prices nothing can be judged. */
const PRICES_AGAIN = { firstMs: 5_000, longestMs: 10_000 }
/** Adds nothing for this long to a connection that is full by the venue's count. */
const FULL_MS = 300_000
/** A connection without any subscription is closed after this. */
const IDLE_MS = 30_000

interface Active {
  channel: Channel
  connection: number
  askedMono: number
  isConfirmed: boolean
}

export interface Subscriptions {
  /** Sets all wanted channels, the most urgent first. */
  want(channels: readonly Channel[]): void
  /** Asks for what is missing, as fast as the venue allows. */
  look(): void
  /** The venue has answered a subscription with all that there is. */
  confirmed(key: ChannelKey): void
  /** Leaves a channel that told something doubtful, and asks for it again. */
  renew(key: ChannelKey): void
  /** The venue refused what this connection asked first. `isFull`: the connection takes no more. */
  refused(connection: number, isFull: boolean): void
  lost(connection: number): void
  /** Whether the channel is confirmed and its connection open. */
  isLive(key: ChannelKey): boolean
  /** Returns the channels of a connection. */
  on(connection: number): ChannelKey[]
  confirmedCount(): number
  /** How many the venue takes in all. */
  allowed(): number
}

/** Keeps the subscriptions of all connections equal to the wanted ones. */
export function createSubscriptions(world: {
  clock: Clock
  pace: Pace
  connections: Pick<Connections, 'open' | 'say' | 'close' | 'all'>
}): Subscriptions {
  const { clock, pace, connections } = world
  let wanted = new Map<ChannelKey, Channel>()
  const active = new Map<ChannelKey, Active>()
  /** The subscriptions of each connection, and since when (monotonic) it has none. */
  const held = new Map<number, Set<ChannelKey>>()
  const idle = new Map<number, number>()
  /** The limits of the venue’s last refusals: of a connection, and of all together. */
  const full = new Map<number, { most: number; untilMono: number }>()
  let inAll = { most: MOST_SUBSCRIPTIONS, untilMono: -Infinity }
  /** Channels that failed: how often, and when (monotonic) to ask again. */
  const failed = new Map<ChannelKey, { times: number; mono: number }>()
  /** Channels to leave at the venue: their places are given up already. */
  const leaving: { channel: Channel; connection: number }[] = []

  function drop(key: ChannelKey): Active | undefined {
    const one = active.get(key)
    active.delete(key)
    if (one) held.get(one.connection)?.delete(key)
    return one
  }

  function leave(key: ChannelKey): void {
    const one = drop(key)
    if (one) leaving.push(one)
  }

  function failing(key: ChannelKey): void {
    const times = (failed.get(key)?.times ?? 0) + 1
    const law = wanted.get(key)?.purpose === 'market_stats' ? PRICES_AGAIN : AGAIN
    failed.set(key, { times, mono: clock.monotonic() + doubledMs(times, law) })
  }

  function freeOn(connection: number): number {
    const limit = full.get(connection)
    const most = limit && clock.monotonic() < limit.untilMono ? limit.most : MOST_PER_CONNECTION
    return Math.max(most - (held.get(connection)?.size ?? 0), 0)
  }

  function unanswered(): number {
    const mono = clock.monotonic()
    let count = 0
    for (const [key, { isConfirmed, askedMono }] of active) {
      if (isConfirmed) continue
      if (mono - askedMono < UNANSWERED_MS) count++
      else {
        leave(key)
        failing(key)
      }
    }
    return count
  }

  function sayLeaves(): void {
    const isThere = new Set([...connections.all()].map(({ id }) => id))
    while (leaving.length > 0 && pace.mayAsk(0) > 0) {
      const one = leaving.shift()
      if (one && isThere.has(one.connection))
        connections.say(one.connection, { type: 'unsubscribe', channel: channelKey(one.channel) })
    }
  }

  function closeIdle(): void {
    const mono = clock.monotonic()
    for (const { id, isOpen } of connections.all()) {
      const isIdle = isOpen && (held.get(id)?.size ?? 0) === 0
      if (!isIdle) idle.delete(id)
      else if (!idle.has(id)) idle.set(id, mono)
      else if (mono - (idle.get(id) ?? mono) >= IDLE_MS) connections.close(id)
    }
  }

  function allowed(): number {
    return clock.monotonic() < inAll.untilMono ? inAll.most : MOST_SUBSCRIPTIONS
  }

  function* missing(): Iterable<Channel> {
    const mono = clock.monotonic()
    for (const [key, channel] of wanted)
      if (!active.has(key) && (failed.get(key)?.mono ?? -Infinity) <= mono) yield channel
  }

  return {
    want(channels) {
      wanted = new Map(channels.slice(0, allowed()).map((channel) => [channelKey(channel), channel]))
      for (const key of active.keys()) if (!wanted.has(key)) leave(key)
      for (const key of failed.keys()) if (!wanted.has(key)) failed.delete(key)
    },
    look() {
      const waiting = unanswered()
      sayLeaves()
      if (active.size < wanted.size) {
        const places = [...connections.all()].map((one) => ({ ...one, free: freeOn(one.id) }))
        const { ask, open } = planned(missing(), places, pace.mayAsk(waiting))
        for (const { channel, connection } of ask) {
          const key = channelKey(channel)
          active.set(key, { channel, connection, askedMono: clock.monotonic(), isConfirmed: false })
          held.set(connection, (held.get(connection) ?? new Set()).add(key))
          connections.say(connection, { type: 'subscribe', channel: key })
        }
        for (const purpose of open) connections.open(purpose)
      }
      closeIdle()
    },
    confirmed(key) {
      const one = active.get(key)
      if (one) one.isConfirmed = true
      failed.delete(key)
    },
    renew: leave,
    refused(connection, isFull) {
      const keys = held.get(connection) ?? new Set()
      // The venue answers in order, and a refusal does not name its subscription.
      const first = [...keys].find((key) => active.get(key)?.isConfirmed === false)
      if (first !== undefined) {
        drop(first)
        if (!isFull) failing(first)
      }
      if (!isFull) return
      const untilMono = clock.monotonic() + FULL_MS
      if (keys.size > 0) full.set(connection, { most: keys.size, untilMono })
      // An empty connection is not full: there are too many over all of them.
      else inAll = { most: active.size, untilMono }
    },
    lost(connection) {
      for (const key of held.get(connection) ?? []) active.delete(key)
      for (const each of [held, idle, full]) each.delete(connection)
    },
    isLive: (key) => active.get(key)?.isConfirmed === true,
    on: (connection) => [...(held.get(connection) ?? [])],
    allowed,
    confirmedCount() {
      let count = 0
      for (const one of active.values()) if (one.isConfirmed) count++
      return count
    },
  }
}
