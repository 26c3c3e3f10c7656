import { feedOf, marginFeed } from '../feed.ts'
import type { FeedKey } from '../feed.ts'
import type { Owner } from '../owner.ts'
import { missed } from './account-feeds.ts'
import { figuresOf, poolOf, sharing } from './accounts.ts'
import type { Seen } from './accounts.ts'
import type { Effect } from './effect.ts'
import { rulesOverOwner } from './guards.ts'
import type { Memory } from './memory.ts'
import type { OwnerView } from './owner-view.ts'

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
