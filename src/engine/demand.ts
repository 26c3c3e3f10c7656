import type { Owner } from '../owner.ts'
import type { OwnerDemand } from '../reading.ts'
import { endedSince } from './evidence.ts'
import { nearDanger, priceOf } from './memory.ts'
import type { Memory } from './memory.ts'
import { missing } from './owner-view.ts'
import type { OwnerView } from './owner-view.ts'

/** A missing position is confirmed without a market reading after this. */
const CONFIRM_WITHOUT_MARKET_MS = 10_000

/** How soon a watched owner should be read. */
export function demandOf(memory: Memory, owner: Owner, tick: number): OwnerDemand {
  const view = memory.owners.lacks(owner) ? memory.owners.get(owner) : undefined
  const wait = view ? waitsUntil(memory, view, tick) : null
  const confirm = wait !== null && wait <= tick
  return {
    owner,
    nearDanger: nearDanger(memory, owner),
    confirm,
    endedSince: confirm && view ? endedSince(view) : null,
    againTick: confirm ? null : wait,
    rememberedDistance: rememberedDistance(memory, owner),
  }
}

/** Of one that was not read in this run, or since its last stop: nothing where it is warned of. */
export function rememberedDistance(memory: Memory, owner: Owner): number {
  const view = memory.owners.get(owner)
  if (!view || view.tick > memory.ranTick) return Infinity
  const isWarned = [...memory.guardsOf.of(owner).keys()].some((key) => memory.states.has(key))
  return isWarned ? 0 : Math.max(nearest(memory, owner), 0)
}

/** Markets that somebody is in or has a rule for. */
export function neededMarkets({ holders, rulesOn }: Memory): string[] {
  const all = new Set([...holders.groups(), ...rulesOn.groups()])
  return [...all].filter((marketId) => marketId !== null)
}

/**
 * The second look waits for a reading of each market after the first, so that the price that did it is known. Null when
 * nothing is missing.
 */
function waitsUntil({ markets }: Memory, view: OwnerView, tick: number): number | null {
  const all = missing(view).map(({ position, missingSince }) => {
    const isPriced = (markets.get(position.marketId)?.tick ?? -Infinity) > missingSince
    return isPriced ? tick : missingSince + CONFIRM_WITHOUT_MARKET_MS + 1
  })
  return all.length > 0 ? Math.max(...all) : null
}

/** One that is warned of for another reason than its distance is at least as near as this. */
const WARNED = 0.1

/** How far an owner is from its nearest liquidation. */
export function distanceOf(memory: Memory, owner: Owner): number {
  return Math.min(nearest(memory, owner), nearDanger(memory, owner) ? WARNED : Infinity)
}

function nearest(memory: Memory, owner: Owner): number {
  return memory.owners.nearest(owner, (marketId) => priceOf(memory, marketId))
}
