import type { Kind } from '../alert.ts'
import type { FeedKey } from '../feed.ts'
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
export function wallAt({ now, tick }: Look, then: number): number {
  return Math.round(now - (tick - then))
}
