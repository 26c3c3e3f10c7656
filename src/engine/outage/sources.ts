import { ownerOf } from '../../alert/monitor.ts'
import { marketIn } from '../../alert/subject-id.ts'
import { type Feed, type FeedKey, feedKey, feedOf, MARKETS } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import { answered } from '../evaluate/confirmation.ts'
import type { Effect } from '../memory/effect.ts'
import { type Memory, nearDanger } from '../memory/memory.ts'
import { isListed, MARKETS_DARK_MS } from '../monitors/context.ts'
import { hearersOfOrders } from '../monitors/subject-inputs.ts'
import type { Turn } from '../monitors/turn.ts'
import { hearersOfMargin, marginsOf } from './account-sources.ts'
import { concerned } from './audience.ts'
import { ownersIn } from './last-known.ts'
import { asOne, goBlind, type Lost } from './outage-notices.ts'
import { isWallet } from './outage.ts'

/** How long a wallet may fail before people are told, from the first look on that failed when it was due. */
export const NEAR_OWNER_DARK_MS = 30_000
const FAR_OWNER_DARK_MS = 180_000

/**
 * The part of its patience after which a wallet that fails is told with another one: in one outage each was last read
 * at some other time.
 */
const NEARLY = 0.7

/** How many times its patience a book is waited for of which nothing fails: it has its turn after others. */
const TURNS = 3

export interface PollPeriods {
  marketPollMs: number
  ownerPollMinMs: number
  ownerPollMaxMs: number
}

/** How old the last whole look at a feed may be where it is looked at when it is due. */
export function patienceMs(memory: Memory, feed: Feed, periods: PollPeriods): number {
  const { everyMs, darkMs } = patience(memory, feed, periods)
  return everyMs + darkMs
}

function patience(memory: Memory, feed: Feed, periods: PollPeriods): { everyMs: number; darkMs: number } {
  if (!('owner' in feed)) return { everyMs: periods.marketPollMs, darkMs: MARKETS_DARK_MS }
  if (feed.is === 'orders') return { everyMs: 0, darkMs: FAR_OWNER_DARK_MS }
  return nearDanger(memory, feed.owner)
    ? { everyMs: periods.ownerPollMinMs, darkMs: NEAR_OWNER_DARK_MS }
    : { everyMs: periods.ownerPollMaxMs, darkMs: FAR_OWNER_DARK_MS }
}

/**
 * From when on a feed is dark. Prices are, whatever the reason, when they are too old. A wallet is when looks at it fail
 * for too long; null while nobody has looked in vain: it waits for its turn, and is slow.
 */
function darkAt(memory: Memory, key: FeedKey, periods: PollPeriods): number | null {
  const seen = memory.sight.get(key)
  if (!seen) return null
  const feed = feedOf(key)
  const { everyMs, darkMs } = patience(memory, feed, periods)
  const dueTick = seen.tick + everyMs
  if (!('owner' in feed) || memory.blind.has(key)) return dueTick + darkMs
  const sinceTick = failingSince(memory, key, feed)
  // While the venue was dark everybody knew that: a wallet is blind when looks at it go on failing after its return.
  const backTick = memory.returned.get(MARKETS) ?? -Infinity
  return sinceTick === null ? null : Math.max(dueTick, sinceTick, backTick) + darkMs
}

/** So many looks in a row at wallets, each at another one, are no matter of those alone. */
const MANY = 8

/** Whether the venue answers for no wallet: then those that wait for their turn are not seen either. */
export function isUnanswered({ unanswered }: Memory): boolean {
  return unanswered !== null && unanswered.feeds.size >= MANY
}

/** Since when looks at it fail, or would: a look takes seconds where nothing is answered, and there are very many. */
function failingSince(memory: Memory, key: FeedKey, feed: Feed): number | null {
  const own = memory.trouble.get(key)?.sinceTick ?? Infinity
  const whole = feed.is === 'owner' && isUnanswered(memory) ? memory.unanswered?.sinceTick : undefined
  const sinceTick = Math.min(own, whole ?? Infinity)
  return Number.isFinite(sinceTick) ? sinceTick : null
}

/** From now on this should be seen; it is blind when it is not for too long. */
export function want(memory: Memory, feed: FeedKey, now: { at: number; tick: number }): Effect[] {
  return memory.sight.has(feed) ? [] : [{ is: 'seen', feed, ...now }]
}

