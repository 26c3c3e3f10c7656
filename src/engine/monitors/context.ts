import type { Kind } from '../../alert/alert.ts'
import { type GuardKey, guardOf } from '../../alert/monitor.ts'
import type { Reading } from '../../runtime/clock.ts'
import type { Hole } from '../../store/snapshot.ts'
import type { Market } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'
import { accountFeed, type FeedKey, feedKey } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import type { OwnerView, SeenOrders } from '../memory/wallet-view.ts'

/** What a turn judges by: memory as it is, and what this turn has read and memory will take once it is committed. */
export interface Look {
  memory: Memory
  kinds: readonly Kind[]
  now: number
  tick: number
  /** Older than this and a market's figures are no basis for a judgement. */
  marketStaleMs: number
  views: ReadonlyMap<Owner, OwnerView>
  /** Of orders, what this turn has read; what memory has where it is left out. */
  orders?: ReadonlyMap<Owner, SeenOrders>
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

/** Since when positions in this account cannot be read, the whole wallet or that alone; undefined while they can. */
export function blindnessOf(look: Look, owner: Owner, accountId: string): { since: number } | undefined {
  if (look.memory.blind.size === 0) return undefined
  for (const feed of [feedKey({ is: 'owner', owner }), accountFeed(owner, accountId)])
    if (isBlind(look, feed)) return look.memory.blind.get(feed)
  return undefined
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

/** When prices of one market were not seen (wall times), also while those of others were; the last time may go on. */
export function darkTimes(look: Look, marketId: string | null): Hole[] {
  const { memory, now, tick, marketStaleMs } = look
  const seenAt = pricesSeenAt(look)
  const own = marketId === null ? undefined : memory.markets.get(marketId)
  const times = memory.holes.map(({ since, until }) => ({ since, until }))
  if (seenAt !== null && isHole(seenAt, now, marketStaleMs)) times.push({ since: seenAt, until: now })
  for (const { sinceTick, untilTick } of marketId === null ? [] : memory.samples.gaps(marketId))
    times.push({ since: wallAt(look, sinceTick), until: wallAt(look, untilTick) })
  // A book that comes in turn is seen as long as its figures are not too old to be judged by.
  if (own && tick - own.tick > marketStaleMs) times.push({ since: wallAt(look, own.tick), until: now })
  return times
}

/** Whether it is in the last answer about its book: those of other books say nothing of it. */
export function isListed({ lists }: Memory, { value, tick }: Reading<Market>): boolean {
  return tick === lists.lastTick.get(value.book)
}

/** How much of the time between prices of it were seen: what could not be seen neither counts nor begins anew. */
export function seenMs(look: Look, marketId: string | null, since: number, end = look.now): number {
  if (pricesSeenAt(look) === null && isHole(since, look.now, look.marketStaleMs)) return 0
  const until = Math.min(look.now, end)
  let [ms, at] = [0, since]
  for (const dark of darkTimes(look, marketId).toSorted((a, b) => a.since - b.since)) {
    ms += Math.max(Math.min(dark.since, until) - at, 0)
    at = Math.max(at, dark.until)
  }
  return ms + Math.max(until - at, 0)
}

/** The same for a guard: what an earlier run has begun was not looked at since that one's last prices. */
export function lookedAtMs(look: Look, key: GuardKey, since: number): number {
  const { memory, now } = look
  const { subject } = guardOf(key)
  const marketId = subject.is === 'position' || subject.is === 'market' ? subject.marketId : null
  return seenMs(look, marketId, since, memory.unseen.has(key) ? (memory.pricesAt ?? now) : now)
}
