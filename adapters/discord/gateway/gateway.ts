import { type APIInteraction, Client, Events, Routes } from 'discord.js'

import { backoffMs, doubledMs } from '../../../src/lib/time/backoff.ts'
import { type Clock, endsWithin, pause, waited } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import type { Api } from '../send/api.ts'

/** The connection on which Discord reports interactions. */
export interface Gateway {
  start(): void
  /** Lets go of the connection. */
  stop(): Promise<void>
}

/** Three and a half of Discord's heartbeats (41.25 s): then nothing is to be hoped for any more. */
const SILENT_MS = 150_000
const LOOK_MS = 15_000
const RETRY = { firstMs: 1_000, longestMs: 60_000 }
/** Perch has one shard. Discord refuses bots in too many servers, and counts each start. */
const SHARDING_REQUIRED = 4011
const IN_VAIN_MS = 60 * 60_000
/** A connection that held this long was a good one. */
const STABLE_MS = 10 * 60_000
/** How long a client may take to let go. */
const DESTROY_MS = 2_000

export function createGateway({
  token,
  apiUrl,
  api,
  clock,
  emit,
  random,
  hear,
  ready,
  reachable,
  hopeless,
}: {
  token: string
  apiUrl: string
  api: Api
  clock: Clock
  emit: Emit
  random: () => number
  hear(interaction: APIInteraction): void
  /** A session has begun. */
  ready(applicationId: string): void
  /** At every change: why not, or null. */
  reachable(why: string | null): void
  /** Nothing but a change of the bot itself helps: trying again soon would be in vain. */
  hopeless(why: string): void
}): Gateway {
  const stopping = new AbortController()
  const identifies: number[] = []
  /** Paid for before a client was made for it. */
  let granted = false
  let waiting = false
  let running: Promise<void> | null = null
  let inVain = false

  async function startLimit(): Promise<StartLimit> {
    const { session_start_limit: found } = (await api.bot('GET', Routes.gatewayBot(), {
      signal: stopping.signal,
    })) as {
      session_start_limit: { total: number; remaining: number; reset_after: number }
    }
    return { total: found.total, remaining: found.remaining, resetAfterMs: found.reset_after }
  }

  /** All sessions pass here, including those that discord.js starts by itself. */
  async function waitForIdentify(limit: StartLimit | null, signal: AbortSignal): Promise<void> {
    waiting = true
    try {
      const ms = identifyWaitMs(identifies, limit, clock.monotonic())
      if (ms > RETRY.longestMs)
        emit({
          is: 'remark',
          where: 'discord',
          text: `the next session begins in ${Math.round(ms / 1000)} s`,
        })
      if (ms > 0) await pause(clock, ms, signal)
      identifies.push(clock.monotonic())
      if (identifies.length > 1_000) identifies.shift()
    } finally {
      waiting = false
    }
  }

  const throttler = {
    async waitForIdentify(_shard: number, signal: AbortSignal): Promise<void> {
      if (!granted)
        await waitForIdentify(
          await startLimit().catch(() => null),
          AbortSignal.any([signal, stopping.signal]),
        )
      granted = false
    },
  }

  /** One client from its beginning until it is of no more use; says why. */
  async function attempt(): Promise<string> {
    await waitForIdentify(await startLimit(), stopping.signal)
    granted = true
    const client = new Client({
      intents: [],
      rest: { api: apiUrl, version: '10', retries: 0 },
      ws: { buildIdentifyThrottler: async () => throttler },
    })
    const lost = Promise.withResolvers<string>()
    const stopWatching = watch(client, lost.resolve)
    const onStop = () => lost.resolve('stopping')
    stopping.signal.addEventListener('abort', onStop, { once: true })
    try {
      client.login(token).catch(lost.reject)
      return await lost.promise
    } finally {
      stopWatching()
      stopping.signal.removeEventListener('abort', onStop)
      await letGo(client)
    }
  }

  /** Listens to a client, and notices when it says nothing any more; returns how to stop that. */
  function watch(client: Client, lost: (why: string) => void): () => void {
    let aliveAt = clock.monotonic()
    let lastPing = -1
    const alive = () => void (aliveAt = clock.monotonic())
    // Without a listener an error of any other listener would end the process.
    client.on(Events.Error, (error) => emit({ is: 'trouble', where: 'discord', why: error.message, error }))
    client.on(Events.ShardError, (error) => emit({ is: 'remark', where: 'discord', text: error.message }))
    client.on(Events.Raw, alive)
    client.on(Events.ShardReady, () => {
      reachable(null)
      if (client.application) ready(client.application.id)
    })
    client.on(Events.ShardResume, () => reachable(null))
    client.on(Events.ShardReconnecting, () => reachable('the connection broke'))
    client.on(Events.ShardDisconnect, ({ code }) => {
      inVain = code === SHARDING_REQUIRED
      if (inVain) hopeless(closedBecause(code))
      lost(closedBecause(code))
    })
    // Takes the raw packet: answers go through REST and need no cache.
    client.ws.on(
      'INTERACTION_CREATE' as never,
      ((interaction: APIInteraction) => safely(interaction)) as never,
    )
    let callOff = () => {}
    const look = () => {
      const ping = client.ws.shards.first()?.lastPingTimestamp ?? -1
      if (ping !== lastPing || waiting) alive()
      lastPing = ping
      const silentMs = clock.monotonic() - aliveAt
      if (silentMs > SILENT_MS) lost(`nothing was heard for ${Math.round(silentMs / 1000)} s`)
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
      const why = error instanceof Error ? error.message : String(error)
      emit({ is: 'trouble', where: 'discord', why, error })
    }
  }

  async function letGo(client: Client): Promise<void> {
    const destroyed = client.destroy().catch(() => {})
    await endsWithin(clock, DESTROY_MS, destroyed)
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const began = clock.monotonic()
      const why = await attempt().catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      )
      if (stopping.signal.aborted) return
      reachable(why)
      failures = clock.monotonic() - began > STABLE_MS ? 1 : failures + 1
      const waitMs = inVain ? IN_VAIN_MS : backoffMs(failures, random(), RETRY)
      inVain = false
      await waited(clock, waitMs, stopping.signal)
    }
  }

  return {
    start: () => void (running ??= run()),
    async stop() {
      stopping.abort(new Error('stopping'))
      await running
    },
  }
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
function closedBecause(code: number): string {
  const known: Record<number, string> = {
    4004: 'Discord refuses the token: check DISCORD_BOT_TOKEN',
    [SHARDING_REQUIRED]:
      'Discord wants this bot sharded, because it is in so many servers, and Perch cannot be',
    4013: 'Discord does not know the intents',
    4014: 'Discord does not allow the intents',
  }
  return known[code] ?? `Discord closed the connection for good (${code})`
}

