import { feedKey } from '../feed.ts'
import type { Feed } from '../feed.ts'
import { answered } from './confirming.ts'
import type { Effect } from './effect.ts'
import type { Memory } from './memory.ts'

/** A look at a feed has failed, or did not show all of it. */
export function failing(
  memory: Memory,
  feed: Feed,
  why: string,
  { at, tick }: { at: number; tick: number },
): Effect[] {
  const key = feedKey(feed)
  const trouble: Effect = { is: 'trouble', feed: key, why, tick }
  // Of a wallet that this run has not read yet only the run before knows what it holds: the next try may come in time.
  const isRead = feed.is === 'owner' && memory.owners.get(feed.owner)?.tick !== -Infinity
  if (feed.is === 'owner') return [trouble, ...(isRead ? answered(memory, feed.owner) : [])]
  if (feed.is !== 'orders' || memory.sight.has(key)) return [trouble]
  // Orders are spoken of only while they fail: from the first such look on they are missed, whichever run had it.
  const since = Math.min(memory.blind.get(key)?.since ?? memory.dark.get(key) ?? at, at)
  return [{ is: 'seen', feed: key, at: since, tick: tick - (at - since) }, trouble]
}
