import { type APIGatewayBotInfo, Routes } from 'discord.js'
import { z } from 'zod'

import type { Clock } from '../../../src/runtime/clock.ts'
import type { Api } from '../send/api.ts'

/** How often a bot may begin a session: Discord's `session_start_limit`. */
export interface StartLimit {
  total: number
  remaining: number
  resetAfterMs: number
}

/** Discord's answer about its gateway (https://docs.discord.com/developers/events/gateway#get-gateway-bot). */
export interface GatewayInfo {
  /** The number of shards that Discord asks for. */
  shards: number
  limit: StartLimit
  /** Sessions of so many buckets may begin at once. A shard's bucket is its number modulo this one. */
  concurrency: number
  /** Monotonic time of the request. */
  askedAt: number
  /** The answer as @discordjs/ws reads it. */
  raw: APIGatewayBotInfo
}

const answer = z.looseObject({
  url: z.string().min(1),
  shards: z.int().positive(),
  session_start_limit: z.looseObject({
    total: z.number(),
    remaining: z.number(),
    reset_after: z.number(),
    max_concurrency: z.int().positive(),
  }),
})

/**
 * Asks Discord about its gateway. Requests made at the same time are one request, because Discord limits this route
 * strictly (https://github.com/discord/discord-api-docs/issues/3042).
 */
export function createGatewayInfo(api: Api, clock: Clock, signal: AbortSignal): () => Promise<GatewayInfo> {
  let asking: Promise<GatewayInfo> | null = null

  async function ask(): Promise<GatewayInfo> {
    const askedAt = clock.monotonic()
    const parsed = answer.safeParse(await api.bot('GET', Routes.gatewayBot(), { signal }))
    if (!parsed.success) throw new Error('Discord’s answer about its gateway cannot be read')
    const { shards, session_start_limit: limit } = parsed.data
    return {
      shards,
      limit: { total: limit.total, remaining: limit.remaining, resetAfterMs: limit.reset_after },
      concurrency: limit.max_concurrency,
      askedAt,
      raw: parsed.data,
    }
  }
  return () => {
    asking ??= ask().finally(() => (asking = null))
    return asking
  }
}
