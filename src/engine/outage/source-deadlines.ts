import type { Clock } from '../../runtime/clock.ts'
import { type FeedKey, feedKey, MARKETS } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Deadlines } from '../memory/deadlines.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Turn } from '../monitors/turn.ts'
import { createUntold } from './pending-notices.ts'
import { isUnanswered, lookAfter, NEAR_OWNER_DARK_MS, overdue, type PollPeriods } from './sources.ts'

/** When very many are to be looked after, others have their turn between so many of them. */
const AT_ONCE = 500

/** When feeds are looked after. One of which nobody has yet to hear costs nothing until it is seen. */
interface FeedDeadlines {
  /** Sets the deadline of a feed, never earlier than `notBefore`. */
  arm(feed: FeedKey, notBefore?: number): void
  after(effects: readonly Effect[]): void
  /** What there is to say of these; `hopes` are those that are waited for a while longer. */
  due(feeds: readonly FeedKey[], hopes: (feed: FeedKey) => boolean): Turn
  /** The venue is seen again: some of what was not looked after meanwhile is. */
  rest(): void
  /** No wallet is answered for: some of those that were not tried are looked after as well. */
  wallets(): void
}

export function createFeedDeadlines(world: {
  memory: Memory
  deadlines: Deadlines
  clock: Clock
  periods: PollPeriods
}): FeedDeadlines {
  const { memory, deadlines, clock, periods } = world
  const untold = createUntold(memory)
  /** While the venue is dark nothing is said of what depends on it: that waits here for its return. */
  const parked = new Set<FeedKey>()
  let walk: Iterator<Owner> | null = null
  /** Since when wallets went unanswered, the last time that all of them were gone through because of it. */
  let walkedSince: number | null = null

  function arm(feed: FeedKey, notBefore = clock.tick()): void {
    if (feed !== MARKETS && memory.blind.has(MARKETS)) {
      parked.add(feed)
      return deadlines.clear({ is: 'feed', feed })
    }
    const at = lookAfter(memory, feed, periods)
    if (at === null || untold.isSettled(feed)) deadlines.clear({ is: 'feed', feed })
    else deadlines.set({ is: 'feed', feed }, Math.max(at, notBefore))
  }

  function unanswered(): void {
    const sinceTick = isUnanswered(memory) ? (memory.unanswered?.sinceTick ?? null) : null
    if (sinceTick === null || sinceTick === walkedSince) return
    walkedSince = sinceTick
    walk = memory.watches.groups()
    deadlines.set({ is: 'wallets' }, sinceTick + NEAR_OWNER_DARK_MS)
  }

  return {
    arm,
    after(effects) {
      for (const effect of effects) {
        for (const feed of untold.note(effect)) arm(feed)
        if (effect.is === 'sighted' && effect.feed === MARKETS) deadlines.set({ is: 'parked' }, clock.tick())
        if (effect.is === 'trouble') unanswered()
      }
    },
    due(feeds, hopes) {
      // While one is overdue it is looked after at every tick of the market: it may wait for the venue to be back.
      for (const feed of feeds) arm(feed, clock.tick() + periods.marketPollMs)
      return overdue(
        memory,
        feeds.filter((feed) => !hopes(feed) && !untold.isSettled(feed)),
        periods,
        { at: clock.now(), tick: clock.tick() },
        untold.among,
      )
    },
    rest() {
      let left = AT_ONCE
      for (const feed of parked) {
        if (memory.blind.has(MARKETS) || left-- === 0) break
        parked.delete(feed)
        arm(feed)
      }
      if (parked.size > 0 && !memory.blind.has(MARKETS)) deadlines.set({ is: 'parked' }, clock.tick())
    },
    wallets() {
      for (let left = AT_ONCE; left > 0; left--) {
        const next = isUnanswered(memory) ? walk?.next() : null
        if (!next || next.done) return void (walk = null)
        arm(feedKey({ is: 'owner', owner: next.value }))
      }
      deadlines.set({ is: 'wallets' }, clock.tick())
    },
  }
}
