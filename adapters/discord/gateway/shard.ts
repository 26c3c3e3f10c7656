import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws'
import { type APIInteraction, GatewayDispatchEvents, type REST } from 'discord.js'

import { errorText } from '../../../src/lib/text/error-text.ts'
import { backoffMs } from '../../../src/lib/time/backoff.ts'
import { type Clock, endsWithin, waited } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import type { GatewayInfo } from './gateway-info.ts'
import { isScarce, type Start, type Turns } from './identify.ts'

/** One of the connections on which Discord reports interactions: those of its share of the servers. */
export interface Shard {
  start(): void
  /** Begins no more sessions: others take its place. The connection is still used for as long as it lasts. */
  retire(): void
  /** Lets go of the connection. */
  stop(): Promise<void>
}

/** Three and a half of Discord's heartbeats (41.25 s): then nothing is to be hoped for any more. */
const SILENT_MS = 150_000
const LOOK_MS = 15_000
export const RETRY = { firstMs: 1_000, longestMs: 60_000 }
const IN_VAIN_MS = 60 * 60_000
/** A connection that held this long was a good one. */
const STABLE_MS = 10 * 60_000
/** How long a connection may take to end. */
const DESTROY_MS = 2_000

/** Discord wants more shards than there are: a bot may have 2,500 servers in each. */
const SHARDING_REQUIRED = 4011
/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const CLOSED_FOR_GOOD: Record<number, string | null> = {
  4004: 'Discord refuses the token: check DISCORD_BOT_TOKEN',
  4010: null,
  [SHARDING_REQUIRED]: 'Discord wants this bot sharded further, because it is in so many servers',
  4012: null,
  4013: 'Discord does not know the intents',
  4014: 'Discord does not allow the intents',
}

/** Why a connection is of no more use. */
interface Ended {
  why: string
  code: number | null
}

export interface ShardWorld {
  id: number
  /** The number of shards that there are. */
  count: number
  token: string
  clock: Clock
  emit: Emit
  random: () => number
  info: () => Promise<GatewayInfo>
  turns: Turns
  hear(interaction: APIInteraction): void
  /** A session has begun. */
  ready(applicationId: string): void
  /** At every change: why the shard is out of reach, or null. */
  changed(why: string | null): void
  /** Discord wants more shards. True: others come in place of this one. */
  tooFew(): Promise<boolean>
  /** All session starts of the day are used. */
  usedUp(total: number, ms: number): void
}

