import { accountFeed, type FeedKey, feedKey, feedOf, marginFeed } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import { figuresOf, poolOf, type Seen, sharing } from '../memory/accounts.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { OwnerView } from '../memory/wallet-view.ts'
import { rulesOverOwner } from '../monitors/monitors.ts'

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
function missed(
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

/** What comes without being asked for may lack figures that the next read has. */
const UNASKED_MS = 60_000

/** Chats that are to be warned of the margin of a wallet. */
export function hearersOfMargin(memory: Memory, owner: Owner): Set<number> {
  const rules = rulesOverOwner(memory, owner).filter(({ kind }) => memory.onAccounts.has(kind))
  return new Set(rules.map(({ chatId }) => chatId))
}

/** By the name of what covers them: when the ratio of positions that share their margin was last known. */
export function marginsOf(view: OwnerView): Map<string, Seen | null> {
  const read = sharing(view).filter(({ position }) => !view.unread.has(position.accountId))
  return new Map(
    read.map(({ position: { accountId } }) => {
      const pool = poolOf(view, accountId)
      return [pool ?? accountId, pool === null ? null : (figuresOf(view, pool)?.known ?? null)]
    }),
  )
}

/** Of an answer whose positions can be relied on: which ratios beside them are missing, and which are there again. */
export function marginFeedsOf(
  memory: Memory,
  view: OwnerView,
  inPassing: boolean,
): { seen: FeedKey[]; learned: Effect[] } {
  const { owner, at, tick } = view
  const isHeard = hearersOfMargin(memory, owner).size > 0
  const missing = [...(isHeard ? marginsOf(view) : [])].flatMap(([pool, known]) => {
    const feed = marginFeed(owner, pool)
    const isLate = !inPassing || memory.sight.has(feed) || tick - (known?.tick ?? -Infinity) >= UNASKED_MS
    return known?.tick !== tick && isLate ? [{ feed, known }] : []
  })
  const failing = missing.flatMap(({ feed, known }): Effect[] => [
    ...missed(memory, view, feed, known),
    // Looks have failed since the last one that had it.
    { is: 'trouble', feed, why: 'the venue does not say it', tick: known?.tick ?? tick },
  ])
  const seen = [...memory.accountFeeds.of(owner).keys()].filter(
    (feed) => feedOf(feed).is === 'margin' && !missing.some((one) => one.feed === feed),
  )
  return { seen, learned: [...failing, ...seen.map((feed): Effect => ({ is: 'seen', feed, at, tick }))] }
}
