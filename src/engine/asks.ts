import type { Clock } from '../clock.ts'
import { feedOf } from '../feed.ts'
import { ownerOf } from '../guard.ts'
import { createGrouped } from '../lib/grouped.ts'
import type { Owner } from '../owner.ts'
import type { Readings } from '../reading.ts'
import { demandOf, distancesOf, neededMarkets } from './demand.ts'
import type { Effect } from './effect.ts'
import type { Memory } from './memory.ts'
import { missing } from './owner-view.ts'
import type { Turn } from './turn.ts'

interface Asks extends Pick<Readings, 'demandOf' | 'changed' | 'distances' | 'needed'> {
  /** Notes whose reads are due at another time because of this turn. */
  after(turn: Turn): void
}

/** What the engine wants of whoever reads the venue. */
export function createAsks(memory: Memory, clock: Clock): Asks {
  /** With a start, everybody. */
  let changed = new Set<Owner>(memory.watches.groups())
  /** By market, of whom a position there is missing; and the other way round. */
  const missingIn = createGrouped<string, Owner, true>()
  const incomplete = createGrouped<Owner, string, true>()

  function complete(owner: Owner): void {
    for (const marketId of incomplete.of(owner).keys()) missingIn.drop(marketId, owner)
    incomplete.dropGroup(owner)
  }

  function note(effect: Effect): void {
    if (effect.is === 'watch') changed.add(effect.watch.owner)
    else if (effect.is === 'unwatch' || effect.is === 'owner-gone') {
      changed.add(effect.owner)
      complete(effect.owner)
    } else if (effect.is === 'judged' || effect.is === 'forgotten') {
      const owner = ownerOf(effect.guard)
      if (owner !== null) changed.add(owner)
    } else if (effect.is === 'view') {
      const { owner } = effect.view
      changed.add(owner)
      complete(owner)
      for (const { position } of missing(effect.view)) {
        missingIn.put(position.marketId, owner, true)
        incomplete.put(owner, position.marketId, true)
      }
    }
  }

  return {
    demandOf: (owner) => (memory.watches.of(owner).size === 0 ? null : demandOf(memory, owner, clock.tick())),
    changed() {
      const all = [...changed]
      changed = new Set()
      return all
    },
    distances: () => distancesOf(memory),
    needed: () => neededMarkets(memory),
    after({ learned, decisions }) {
      for (const effect of learned) note(effect)
      for (const { effects } of decisions) for (const effect of effects) note(effect)
      if (missingIn.size === 0) return
      // The price that did it may have come.
      for (const effect of learned) {
        const feed = effect.is === 'seen' ? feedOf(effect.feed) : null
        if (feed?.is === 'market') for (const owner of missingIn.of(feed.marketId).keys()) changed.add(owner)
      }
    },
  }
}
