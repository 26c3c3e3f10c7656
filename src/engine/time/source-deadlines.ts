import type { Clock } from '../../runtime/clock.ts'
import { marketsSource, type SourceKey, sourceOf, walletSource } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Deadlines } from './deadlines.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { venueOfSource } from '../memory/sources.ts'
import type { Outcome } from '../monitors/turn.ts'
import { createPendingNotices } from '../outage/pending-notices.ts'
import {
  lookAfter,
  NEAR_WALLET_OUTAGE_MS,
  overdue,
  type PollPeriods,
  unansweredBy,
} from '../outage/sources.ts'

/** When very many are to be looked after, others have their turn between so many of them. */
const AT_ONCE = 500

/** Keeps the deadlines of sources. A source whose outage every chat knows costs nothing until it is seen. */
interface SourceDeadlines {
  /** Sets the deadline of a source, never earlier than `notBefore`. */
  arm(source: SourceKey, notBefore?: number): void
  after(effects: readonly Effect[]): void
  /** The reports on these sources; `hopes` tells which of them are waited for a while longer. */
  due(sources: readonly SourceKey[], hopes: (source: SourceKey) => boolean): Outcome
  /** The venue is seen again: arms some of the sources that waited for it. */
  rest(): void
  /** The venue answers for no wallet: checks some of the wallets that were not tried. */
  wallets(): void
}

export function createSourceDeadlines(world: {
  memory: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>
  deadlines: Deadlines
  clock: Clock
  periods: PollPeriods
}): SourceDeadlines {
  const { memory, deadlines, clock, periods } = world
  const untold = createPendingNotices(memory)
  /**
   * While the venue is dark nothing is told of the sources that depend on it: they wait here for its return.
   */
  const parked = new Set<SourceKey>()
  /** By venue that answers for no wallet: the wallets that are still to be gone through because of it. */
  const walks = new Map<string | undefined, Iterator<Wallet>>()
  /** By venue: since when wallets went unanswered, the last time that all of them were gone through because of it. */
  const walkedSince = new Map<string | undefined, number>()

  function isHidden(key: SourceKey): boolean {
    if (memory.sources.blind.size === 0) return false
    const source = sourceOf(key)
    if (source.is === 'markets') return false
    return memory.sources.blind.has(marketsSource(venueOfSource(source, memory.run.venues)))
  }

  function arm(source: SourceKey, notBefore = clock.monotonic()): void {
    if (isHidden(source)) {
      parked.add(source)
      return deadlines.clear({ is: 'source', source })
    }
    const at = lookAfter(memory, source, periods)
    if (at === null || untold.isSettled(source)) deadlines.clear({ is: 'source', source })
    else deadlines.set({ is: 'source', source }, Math.max(at, notBefore))
  }

  function unanswered(): void {
    for (const venue of memory.sources.walletOutages.keys()) {
      const sinceMono = unansweredBy(memory, venue)?.sinceMono ?? null
      if (sinceMono === null || sinceMono === walkedSince.get(venue)) continue
      walkedSince.set(venue, sinceMono)
      walks.set(venue, memory.rules.watches.groups())
      deadlines.set({ is: 'wallets' }, sinceMono + NEAR_WALLET_OUTAGE_MS)
    }
  }

  return {
    arm,
    after(effects) {
      for (const effect of effects) {
        for (const source of untold.note(effect)) arm(source)
        if (effect.is === 'recovered' && sourceOf(effect.source).is === 'markets')
          deadlines.set({ is: 'parked' }, clock.monotonic())
        if (effect.is === 'trouble') unanswered()
      }
    },
    due(sources, hopes) {
      // While one is overdue it is looked after at every tick of the market: it may wait for the venue to be back.
      for (const source of sources) arm(source, clock.monotonic() + periods.marketPollMs)
      return overdue(
        memory,
        sources.filter((source) => !hopes(source) && !untold.isSettled(source)),
        periods,
        { at: clock.now(), mono: clock.monotonic() },
        untold.among,
      )
    },
    rest() {
      let left = AT_ONCE
      for (const source of parked) {
        if (isHidden(source)) continue
        if (left-- === 0) return deadlines.set({ is: 'parked' }, clock.monotonic())
        parked.delete(source)
        arm(source)
      }
    },
    wallets() {
      let left = AT_ONCE
      for (const [venue, walk] of walks) {
        while (left-- > 0) {
          const next = unansweredBy(memory, venue) ? walk.next() : null
          if (!next || next.done) break
          arm(walletSource(next.value, venue))
        }
        if (left < 0) return deadlines.set({ is: 'wallets' }, clock.monotonic())
        walks.delete(venue)
      }
    },
  }
}
