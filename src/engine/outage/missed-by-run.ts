import type { Clock } from '../../runtime/clock.ts'
import { type FeedKey, MARKETS } from '../../venue/source.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { wallAt } from '../monitors/context.ts'

/** What this run has not seen though it looked: somebody may restart us for ever, and no start begins the patience anew. */
interface Missed {
  begin(): void
  /** Whether the next run is to know of anything among these: a feed fails that this one has not seen yet. */
  notes(effects: readonly Effect[]): boolean
  /** What it is to know. */
  taken(): Effect[]
}

export function createMissed(memory: Memory, clock: Clock): Missed {
  let begunTick = 0
  const feeds = new Set<FeedKey>()
  // Of orders nothing is known but that they fail.
  const isMissing = (feed: FeedKey) =>
    feed.startsWith('orders/')
      ? memory.trouble.has(feed)
      : (memory.sight.get(feed)?.tick ?? Infinity) <= begunTick
  const isNews = (feed: FeedKey) => isMissing(feed) && !memory.dark.has(feed)
  return {
    begin() {
      begunTick = clock.tick()
      // Prices are missed whether or not anybody has looked.
      feeds.add(MARKETS)
    },
    notes(effects) {
      const news = effects.flatMap((effect) =>
        effect.is === 'trouble' && isNews(effect.feed) ? [effect.feed] : [],
      )
      for (const feed of news) feeds.add(feed)
      return news.length > 0
    },
    taken() {
      const present = { now: clock.now(), tick: clock.tick() }
      const missed = [...feeds].filter(isNews)
      feeds.clear()
      return missed.map((feed): Effect => {
        const sinceTick = memory.trouble.get(feed)?.sinceTick ?? begunTick
        return { is: 'dark', feed, since: wallAt(present, sinceTick) }
      })
    },
  }
}
