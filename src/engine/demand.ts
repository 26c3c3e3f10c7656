import type { OwnerDemand } from '../reading.ts'
import { endedSince } from './evidence.ts'
import { nearDanger } from './memory.ts'
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
    const since = confirm && view ? endedSince(view) : null
    return { owner, nearDanger: nearDanger(memory, owner), confirm, endedSince: since }
  })
}
