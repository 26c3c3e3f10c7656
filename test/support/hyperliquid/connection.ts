import type { RawData, WebSocket } from 'ws'

import { framesOf } from './feed.ts'
import type { Event } from './news.ts'
import { keyOf, readSubscription, type Subscription } from './subscriptions.ts'
import type { World } from './world.ts'

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/timeouts-and-heartbeats */
const SILENT_MS = 60_000

/** What connections of one address share. */
export interface Shared {
  world: World
  silenced(subscription: Subscription): boolean
  withholdsPongs(): boolean
  /** False when this address has said too much in the last minute. */
  maySpeak(text: string): boolean
  /** Why nothing more may be subscribed to; null when it may. */
  refusal(user: string | null): string | null
}

/** One socket, as the venue sees it. */
export interface Connection {
  subscriptions(): readonly Subscription[]
  users(): readonly string[]
  say(text: string): void
  happened(event: Event): void
  /** Once a second: what is told though nothing happened, and the end of what is silent. */
  beat(): void
  cut(): void
}

interface Following {
  subscription: Subscription
  toldAt: number
}

export function createConnection(socket: WebSocket, shared: Shared): Connection {
  const { world } = shared
  const { clock } = world
  const followed = new Map<string, Following>()
  let spokeAt = clock.monotonic()

  const say = (text: string) => {
    if (socket.readyState !== socket.OPEN) return
    spokeAt = clock.monotonic()
    socket.send(text)
  }
  const frame = (channel: string, data: unknown) => say(JSON.stringify({ channel, data }))
  const error = (text: string) => frame('error', text)
  const tellState = (following: Following) => {
    following.toldAt = clock.monotonic()
    if (shared.silenced(following.subscription)) return
    const state = following.subscription.state()
    if (state) frame(state.channel, state.data)
  }

  const subscribe = (subscription: Subscription) => {
    const key = keyOf(subscription)
    const { echo, user } = subscription
    if (followed.has(key)) return error(`Already subscribed: ${JSON.stringify(echo)}`)
    const refusal = shared.refusal(user)
    if (refusal !== null) return error(refusal)
    const following = { subscription, toldAt: clock.monotonic() }
    followed.set(key, following)
    frame('subscriptionResponse', { method: 'subscribe', subscription: echo })
    return tellState(following)
  }
  const unsubscribe = (subscription: Subscription) => {
    const { echo } = subscription
    if (!followed.delete(keyOf(subscription))) return error(`Already unsubscribed: ${JSON.stringify(echo)}`)
    return frame('subscriptionResponse', { method: 'unsubscribe', subscription: echo })
  }
  const hear = (text: string) => {
    if (!shared.maySpeak(text)) return error('Too many websocket messages sent.')
    const message = parse(text)
    const { method } = message ?? {}
    // The only frame without data.
    if (method === 'ping') return shared.withholdsPongs() ? undefined : say('{"channel":"pong"}')
    if (!message || (method !== 'subscribe' && method !== 'unsubscribe')) return unreadable(text)
    const subscription = readSubscription(message['subscription'], world)
    if (subscription === 'malformed') return unreadable(text)
    if (subscription === 'unknown coin') return socket.close()
    return method === 'subscribe' ? subscribe(subscription) : unsubscribe(subscription)
  }
  const unreadable = (text: string) => error(`Error parsing JSON into valid websocket request: ${text}`)
  socket.on('message', (said: RawData) => hear((said as Buffer).toString()))

  return {
    subscriptions: () => [...followed.values()].map(({ subscription }) => subscription),
    users: () => [...new Set([...followed.values()].flatMap(({ subscription }) => subscription.user ?? []))],
    say,
    happened(event) {
      for (const following of followed.values()) {
        const { subscription } = following
        if (shared.silenced(subscription)) continue
        for (const { channel, data } of framesOf(event, subscription)) {
          following.toldAt = clock.monotonic()
          frame(channel, data)
        }
      }
    },
    beat() {
      for (const following of followed.values()) {
        const { everyMs } = following.subscription
        if (everyMs !== null && clock.monotonic() - following.toldAt >= everyMs) tellState(following)
      }
      if (clock.monotonic() - spokeAt >= SILENT_MS) socket.terminate()
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
