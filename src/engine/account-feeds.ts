import { accountFeed, feedKey, feedOf } from '../feed.ts'
import type { FeedKey } from '../feed.ts'
import type { Effect } from './effect.ts'
import type { Memory } from './memory.ts'
import type { Owner } from '../owner.ts'
import type { OwnerView } from './owner-view.ts'

/**
 * What an answer that is complete but for some accounts says of those: which of them fail, and which that failed are seen
 * again. An account is a feed of its own only as long.
 */
export function accountsOf(memory: Memory, view: OwnerView): { seen: FeedKey[]; learned: Effect[] } {
  const { owner, at, tick, unread } = view
  const failing = [...unread].flatMap(([accountId, { why, holds, queued }]): Effect[] => {
    const feed = accountFeed(owner, accountId)
    if (!holds || queued) return []
    return [
      ...missed(memory, view, feed),
      { is: 'trouble', feed, why, tick },
      // A start does not begin the patience anew.
      ...(isNew(memory, owner, feed) ? [{ is: 'dark', feed, since: at } as const] : []),
    ]
  })
  const seen = [...memory.accountFeeds.of(owner).keys()].filter((feed) => {
    const account = feedOf(feed)
    return account.is === 'account' && !unread.has(account.accountId)
  })
  return { seen, learned: [...failing, ...seen.map((feed): Effect => ({ is: 'seen', feed, at, tick }))] }
}

/** From now on it is missed: since it was seen, or the wallet was seen whole, or since an earlier run has missed it. */
export function missed(
  memory: Memory,
  { owner, at, tick }: OwnerView,
  feed: FeedKey,
  seen: { at: number; tick: number } | null = null,
): Effect[] {
  if (memory.sight.has(feed)) return []
  const wallet = seen ?? memory.sight.get(feedKey({ is: 'owner', owner })) ?? { at, tick }
  const since = Math.min(memory.blind.get(feed)?.since ?? memory.dark.get(feed) ?? wallet.at, wallet.at)
  return [{ is: 'seen', feed, at: since, tick: wallet.tick - (wallet.at - since) }]
}

/** Whether it fails from the first look of this run on, and no earlier run has missed it. */
function isNew(memory: Memory, owner: Owner, feed: FeedKey): boolean {
  const isFirstLook = (memory.owners.get(owner)?.completeTick ?? null) === null
  return isFirstLook && !memory.sight.has(feed) && !memory.dark.has(feed)
}

/** Of those that are seen again, who need not be looked after any more: everybody who was told of them hears it now. */
export function unwantedNow(memory: Memory, seen: readonly FeedKey[], told: readonly Effect[]): Effect[] {
  return seen.flatMap((feed): Effect[] => {
    const hears = told.filter((effect) => effect.is === 'feed-gone' && effect.feed === feed)
    return hears.length >= memory.told.of(feed).size ? [{ is: 'unwanted', feed }] : []
  })
}