/** What was dark for longer than this run, and is seen or of no interest now. */
export function lit(memory: Memory, learned: readonly Effect[]): Effect[] {
  return learned.flatMap((effect): Effect[] => {
    if (effect.is !== 'seen' && effect.is !== 'unwanted') return []
    const since = memory.dark.get(effect.feed)
    // That it is wanted since then is no sight of it.
    const isLit = since !== undefined && (effect.is === 'unwanted' || effect.at !== since)
    return isLit ? [{ is: 'dark-gone', feed: effect.feed }] : []
  })
}

/** When a feed is to be looked after: a function of the present. Null when nobody's rules rest on it, or nothing fails. */
export function lookAfter(memory: Memory, feed: FeedKey, periods: PollPeriods): number | null {
  return wanted(memory, feedOf(feed)) ? darkAt(memory, feed, periods) : null
}

/** The feeds of which an effect changes when they are to be looked after. */
export function feedsOf(effect: Effect): FeedKey[] {
  const market = (marketId: string | null) => (marketId === null ? [] : [feedKey({ is: 'market', marketId })])
  const owner = (of: Owner | null) => (of === null ? [] : [feedKey({ is: 'owner', owner: of })])
  if (effect.is === 'seen' || effect.is === 'unwanted' || effect.is === 'trouble') return [effect.feed]
  if (effect.is === 'watch') return owner(effect.watch.owner)
  if (effect.is === 'rule') return market(effect.rule.market?.id ?? null)
  if (effect.is === 'judged' || effect.is === 'waits' || effect.is === 'forgotten') {
    // A market may be listed no more before its next reading: from the first guard on it is looked after.
    return [...owner(ownerOf(effect.guard)), ...market(marketIn(effect.guard.subject))]
  }
  if (effect.is !== 'view') return []
  const held = () => [...effect.view.held.values()].map(({ position }) => position.marketId)
  return (effect.entered ?? held()).flatMap(market)
}

/** Feeds that are overdue: what there is to say, also to those whom it could not be told before. */
export function overdue(
  memory: Memory,
  feeds: readonly FeedKey[],
  periods: PollPeriods,
  now: { at: number; tick: number },
  /** The only chats that may have yet to hear of a feed; null where it may be any. */
  among: (feed: FeedKey) => number[] | null = () => null,
): Turn {
  const unwanted = feeds.filter((feed) => !wanted(memory, feedOf(feed)))
  const dark = feeds.filter((feed) => {
    const at = lookAfter(memory, feed, periods)
    return at !== null && now.tick >= at && !hidden(memory, feed, periods, now)
  })
  const lost = [
    ...asOne(memory, dark),
    ...failingToo(memory, periods, now, dark).map((one) => [one] as const),
  ]
  const learned = unwanted.map((feed): Effect => ({ is: 'unwanted', feed }))
  if (lost.length === 0) return { learned, decisions: [] }
  const told = goBlind(
    memory,
    lost.map((group): Lost => {
      const known = group.map(among)
      const some = known.every((chats) => chats !== null) ? { among: new Set(known.flat()) } : {}
      return { feeds: group, why: whyDark(memory, group[0]), ...some }
    }),
    now.at,
  )
  return { learned: [...learned, ...told.learned], decisions: [], reports: told.reports }
}

function whyDark({ trouble, unanswered }: Memory, feed: FeedKey): string {
  const { is } = feedOf(feed)
  const absent = is === 'market' ? 'the venue does not list it' : 'no answer'
  return trouble.get(feed)?.why ?? (is === 'owner' ? unanswered?.why : null) ?? absent
}

/** More wallets than this are not looked for in one outage: there are other turns. */
const MOST_TOO = 500

/** Wallets and accounts that fail as well and would be told soon in the same chats: those of one outage are told together. */
function failingToo(
  memory: Memory,
  periods: PollPeriods,
  now: { at: number; tick: number },
  dark: readonly FeedKey[],
): FeedKey[] {
  const lost = new Set(dark.filter((feed) => isWallet(feed) && !memory.blind.has(feed)))
  const known = lost.size
  const looked = new Set<number>()
  const owners = new Set<Owner>()
  for (const feed of lost) {
    for (const chatId of concerned(memory, feed)) {
      if (looked.has(chatId)) continue
      looked.add(chatId)
      for (const owner of ownersIn(memory, chatId)) {
        if (owners.has(owner)) continue
        owners.add(owner)
        for (const one of [feedKey({ is: 'owner', owner }), ...memory.accountFeeds.of(owner).keys()])
          if (!memory.blind.has(one) && isNearlyDark(memory, one, periods, now)) lost.add(one)
      }
    }
    if (lost.size > known + MOST_TOO) break
  }
  return [...lost].slice(known)
}

