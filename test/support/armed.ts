import { type GuardKey, guardOf } from '../../src/alert/monitor.ts'
import type { Memory } from '../../src/engine/memory/memory.ts'

/** Whether any figures of its market could change what was judged of the guard. */
export function isArmed({ watchlist, guards }: Memory, key: GuardKey): boolean {
  return watchlist.armed(guards.slotOf(guardOf(key)))
}

/** The guards that these figures of a market would have judged anew. */
export function crossedBy(
  { watchlist, guards }: Memory,
  marketId: string,
  figures: { price: number; fundingRate: number },
): GuardKey[] {
  return watchlist.crossed(marketId, figures).map(guards.keyAt)
}
