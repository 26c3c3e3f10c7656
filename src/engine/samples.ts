import type { Side } from '../position.ts'

/** Recent prices by market, oldest first: evidence of what happened between two readings of an owner. */
export interface Samples {
  add(marketId: string, sample: Sample): void
  /** The price nearest to liquidation since then: the lowest for a long, the highest for a short. */
  worstSince(marketId: string, side: Side, sinceTick: number): number | null
}

interface Sample {
  tick: number
  price: number
}

/** How long prices are kept as evidence. Longer than any OWNER_POLL_MAX_MS that makes sense. */
const KEEP_MS = 10 * 60_000
/** Old ones go in lots of this many: moving the rest costs more than holding them. */
const LOT = 64

export function createSamples(): Samples {
  const all = new Map<string, Sample[]>()
  return {
    add(marketId, sample) {
      const samples = all.get(marketId) ?? []
      samples.push(sample)
      const old = samples.findIndex(({ tick }) => tick >= sample.tick - KEEP_MS)
      if (old > LOT) samples.splice(0, old)
      all.set(marketId, samples)
    },
    worstSince(marketId, side, sinceTick) {
      let worst: number | null = null
      for (const { tick, price } of all.get(marketId) ?? []) {
        if (tick < sinceTick) continue
        if (worst === null || (side === 'long' ? price < worst : price > worst)) worst = price
      }
      return worst
    },
  }
}
