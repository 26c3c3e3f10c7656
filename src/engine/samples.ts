import type { Side } from '../position.ts'

/** Prices by market: evidence of what happened between two readings of an owner, however long that took. */
export interface Samples {
  add(marketId: string, sample: Sample): void
  /** The price nearest to liquidation since then: the lowest for a long, the highest for a short. */
  worstSince(marketId: string, side: Side, sinceTick: number): number | null
}

interface Sample {
  tick: number
  price: number
}

/** Those that no later one has gone beyond, oldest first: the first of them since some time is the worst since then. */
interface Worst {
  long: Sample[]
  short: Sample[]
}

export function createSamples(): Samples {
  const all = new Map<string, Worst>()
  return {
    add(marketId, sample) {
      const { long, short } = all.get(marketId) ?? { long: [], short: [] }
      while ((long.at(-1)?.price ?? -Infinity) >= sample.price) long.pop()
      while ((short.at(-1)?.price ?? Infinity) <= sample.price) short.pop()
      long.push(sample)
      short.push(sample)
      all.set(marketId, { long, short })
    },
    worstSince: (marketId, side, sinceTick) =>
      all.get(marketId)?.[side].find(({ tick }) => tick >= sinceTick)?.price ?? null,
  }
}
