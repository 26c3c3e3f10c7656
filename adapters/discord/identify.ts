import { doubledMs } from '../../src/lib/backoff.ts'

/** What Discord says of how often a bot may begin a session, see `session_start_limit`. */
export interface StartLimit {
  total: number
  remaining: number
  resetAfterMs: number
}

/**
 * Discord resets the token of a bot that begins more than 1,000 sessions a day, and wants five seconds between two
 * (https://docs.discord.com/developers/events/gateway#session-start-limit-object).
 */
const GAP = { firstMs: 5_000, longestMs: 5 * 60_000 }
/** So many within an hour are no sign of trouble that repeats itself; each one more doubles the gap. */
const FREE_AN_HOUR = 8
const HISTORY_MS = 60 * 60_000
/** Below this share of the day's starts what is left is spread over the time that is left. */
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
