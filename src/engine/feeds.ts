import { feedKey, feedOf, MARKETS } from '../feed.ts'
import type { Feed, FeedKey } from '../feed.ts'
import { ownerOf } from '../guard.ts'
import type { Owner } from '../owner.ts'
import { marketIn } from '../subject.ts'
import { goBlind } from './blind.ts'
import type { Effect } from './effect.ts'
import { MARKETS_DARK_MS } from './look.ts'
import { nearDanger } from './memory.ts'
import type { Memory } from './memory.ts'
import type { Turn } from './turn.ts'

/** How long a wallet may be dark before people are told, beyond the time in which it was due anyway. */
const NEAR_OWNER_DARK_MS = 30_000
const FAR_OWNER_DARK_MS = 180_000

/**
 * The part of its patience after which a wallet that fails is told with another one: in one outage each was last read
 * at some other time.
 */
const NEARLY = 0.7

export interface PollPeriods {
  marketPollMs: number
  ownerPollMinMs: number
  ownerPollMaxMs: number
}

/** How old the last whole look at a feed may be. */
export function patienceMs(memory: Memory, feed: Feed, periods: PollPeriods): number {
  if (feed.is !== 'owner') return periods.marketPollMs + MARKETS_DARK_MS
  return nearDanger(memory, feed.owner)
    ? periods.ownerPollMinMs + NEAR_OWNER_DARK_MS
    : periods.ownerPollMaxMs + FAR_OWNER_DARK_MS
}

/** From now on this should be seen; it is blind when it is not for too long. */
export function want(memory: Memory, feed: FeedKey, now: { at: number; tick: number }): Effect[] {
  return memory.sight.has(feed) ? [] : [{ is: 'seen', feed, ...now }]
}

/** What was dark for longer than this run, and is seen or of no interest now. */
export function lit(memory: Memory, learned: readonly Effect[]): Effect[] {
  return learned.flatMap((effect): Effect[] =>
    (effect.is === 'seen' || effect.is === 'unwanted') && memory.dark.has(effect.feed)
      ? [{ is: 'dark-gone', feed: effect.feed }]
      : [],
  )
}

/** When a feed is to be looked after: a function of the present. Null when nobody's rules rest on it. */
export function lookAfter(memory: Memory, feed: FeedKey, periods: PollPeriods): number | null {
  const seen = memory.sight.get(feed)
  if (!seen || !wanted(memory, feedOf(feed))) return null
  return seen.tick + patienceMs(memory, feedOf(feed), periods)
}

/** The feeds of which an effect changes when they are to be looked after. */
export function feedsOf(effect: Effect): FeedKey[] {
  const market = (marketId: string | null) => (marketId === null ? [] : [feedKey({ is: 'market', marketId })])
  const owner = (of: Owner | null) => (of === null ? [] : [feedKey({ is: 'owner', owner: of })])
  if (effect.is === 'seen' || effect.is === 'unwanted') return [effect.feed]
  if (effect.is === 'watch') return owner(effect.watch.owner)
  if (effect.is === 'rule') return market(effect.rule.market?.id ?? null)
  if (effect.is === 'judged' || effect.is === 'waits' || effect.is === 'forgotten') {
    // A market may be listed no more before its next reading: from the first guard on it is looked after.
    return [...owner(ownerOf(effect.guard)), ...market(marketIn(effect.guard.subject))]
  }
  if (effect.is !== 'view') return []
  return [...effect.view.held.values()].flatMap(({ position }) => market(position.marketId))
}

/** A feed that is overdue: what there is to say, also to those whom it could not be told before. */
export function overdue(
  memory: Memory,
  feed: FeedKey,
  periods: PollPeriods,
  now: { at: number; tick: number },
): Turn {
  const due = lookAfter(memory, feed, periods)
  if (due === null) return { learned: [{ is: 'unwanted', feed }], decisions: [] }
  if (now.tick < due || hidden(memory, feed, periods, now.tick)) return { learned: [], decisions: [] }
  const absent = feedOf(feed).is === 'market' ? 'the venue does not list it' : 'no answer'
  return goBlind(memory, feed, memory.trouble.get(feed) ?? absent, now.at)
}

/** Wallets that fail as well and would be told soon: those of one outage are told together. */
export function failingToo(memory: Memory, periods: PollPeriods, now: { at: number; tick: number }): Turn[] {
  if (memory.blind.has(MARKETS)) return []
  return [...memory.trouble].flatMap(([feed, why]) => {
    const seen = memory.sight.get(feed)
    if (feedOf(feed).is !== 'owner' || !seen || memory.blind.has(feed)) return []
    const dark = (now.tick - seen.tick) / patienceMs(memory, feedOf(feed), periods)
    return dark >= NEARLY && dark < 1 ? [goBlind(memory, feed, why, now.at)] : []
  })
}

/** A feed is wanted while somebody's rules rest on it. */
function wanted(memory: Memory, feed: Feed): boolean {
  if (feed.is === 'markets') return true
  if (feed.is === 'owner') return memory.watches.of(feed.owner).size > 0
  const { watchlist, holders, rulesOn } = memory
  const { marketId } = feed
  return watchlist.watches(marketId) || holders.of(marketId).size > 0 || rulesOn.of(marketId).size > 0
}

/** One outage of the venue is one message: while it lasts, nothing is said of what depends on it. */
function hidden(memory: Memory, feed: FeedKey, periods: PollPeriods, tick: number): boolean {
  if (feed === MARKETS) return false
  if (memory.blind.has(MARKETS)) return true
  if (feedOf(feed).is !== 'market') return false
  const marketsTick = memory.sight.get(MARKETS)?.tick ?? -Infinity
  // A market is missing from the list only if a newer list was there to miss it from.
  const seenTick = memory.sight.get(feed)?.tick ?? tick
  return tick - marketsTick > 2 * periods.marketPollMs || marketsTick <= seenTick
}
