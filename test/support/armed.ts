import { type MonitorKey, monitorOf } from '../../src/alert/monitor.ts'
import type { Memory } from '../../src/engine/memory/memory.ts'

/** Whether any figures of its market could change what was judged of the guard. */
export function isArmed({ monitors: { thresholdIndex, index: monitors } }: Memory, key: MonitorKey): boolean {
  return thresholdIndex.armed(monitors.slotOf(monitorOf(key)))
}

/** The guards that these figures of a market would have judged anew. */
export function crossedBy(
  { monitors: { thresholdIndex, index: monitors } }: Memory,
  marketId: string,
  figures: { price: number; fundingRate: number },
): MonitorKey[] {
  return thresholdIndex.crossed(marketId, figures).map(monitors.keyAt)
}
