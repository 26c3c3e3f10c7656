import { toNumber } from '../amount.ts'
import type { Owner } from '../owner.ts'
import { distance, side } from '../position.ts'
import type { OwnerDemand, OwnerDistance } from '../reading.ts'
import { nearDanger, priceOf } from './memory.ts'
import type { Memory } from './memory.ts'
import { missingSince } from './owner-view.ts'

/** A missing position is confirmed without a market reading after this. */
const CONFIRM_WITHOUT_MARKET_MS = 10_000

/** The watched owners, and how soon each should be read. */
export function demandOf(memory: Memory, tick: number): OwnerDemand[] {
  return [...memory.watches.groups()].map((owner) => {
    const view = memory.owners.get(owner)
    const missing = view ? missingSince(view) : null
    // The second look waits for a market reading after the first, so that the price that did it is known.
    const marketSince = missing !== null && (memory.marketsAt?.tick ?? -Infinity) > missing
    const confirm = missing !== null && (marketSince || tick - missing > CONFIRM_WITHOUT_MARKET_MS)
    return { owner, nearDanger: nearDanger(memory, owner), confirm }
  })
}

/** One that is warned of for another reason than its distance is at least as near as this. */
const WARNED = 0.1

/** How far each of the watched owners is from its nearest liquidation. */
export function distancesOf(memory: Memory): OwnerDistance[] {
  return [...memory.watches.groups()].map((owner) => ({
    owner,
    distance: Math.min(nearest(memory, owner), nearDanger(memory, owner) ? WARNED : Infinity),
  }))
}

function nearest(memory: Memory, owner: Owner): number {
  const held = [...(memory.owners.get(owner)?.held.values() ?? [])]
  return held.reduce((least, { position, price: seen }) => {
    const price = priceOf(memory, position.marketId) ?? seen
    if (price === null || position.liquidationPrice === null) return least
    return Math.min(least, distance(side(position), price, toNumber(position.liquidationPrice)))
  }, Infinity)
}

/** The markets that somebody holds or has a rule on. */
export function neededMarkets(memory: Memory): string[] {
  const all = new Set([...memory.holders.groups(), ...memory.rulesOn.groups()])
  return [...all].filter((marketId) => marketId !== null)
}