function isNearlyDark(memory: Memory, feed: FeedKey, periods: PollPeriods, now: { tick: number }): boolean {
  return darkness(memory, feed, periods, now.tick) >= NEARLY && !hidden(memory, feed, periods, now)
}

/** The part of its patience that is over. */
function darkness(memory: Memory, feed: FeedKey, periods: PollPeriods, tick: number): number {
  const at = darkAt(memory, feed, periods)
  return at === null ? 0 : 1 - (at - tick) / patienceMs(memory, feedOf(feed), periods)
}

/** A feed is wanted while somebody's rules rest on it. */
function wanted(memory: Memory, feed: Feed): boolean {
  if (feed.is === 'markets') return true
  if (feed.is === 'owner') return memory.watches.of(feed.owner).size > 0
  if (feed.is === 'account') {
    const doubted = memory.owners.get(feed.owner)?.unread.get(feed.accountId)
    return memory.watches.of(feed.owner).size > 0 && doubted?.holds === true
  }
  if (feed.is === 'margin') {
    const view = memory.owners.get(feed.owner)
    const isHeard = hearersOfMargin(memory, feed.owner).size > 0
    return isHeard && view !== undefined && marginsOf(view).has(feed.pool)
  }
  if (feed.is === 'orders') return hearersOfOrders(memory, feed.owner).size > 0
  const { watchlist, holders, rulesOn } = memory
  const { marketId } = feed
  return watchlist.watches(marketId) || holders.has(marketId) || rulesOn.of(marketId).size > 0
}

/** One outage is one message: while the venue is dark nothing is said of what depends on it, nor of a wallet's parts. */
function hidden(memory: Memory, feed: FeedKey, periods: PollPeriods, { tick }: { tick: number }): boolean {
  if (feed === MARKETS) return false
  if (memory.blind.has(MARKETS)) return true
  const of = feedOf(feed)
  if (of.is === 'account' || of.is === 'margin' || of.is === 'orders')
    return isDark(memory, feedKey({ is: 'owner', owner: of.owner }), periods, tick)
  return of.is === 'market' && !isMissed(memory, of.marketId, periods, tick)
}

/** Whether a wallet is blind, or fails and will be soon. */
function isDark(memory: Memory, wallet: FeedKey, periods: PollPeriods, tick: number): boolean {
  if (memory.blind.has(wallet)) return true
  return darkness(memory, wallet, periods, tick) >= NEARLY
}

/** A market is missing only if a newer list was there to miss it from: of its book, or of others for long enough. */
function isMissed(memory: Memory, marketId: string, periods: PollPeriods, tick: number): boolean {
  const seenTick = memory.sight.get(feedKey({ is: 'market', marketId }))?.tick ?? tick
  const listsTick = memory.sight.get(MARKETS)?.tick ?? -Infinity
  if (tick - listsTick > 2 * periods.marketPollMs || listsTick <= seenTick) return false
  const market = memory.markets.get(marketId)
  if (market === undefined || !isListed(memory, market)) return true
  // Its book has its turn, after others and when the venue is back; however often lists are late, that is no excuse for ever.
  const feed = { is: 'market', marketId } as const
  const patience = patienceMs(memory, feed, periods)
  const backTick = Math.max(seenTick, memory.returned.get(MARKETS) ?? -Infinity)
  const fails = memory.trouble.has(feedKey(feed)) && tick - memory.lists.sinceTick >= patience
  return fails || tick - backTick >= TURNS * patience
}

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

/** What the event stream hears of feeds that are lost or found by this turn. */
export function sightings(memory: Memory, { learned }: Turn, now: number) {
  return learned.flatMap((effect) => {
    if (effect.is === 'blind') return { is: 'blind', feed: effect.feed, why: effect.why } as const
    if (effect.is !== 'sighted') return []
    const blindMs = now - (memory.blind.get(effect.feed)?.since ?? now)
    return { is: 'sighted', feed: effect.feed, blindMs } as const
  })
}
