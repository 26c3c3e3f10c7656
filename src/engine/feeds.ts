import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import { goBlind, patienceMs, wanted } from './blind.ts'
import type { Pace } from './blind.ts'
import type { Deadlines } from './deadlines.ts'
import type { Outcome } from './judge.ts'
import type { Memory } from './memory.ts'

/** Watches that what rules rest on keeps being seen: each feed has a deadline that a whole reading moves on. */
export interface Feeds {
  /** From now on this should be seen; it is blind when it is not for too long. */
  want(feed: string): void
  sighted(feeds: readonly string[], reading: { at: number; tick: number }): void
  /** A feed's deadline: what there is to say. */
  due(feed: string): Outcome[]
}

export function createFeeds(world: {
  memory: Memory
  deadlines: Deadlines
  clock: Clock
  emit: Emit
  pace: Pace
}): Feeds {
  const { memory, deadlines, clock, emit, pace } = world

  /** One outage of the venue is one message: while it lasts, nothing is said of what depends on it. */
  function hidden(feed: string, seenTick: number, tick: number): boolean {
    if (feed === 'markets') return false
    const marketsTick = memory.sight.get('markets')?.tick ?? -Infinity
    // A market is missing from the list only if a newer list was there to miss it from.
    const overdue = tick - marketsTick > 2 * pace.marketPollMs || marketsTick <= seenTick
    return memory.feeds.has('markets') || (feed.startsWith('market/') && overdue)
  }
  return {
    want(feed) {
      if (memory.sight.has(feed)) return
      memory.sight.set(feed, { at: clock.now(), tick: clock.tick() })
      deadlines.set(feed, clock.tick() + patienceMs(memory, feed, pace))
    },
    sighted(feeds, { at, tick }) {
      for (const feed of feeds) {
        const before = memory.sight.get(feed)
        memory.sight.set(feed, { at, tick })
        memory.trouble.delete(feed)
        if (!wanted(memory, feed)) continue
        const patience = patienceMs(memory, feed, pace)
        deadlines.set(feed, tick + patience)
        const darkMs = before ? tick - before.tick : 0
        if (darkMs > patience) emit({ is: 'sighted', feed, blindMs: darkMs })
      }
    },
    due(feed) {
      if (!wanted(memory, feed)) {
        memory.sight.delete(feed)
        return []
      }
      const tick = clock.tick()
      const patience = patienceMs(memory, feed, pace)
      const seen = memory.sight.get(feed)?.tick ?? tick
      const told = memory.feeds.has(feed)
      const due = tick >= seen + patience && !hidden(feed, seen, tick) && !told
      deadlines.set(feed, tick >= seen + patience ? tick + pace.marketPollMs : seen + patience)
      if (!due) return []
      const why =
        memory.trouble.get(feed) ?? (feed.startsWith('market/') ? 'the venue does not list it' : 'no answer')
      memory.trouble.set(feed, why)
      emit({ is: 'blind', feed, why })
      const outcomes = goBlind(memory, feed, clock.now())
      // Nobody to tell: it is blind all the same.
      if (outcomes.length === 0) memory.feeds.set(feed, { since: clock.now(), why, chats: new Set() })
      return outcomes
    },
  }
}