/** `first`: what Discord has just said of its gateway. */
export function createShard(world: ShardWorld, first: GatewayInfo): Shard {
  const { id, count, token, clock, emit, random, info, turns, hear, ready, changed } = world
  const stopping = new AbortController()
  /** Ends waits in which there is no connection. */
  const idle = new AbortController()
  let retired = false
  let waiting = false
  let running: Promise<void> | null = null
  let known: GatewayInfo | null = first

  /** All sessions pass here, including those that @discordjs/ws starts by itself. */
  async function takeTurn(ask: () => Promise<GatewayInfo | null>, signal: AbortSignal): Promise<Start> {
    waiting = true
    try {
      return await turns.take({ id, count, usedUp: world.usedUp }, ask, signal)
    } finally {
      waiting = false
    }
  }

  /** One connection from its beginning until it is of no more use. */
  async function attempt(): Promise<Ended> {
    let found: GatewayInfo | null = null
    const fresh = async () => {
      found = known ?? (await info())
      known = null
      return found
    }
    // Many shards that each ask once more would meet the limit of this route. @discordjs/ws begins nothing at 0 left.
    const raw = async () => {
      const last = found
      const isKnown = last !== null && count > 1 && !isScarce(last.limit)
      return (isKnown ? last : await info()).raw
    }
    let granted: Start | null = await takeTurn(fresh, idle.signal)
    let session: SessionInfo | null = null
    const over = new AbortController()
    const lost = Promise.withResolvers<Ended>()
    const lose = (why: string, code: number | null = null) => lost.resolve({ why, code })

    async function waitForIdentify(signal: AbortSignal): Promise<void> {
      const either = AbortSignal.any([signal, over.signal])
      const turn = granted ?? (await takeTurn(() => info().catch(() => null), either))
      granted = null
      waiting = true
      try {
        await turns.begin(turn, either)
      } finally {
        waiting = false
      }
    }
    const manager = new WebSocketManager({
      token,
      intents: 0,
      shardCount: count,
      shardIds: [id],
      rest: { get: raw } as unknown as REST,
      // Asked before each connection. One that was let go between two of them would otherwise open the next.
      retrieveSessionInfo: () => (over.signal.aborted ? forever<SessionInfo>() : session),
      updateSessionInfo: (_id, next) => void (session = next),
      buildIdentifyThrottler: async () => ({
        async waitForIdentify(_id, signal) {
          if (granted === null && retired) {
            lose('replaced')
            await forever()
          }
          try {
            await waitForIdentify(signal)
          } catch (error) {
            // After any other failure @discordjs/ws begins a session on the next connection and on this one.
            if (signal.aborted) throw error
            await forever()
          }
        },
      }),
    })
    const stopWatching = watch(manager, over.signal, lose)
    const onStop = () => lose('stopping')
    stopping.signal.addEventListener('abort', onStop, { once: true })
    try {
      manager.connect().catch((error: unknown) => lose(errorText(error)))
      return await lost.promise
    } finally {
      over.abort()
      stopWatching()
      stopping.signal.removeEventListener('abort', onStop)
      const destroyed = Promise.resolve(manager.destroy()).catch(() => {})
      await endsWithin(clock, DESTROY_MS, destroyed)
    }
  }

  /** Listens to a connection, and notices when it says nothing any more; returns how to stop that. */
  function watch(
    manager: WebSocketManager,
    over: AbortSignal,
    lose: (why: string, code?: number) => void,
  ): () => void {
    let aliveAt = clock.monotonic()
    const alive = () => void (aliveAt = clock.monotonic())
    const unlessOver = (act: () => void) => void (over.aborted || act())
    // Without a listener an error would end the process.
    manager.on(WebSocketShardEvents.Error, ({ error }) =>
      emit({ is: 'remark', where: 'discord', text: error.message }),
    )
    manager.on(WebSocketShardEvents.HeartbeatComplete, alive)
    manager.on(WebSocketShardEvents.Ready, ({ data }) =>
      unlessOver(() => {
        changed(null)
        ready(data.application.id)
      }),
    )
    manager.on(WebSocketShardEvents.Resumed, () => unlessOver(() => changed(null)))
    manager.on(WebSocketShardEvents.Closed, ({ code }) =>
      unlessOver(() => {
        const why = CLOSED_FOR_GOOD[code]
        if (why === undefined) changed('the connection broke')
        else lose(why ?? `Discord closed the connection for good (${code})`, code)
      }),
    )
    manager.on(WebSocketShardEvents.Dispatch, ({ data: { t, d } }) => {
      alive()
      if (t === GatewayDispatchEvents.InteractionCreate) safely(d)
    })
    let callOff = () => {}
    const look = () => {
      if (waiting) alive()
      const silentMs = clock.monotonic() - aliveAt
      if (silentMs > SILENT_MS) lose(`nothing was heard for ${Math.round(silentMs / 1000)} s`)
      else callOff = clock.wakeAt(clock.monotonic() + LOOK_MS, look)
    }
    look()
    return () => callOff()
  }

  /** An error thrown here would reach only the process, and end it. */
  function safely(interaction: APIInteraction): void {
    try {
      hear(interaction)
    } catch (error) {
      emit({ is: 'trouble', where: 'discord', why: errorText(error), error })
    }
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!idle.signal.aborted) {
      const began = clock.monotonic()
      const { why, code } = await attempt().catch((error: unknown) => ({ why: errorText(error), code: null }))
      if (idle.signal.aborted || retired) return
      changed(why)
      failures = clock.monotonic() - began > STABLE_MS ? 1 : failures + 1
      if (code === SHARDING_REQUIRED && (await world.tooFew())) return
      const waitMs = code === SHARDING_REQUIRED ? IN_VAIN_MS : backoffMs(failures, random(), RETRY)
      await waited(clock, waitMs, idle.signal)
    }
  }

  return {
    start: () => void (running ??= run()),
    retire() {
      retired = true
      idle.abort(new Error('replaced'))
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      idle.abort(new Error('stopping'))
      await running
    },
  }
}

/** Never resolves. Who waits for it is collected with it. */
function forever<T>(): Promise<T> {
  return new Promise<T>(() => {})
}
