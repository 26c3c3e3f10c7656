import type { Kind } from '../alert.ts'
import { findKind } from '../alert.ts'
import type { Clock } from '../clock.ts'
import { feedOf } from '../feed.ts'
import { ownerOf } from '../guard.ts'
import { createGrouped } from '../lib/grouped.ts'
import type { Owner } from '../owner.ts'
import type { Readings } from '../reading.ts'
import { demandOf, neededMarkets } from './demand.ts'
import { createDistances } from './distances.ts'
import type { Effect } from './effect.ts'
import type { Memory } from './memory.ts'
import { ownersOfRule } from './guards.ts'
import { missing } from './owner-view.ts'
import type { Turn } from './turn.ts'

interface Asks extends Pick<Readings, 'demandOf' | 'changed' | 'nearest' | 'needed' | 'readers' | 'awaited'> {
  /** Notes whose reads are due at another time because of this turn. */
  after(turn: Turn): void
}

/** What changes of whom rules speak. */
const SCOPES: ReadonlySet<Effect['is']> = new Set([
  ...(['rule', 'rule-gone', 'watch', 'unwatch', 'owner-gone'] as const),
  ...(['chat', 'chat-gone', 'person-gone'] as const),
])

/** What the engine wants of whoever reads the venue. */
export function createAsks(memory: Memory, kinds: readonly Kind[], clock: Clock): Asks {
  /** With a start, everybody. */
  let changed = new Set<Owner>(memory.watches.groups())
  /** By market, of whom a position there is missing; and the other way round. */
  const missingIn = createGrouped<string, Owner, true>()
  const incomplete = createGrouped<Owner, string, true>()
  const distances = createDistances(memory)
  let readers: Owner[] | null = null

  function complete(owner: Owner): void {
    for (const marketId of incomplete.of(owner).keys()) missingIn.drop(marketId, owner)
    incomplete.dropGroup(owner)
  }

  function note(effect: Effect): void {
    if (SCOPES.has(effect.is)) readers = null
    if (effect.is === 'watch') {
      changed.add(effect.watch.owner)
      distances.moved(effect.watch.owner)
    } else if (effect.is === 'unwatch' || effect.is === 'owner-gone') {
      changed.add(effect.owner)
      distances.moved(effect.owner)
      complete(effect.owner)
    } else if (effect.is === 'judged' || effect.is === 'forgotten') {
      const owner = ownerOf(effect.guard)
      if (owner !== null) changed.add(owner)
    } else if (effect.is === 'same') changed.add(effect.reading.owner)
    else if (effect.is === 'view') {
      const { owner } = effect.view
      changed.add(owner)
      distances.moved(owner)
      complete(owner)
      for (const { position } of missing(effect.view)) {
        missingIn.put(position.marketId, owner, true)
        incomplete.put(owner, position.marketId, true)
      }
    }
  }

  return {
    demandOf: (owner) => (!memory.watches.has(owner) ? null : demandOf(memory, owner, clock.tick())),
    changed() {
      const all = [...changed]
      changed = new Set()
      return all
    },
    nearest: distances.nearest,
    needed: () => neededMarkets(memory),
    readers() {
      if (readers !== null) return readers
      const rules = [...memory.rules.values()].filter(({ kind }) => memory.onOrders.has(kind))
      const owners = new Set(rules.flatMap((rule) => ownersOfRule(memory, rule)))
      return (readers = [...owners].filter((owner) => memory.watches.has(owner)))
    },
    awaited: (owner) =>
      [...memory.guardsOf.of(owner)].flatMap(([key, guard]) => {
        const kind = findKind(kinds, guard.kind)
        const memo = memory.memos.get(key)
        return kind?.is === 'event' && memo !== undefined ? kind.awaits(memo) : []
      }),
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
