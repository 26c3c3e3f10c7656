import type { Kind } from '../alert.ts'
import type { Reading } from '../clock.ts'
import type { FeedKey } from '../feed.ts'
import type { GuardKey } from '../guard.ts'
import type { Market } from '../market.ts'
import type { Owner } from '../owner.ts'
import type { Position } from '../position.ts'
import type { Memory } from './memory.ts'
import type { OwnerView } from './owner-view.ts'

/** What a turn judges by: memory as it is, and what this turn has read and memory will take once it is committed. */
export interface Look {
  memory: Memory
  kinds: readonly Kind[]
  now: number
  tick: number
  /** Older than this and a market's figures are no basis for a judgement. */
  marketStaleMs: number
  views: ReadonlyMap<Owner, OwnerView>
  /** Feeds that this turn saw whole. */
  seen: ReadonlySet<FeedKey>
  /** Guards that ring now, all of a chat together; none where it is left out. */
  again?: ReadonlySet<GuardKey>
  /** The accounts of which a position is warned of in this turn, as the guards that are judged (account-turn.ts). */
  warned?: ReadonlySet<GuardKey>
  /** What is judged is judged by these figures of its market; by the last ones where it is left out. */
  crossing?: Reading<Market>
}

export function viewOf({ views, memory }: Look, owner: Owner): OwnerView | undefined {
  return views.get(owner) ?? memory.owners.get(owner)
}

export function positionsOf(look: Look, owner: Owner): Position[] {
  return [...(viewOf(look, owner)?.held.values() ?? [])].map(({ position }) => position)
}

export function isBlind({ memory, seen }: Look, feed: FeedKey): boolean {
  return memory.blind.has(feed) && !seen.has(feed)
}

/** By the monotonic clock, so that a wall clock that jumps makes nothing older or newer; in whole milliseconds. */
export function wallAt({ now, tick }: Pick<Look, 'now' | 'tick'>, then: number): number {
  return Math.round(now - (tick - then))
}

/** Beyond a period of polling, how long prices may be missing before people are told (DESIGN 6). */
export const MARKETS_DARK_MS = 10_000

/** Whether more than one reading of the markets is missing between these two, or has not come yet. */
export function isHole(before: number, after: number, marketStaleMs: number): boolean {
  return after - before > 2 * (marketStaleMs - MARKETS_DARK_MS)
}

/** When prices were last seen, by this run or the one before it (wall time); null when they never were. */
export function pricesSeenAt(at: Pick<Look, 'memory' | 'now' | 'tick'>): number | null {
  const { marketsAt, pricesAt } = at.memory
  return marketsAt ? wallAt(at, marketsAt.tick) : pricesAt
}

/** How much of the time between prices were seen: what could not be seen neither counts nor begins anew. */
function seenMs(look: Look, since: number, end = look.now): number {
  const { memory, now, marketStaleMs } = look
  const last = pricesSeenAt(look) ?? since
  const until = Math.min(isHole(last, now, marketStaleMs) ? last : now, end)
  const missed = memory.holes.map((hole) => Math.min(hole.until, until) - Math.max(hole.since, since))
  const missedMs = missed.reduce((sum, ms) => sum + Math.max(ms, 0), 0)
  return Math.max(until - since - missedMs, 0)
}

/** The same for a guard: what an earlier run has begun was not looked at since that one's last prices. */
export function lookedAtMs(look: Look, key: GuardKey, since: number): number {
  const { memory, now } = look
  return seenMs(look, since, memory.unseen.has(key) ? (memory.pricesAt ?? now) : now)
}