/** How often a bot may begin a session: Discord's `session_start_limit`. */
interface StartLimit {
  total: number
  remaining: number
  resetAfterMs: number
}

/**
 * Discord resets the token of a bot that begins more than 1,000 sessions a day, and wants five seconds between two
 * (https://docs.discord.com/developers/events/gateway#session-start-limit-object).
 */
const GAP = { firstMs: 5_000, longestMs: 5 * 60_000 }
/** This many session starts an hour are normal. Each further one doubles the gap. */
const FREE_AN_HOUR = 8
const HISTORY_MS = 60 * 60_000
/** When less than this share of the day's starts is left, they are spread over the time that is left. */
const SCARCE = 1 / 4

/** How long to wait before the next session begins; `former` are the times of those before, oldest first. Pure. */
export function identifyWaitMs(former: readonly number[], limit: StartLimit | null, now: number): number {
  const last = former.at(-1)
  const recent = former.filter((at) => now - at < HISTORY_MS).length
  const gap = recent === 0 ? 0 : doubledMs(Math.max(recent - FREE_AN_HOUR, 0) + 1, GAP)
  const paced = last === undefined ? 0 : Math.max(last + gap - now, 0)
  if (!limit || limit.remaining > limit.total * SCARCE) return paced
  if (limit.remaining <= 0) return Math.max(limit.resetAfterMs, GAP.longestMs)
  return Math.max(paced, Math.min(limit.resetAfterMs / limit.remaining, GAP.longestMs))
}
