import type { Clock } from '../clock.ts'
import { feedOf } from '../feed.ts'
import { ownerOf } from '../guard.ts'
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
  /** Of whom a position is missing. */
  const incomplete = new Set<Owner>()

  function note(effect: Effect): void {
    if (effect.is === 'watch') changed.add(effect.watch.owner)
    else if (effect.is === 'unwatch' || effect.is === 'owner-gone') {
      changed.add(effect.owner)
      incomplete.delete(effect.owner)
    } else if (effect.is === 'judged' || effect.is === 'forgotten') {
      const owner = ownerOf(effect.guard)
      if (owner !== null) changed.add(owner)
    } else if (effect.is === 'view') {
      const { owner } = effect.view
      changed.add(owner)
      if (missing(effect.view).length > 0) incomplete.add(owner)
      else incomplete.delete(owner)
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
      let sawPrices = false
      for (const effect of learned) {
        note(effect)
        if (effect.is === 'seen' && !sawPrices) sawPrices = !('owner' in feedOf(effect.feed))
      }
      for (const { effects } of decisions) for (const effect of effects) note(effect)
      // The price that did it may have come.
      if (sawPrices) for (const owner of incomplete) changed.add(owner)
    },
  }
}
