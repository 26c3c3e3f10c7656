import { createHash } from 'node:crypto'

import type { Clock } from '../../../src/runtime/clock.ts'
import type { Json } from './refusals.ts'

/** Off unless told: Discord says its numbers in headers only. */
export interface Limits {
  /** By route, such as "POST /channels/:id/messages"; "*" is every route that is not named. */
  routes?: Record<string, { limit: number; perMs: number }>
  /** Discord's own is 50. */
  globalPerSecond?: number
}

/** 401, 403 and 429 within ten minutes: https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit */
const INVALID_WINDOW_MS = 600_000
const SECOND_MS = 1_000

interface Verdict {
  headers: Record<string, string>
  /** The body of a 429. */
  limited: Json | null
}

interface RateLimits {
  set(limits: Limits): void
  /** `major` is the channel, guild or webhook of the request; interactions are exempt from the global limit. */
  ask(route: string, major: string, exempt: boolean): Verdict
  /** Counts an answer towards the invalid-request limit. */
  answered(status: number, shared: boolean): void
  invalid(): number
}

interface Bucket {
  since: number
  used: number
}

export function createLimits(clock: Clock, first: Limits): RateLimits {
  let limits = first
  let everything: Bucket = { since: -Infinity, used: 0 }
  const buckets = new Map<string, Bucket>()
  let invalid: number[] = []

  const use = (bucket: Bucket | undefined, perMs: number): Bucket => {
    const now = clock.monotonic()
    return bucket && now - bucket.since < perMs
      ? { since: bucket.since, used: bucket.used + 1 }
      : { since: now, used: 1 }
  }
  const askGlobal = (perSecond: number): Verdict | null => {
    everything = use(everything, SECOND_MS)
    if (everything.used <= perSecond) return null
    return tooMany(everything.since + SECOND_MS - clock.monotonic(), { global: true })
  }
  return {
    set: (next) => void (limits = next),
    ask(route, major, exempt) {
      const { globalPerSecond, routes = {} } = limits
      const stopped = globalPerSecond !== undefined && !exempt ? askGlobal(globalPerSecond) : null
      if (stopped) return stopped
      const limit = routes[route] ?? routes['*']
      if (!limit) return { headers: {}, limited: null }
      const key = `${route} ${major}`
      const bucket = use(buckets.get(key), limit.perMs)
      buckets.set(key, bucket)
      const leftMs = bucket.since + limit.perMs - clock.monotonic()
      const headers = {
        'x-ratelimit-limit': String(limit.limit),
        'x-ratelimit-remaining': String(Math.max(0, limit.limit - bucket.used)),
        'x-ratelimit-reset': ((clock.now() + leftMs) / 1000).toFixed(3),
        'x-ratelimit-reset-after': (leftMs / 1000).toFixed(3),
        'x-ratelimit-bucket': createHash('md5').update(route).digest('hex'),
      }
      if (bucket.used <= limit.limit) return { headers, limited: null }
      const stop = tooMany(leftMs, {})
      return { headers: { ...headers, ...stop.headers }, limited: stop.limited }
    },
    answered(status, shared) {
      if (status === 401 || status === 403 || (status === 429 && !shared)) invalid.push(clock.monotonic())
    },
    invalid() {
      invalid = invalid.filter((at) => clock.monotonic() - at < INVALID_WINDOW_MS)
      return invalid.length
    },
  }
}

/** The header counts whole seconds, as HTTP demands, unless a test asks for a shorter wait by `exact`. */
export function tooMany(
  ms: number,
  { global = false, scope, exact = false }: { global?: boolean; scope?: string | undefined; exact?: boolean },
): Verdict {
  const seconds = ms / 1000
  return {
    headers: {
      'retry-after': String(exact ? seconds : Math.ceil(seconds)),
      'x-ratelimit-scope': scope ?? (global ? 'global' : 'user'),
      ...(global ? { 'x-ratelimit-global': 'true' } : {}),
    },
    limited: { message: 'You are being rate limited.', retry_after: Number(seconds.toFixed(3)), global },
  }
}
