/** Funding rates by market, a fraction per day: how they have gone on of late. */
export interface Rates {
  add(marketId: string, sample: RateSample): void
  /** Oldest first. */
  of(marketId: string): readonly RateSample[]
}

interface RateSample {
  tick: number
  rate: number
}

/** A rate changes slowly: two hours of it, one a minute. */
const EVERY_MS = 60_000
const MOST = 120

export function createRates(): Rates {
  const all = new Map<string, RateSample[]>()
  return {
    add(marketId, sample) {
      const known = all.get(marketId) ?? []
      if (sample.tick - (known.at(-1)?.tick ?? -Infinity) < EVERY_MS) return
      all.set(marketId, known)
      known.push(sample)
      if (known.length > MOST) known.shift()
    },
    of: (marketId) => all.get(marketId) ?? [],
  }
}
