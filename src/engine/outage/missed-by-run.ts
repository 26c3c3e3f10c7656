import type { Clock } from '../../runtime/clock.ts'
import { marketsSource, type SourceKey } from '../../venue/source.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { wallAt } from '../monitors/context.ts'

/**
 * The sources that this run tried and has not seen. Somebody may restart us for ever, and no start begins the
 * patience anew.
 */
interface Missed {
  /** `mono`: the start. Sources that this run has not seen count as last seen then, to the last digit. */
  begin(mono: number): void
  /** Whether the next run is to know of any of these: a source fails that this run has not seen yet. */
  notes(effects: readonly Effect[]): boolean
  /** Takes out the rows that tell the next run. */
  taken(): Effect[]
}

export function createMissed(drawers: Pick<Memory, 'sources' | 'wallets'>, clock: Clock): Missed {
  let begunMono = 0
  const sources = new Set<SourceKey>()
  // Only failures of orders are known, no successes.
  const isMissing = (source: SourceKey) =>
    source.startsWith('orders/') || source.startsWith('twaps/')
      ? drawers.sources.lastFailure.has(source)
      : (drawers.sources.lastSuccess.get(source)?.mono ?? Infinity) <= begunMono
  const isNews = (source: SourceKey) => isMissing(source) && !drawers.sources.failingSince.has(source)
  return {
    begin(mono) {
      begunMono = mono
      // Prices are missed whether or not anybody has looked.
      for (const venue of drawers.wallets.views.venues) sources.add(marketsSource(venue))
    },
    notes(effects) {
      const news = effects.flatMap((effect) =>
        effect.is === 'trouble' && isNews(effect.source) ? [effect.source] : [],
      )
      for (const source of news) sources.add(source)
      return news.length > 0
    },
    taken() {
      const present = { now: clock.now(), mono: clock.monotonic() }
      const missed = [...sources].filter(isNews)
      sources.clear()
      return missed.map((source): Effect => {
        const sinceMono = drawers.sources.lastFailure.get(source)?.sinceMono ?? begunMono
        return { is: 'dark', source, since: wallAt(present, sinceMono) }
      })
    },
  }
}
