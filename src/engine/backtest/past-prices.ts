import { inOrder } from '../../lib/flow/in-order.ts'
import { type Clock, createYield } from '../../runtime/clock.ts'
import type { RecordingStore } from '../../store/store.ts'
import type { Memory } from '../memory/memory.ts'
import { MARKETS_OUTAGE_MS } from '../monitors/context.ts'
import { createArchive } from './archive.ts'

/** How far from a time its price may lie. Bars have one price in a quarter of a minute. */
const NEAR_MS = 120_000
/** How long the others wait for their turn while the record is read. */
const SLICE_MS = 2

/** Finds what a market cost at some time, by the record; null where nobody saw that. */
export function createPastPrices(world: {
  drawers: Pick<Memory, 'recording'>
  recording: Pick<RecordingStore, 'blocks'>
  clock: Clock
  marketPollMs: number
}): (marketId: string, at: number) => Promise<number | null> {
  const { drawers, recording, clock, marketPollMs } = world
  const staleMs = marketPollMs + MARKETS_OUTAGE_MS
  const archive = createArchive(recording, drawers.recording, { staleMs, holeMs: 2 * marketPollMs })
  const next = inOrder()

  async function find(marketId: string, at: number): Promise<number | null> {
    const span = { since: at - NEAR_MS, until: at + NEAR_MS }
    const { times, prices } = await archive.course(marketId, span, createYield(clock, SLICE_MS))
    let nearest: { price: number; apartMs: number } | null = null
    for (const [place, time] of times.entries()) {
      const apartMs = Math.abs(time - at)
      if (apartMs <= NEAR_MS && apartMs < (nearest?.apartMs ?? Infinity))
        nearest = { price: prices[place] ?? 0, apartMs }
    }
    return nearest?.price ?? null
  }

  return (marketId, at) => next('price', () => find(marketId, at))
}
