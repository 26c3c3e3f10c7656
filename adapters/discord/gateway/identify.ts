import { doubledMs } from '../../../src/lib/time/backoff.ts'
import { type Clock, pause } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import type { GatewayInfo, StartLimit } from './gateway-info.ts'

/**
 * Discord resets the token of a bot that begins more than 1,000 sessions a day, and wants five seconds between two
 * (https://docs.discord.com/developers/events/gateway#session-start-limit-object).
 */
const GAP = { firstMs: 5_000, longestMs: 5 * 60_000 }
/** Two shards of one bucket reach Discord over sockets of different speed. */
const JITTER_MS = 250
/** Each shard may begin so many sessions an hour before its gap doubles. */
const FREE_AN_HOUR = 8
const HISTORY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** Once fewer than this share of today's session starts remain, they are spaced evenly until the limit resets. */
const SCARCE = 1 / 4
/** Longer waits are reported. */
const LONG_WAIT_MS = 60_000

/** How long to wait before the next session begins; `former` are the times of those before, oldest first. Pure. */
export function identifyWaitMs(former: readonly number[], limit: StartLimit | null, now: number): number {
  const last = former.at(-1)
  const recent = former.filter((at) => now - at < HISTORY_MS).length
  const gap = recent === 0 ? 0 : doubledMs(Math.max(recent - FREE_AN_HOUR, 0) + 1, GAP)
  const paced = last === undefined ? 0 : Math.max(last + gap - now, 0)
  if (!limit || !isScarce(limit)) return paced
  if (limit.remaining <= 0) return Math.max(limit.resetAfterMs, GAP.longestMs)
  return Math.max(paced, Math.min(limit.resetAfterMs / limit.remaining, GAP.longestMs))
}

/** True if few of the day's starts remain. */
export function isScarce({ remaining, total }: StartLimit): boolean {
  return remaining <= total * SCARCE
}

/** A session that was begun, or will begin at this monotonic time. */
export interface Start {
  shard: string
  bucket: number
  at: number
}

/** How long a shard waits for its session, with those of all other shards. Pure. */
export function turnMs(
  { shard, bucket }: Omit<Start, 'at'>,
  starts: readonly Start[],
  limit: StartLimit | null,
  now: number,
): number {
  const former = starts.filter((one) => one.shard === shard).map(({ at }) => at)
  const alone = identifyWaitMs(former, limit, now)
  const latest = (of: readonly Start[]) => Math.max(...of.map(({ at }) => at))
  // Scarce starts are rationed for all shards together. A shard that was never there comes up with the others.
  if (limit && isScarce(limit) && former.length > 0) return alone + Math.max(latest(starts) - now, 0)
  const others = starts.filter((one) => one.bucket === bucket && one.shard !== shard)
  return Math.max(alone, latest(others) + GAP.firstMs + JITTER_MS - now)
}

/** Gives out the turns to begin a session. */
export interface Turns {
  /** Waits for a turn. Rejects with the signal, and the turn is free again. */
  take(shard: Shard, ask: () => Promise<GatewayInfo | null>, signal: AbortSignal): Promise<Start>
  /** Waits until no other shard of the bucket has just begun: its socket may have taken longer. */
  begin(turn: Start, signal: AbortSignal): Promise<void>
}

interface Shard {
  id: number
  count: number
  /** Discord allows no session for so long. */
  usedUp(total: number, ms: number): void
}

export function createTurns(clock: Clock, emit: Emit): Turns {
  /** Those of the last day, and those to come. */
  let starts: Start[] = []
  /** Those for which a socket is open. */
  const begun = new WeakSet<Start>()
  let concurrency = 1
  let last: GatewayInfo | null = null

  /** Returns the limit by Discord's last answer, or null once Discord counts anew. */
  function limitAt(now: number): StartLimit | null {
    if (last === null) return null
    const { limit, askedAt } = last
    const ageMs = now - askedAt
    // Before the first start of a day there is nothing to count anew.
    if (ageMs > (limit.resetAfterMs || DAY_MS)) return null
    const remaining = limit.remaining - startsSince(askedAt)
    return { ...limit, remaining, resetAfterMs: Math.max(limit.resetAfterMs - ageMs, 0) }
  }

  return {
    async take({ id, count, usedUp }, ask, signal) {
      for (;;) {
        const info = await ask()
        // A session must not begin on a connection that broke meanwhile.
        signal.throwIfAborted()
        const now = clock.monotonic()
        starts = starts.filter(({ at }) => now - at < DAY_MS)
        last = info ?? last
        concurrency = info?.concurrency ?? concurrency
        const turn = { shard: `${id}/${count}`, bucket: id % concurrency, at: now }
        const limit = limitAt(now)
        const ms = turnMs(turn, starts, limit, now)
        if (ms > LONG_WAIT_MS) {
          const text = `the next session begins in ${Math.round(ms / 1000)} s`
          emit({ is: 'remark', where: 'discord', text })
        }
        if (limit && limit.remaining <= 0) {
          // After such a wait Discord's numbers are others.
          usedUp(limit.total, ms)
          await pause(clock, ms, signal)
          continue
        }
        turn.at = now + ms
        starts.push(turn)
        try {
          if (ms > 0) await pause(clock, ms, signal)
          return turn
        } catch (error) {
          starts = starts.filter((one) => one !== turn)
          throw error
        }
      }
    },
    async begin(turn, signal) {
      for (;;) {
        signal.throwIfAborted()
        const others = starts.filter(
          (one) => one.bucket === turn.bucket && one.shard !== turn.shard && begun.has(one),
        )
        const ms = Math.max(...others.map(({ at }) => at)) + GAP.firstMs + JITTER_MS - clock.monotonic()
        if (ms <= 0) break
        await pause(clock, ms, signal)
      }
      turn.at = clock.monotonic()
      begun.add(turn)
    },
  }

  /** Discord has not counted these yet. */
  function startsSince(askedAt: number): number {
    return starts.filter(({ at }) => at >= askedAt).length
  }
}
