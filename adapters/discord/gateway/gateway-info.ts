import { type APIGatewayBotInfo, Routes } from 'discord.js'
import { z } from 'zod'

import type { Clock } from '../../../src/runtime/clock.ts'
import type { Api } from '../send/api.ts'
import { outcomeOf } from '../send/outcome.ts'

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

/** A longer wait is cut: nobody would be heard until then, and Discord may have changed its mind. */
const LONGEST_WAIT_MS = 10 * 60_000

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
  let refused: { error: unknown; untilMono: number } | null = null

  /** Discord asked for waits of up to a day here (https://github.com/discord/discord-api-docs/issues/8570). */
  async function request(): Promise<unknown> {
    if (refused !== null && clock.monotonic() < refused.untilMono) throw refused.error
    try {
      return await api.bot('GET', Routes.gatewayBot(), { signal })
    } catch (error) {
      const outcome = outcomeOf(error)
      const waitMs = outcome.is === 'delayed' ? (outcome.retryAfterMs ?? 0) : 0
      refused = { error, untilMono: clock.monotonic() + Math.min(waitMs, LONGEST_WAIT_MS) }
      throw error
    }
  }

  async function ask(): Promise<GatewayInfo> {
    const askedAt = clock.monotonic()
    const parsed = answer.safeParse(await request())
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
