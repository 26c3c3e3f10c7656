import type { Side } from '../../venue/position.ts'

/** Prices by market: evidence of what happened between two readings of an owner, however far apart these are. */
export interface Samples {
  add(marketId: string, sample: Sample): void
  /** The price nearest to liquidation since then: the lowest for a long, the highest for a short. Null: not known. */
  worstSince(marketId: string, side: Side, sinceTick: number): number | null
  /** The lowest and the highest since then; null where none was seen. */
  range(marketId: string, sinceTick: number): SampleRange | null
  /** No price of it was seen between these two, while others may have been. */
  missed(marketId: string, gap: Gap): void
  /** The last of such times. */
  gaps(marketId: string): readonly Gap[]
}

/** By the monotonic clock. */
interface Gap {
  sinceTick: number
  untilTick: number
}

interface Sample {
  tick: number
  price: number
}

/** Of the same price the one that was seen last. */
interface SampleRange {
  low: Sample
  high: Sample
  /** From when on it is known: this run began then, or what was before is kept no more. */
  knownTick: number
}

/** What counts of a market for one side, oldest first: each is worse than all before it that are kept no more. */
interface Evidence {
  samples: Sample[]
  /** Of the newest that would still count and is not kept. */
  forgottenTick: number | null
}

/** Only a price that moves one way for so many readings has more that count. */
const MAX_PRICE_SAMPLES = 4_096
/** Old ones go in lots of this many: moving the rest costs more than holding them. */
const LOT = 1_024
/** More gaps than these in one time of holding would be no holding. */
const GAPS = 100

export function createSamples(): Samples {
  const all = new Map<string, Record<Side, Evidence>>()
  const firstTick = new Map<string, number>()
  const gaps = new Map<string, Gap[]>()
  const none = (): Evidence => ({ samples: [], forgottenTick: null })
  return {
    add(marketId, sample) {
      const known = all.get(marketId) ?? { long: none(), short: none() }
      all.set(marketId, known)
      if (!firstTick.has(marketId)) firstTick.set(marketId, sample.tick)
      keep(known.long, sample, (before) => before.price >= sample.price)
      keep(known.short, sample, (before) => before.price <= sample.price)
    },
    missed: (marketId, gap) => void gaps.set(marketId, [...(gaps.get(marketId) ?? []).slice(1 - GAPS), gap]),
    gaps: (marketId) => gaps.get(marketId) ?? [],
    worstSince(marketId, side, sinceTick) {
      const known = all.get(marketId)?.[side]
      if (!known || (known.forgottenTick !== null && sinceTick <= known.forgottenTick)) return null
      return since(known, sinceTick)?.price ?? null
    },
    range(marketId, sinceTick) {
      const known = all.get(marketId)
      const [low, high] = known ? [since(known.long, sinceTick), since(known.short, sinceTick)] : []
      if (!known || !low || !high) return null
      const begun = firstTick.get(marketId) ?? Infinity
      const kept = [known.long, known.short].map(({ forgottenTick }) => (forgottenTick ?? -Infinity) + 1)
      return { low, high, knownTick: Math.max(sinceTick, begun, ...kept) }
    },
  }
}

/** The first that was seen from then on: all after it are no worse. */
function since({ samples }: Evidence, sinceTick: number): Sample | undefined {
  let [from, to] = [0, samples.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((samples[middle]?.tick ?? Infinity) < sinceTick) from = middle + 1
    else to = middle
  }
  return samples[from]
}

/** Whoever asks for the worst since then gets the new one wherever it is worse: what it outdoes says nothing any more. */
function keep(evidence: Evidence, sample: Sample, isOutdone: (before: Sample) => boolean): void {
  const { samples } = evidence
  for (let last = samples.at(-1); last && isOutdone(last); last = samples.at(-1)) samples.pop()
  samples.push(sample)
  if (samples.length <= MAX_PRICE_SAMPLES) return
  evidence.forgottenTick = samples.splice(0, LOT).at(-1)?.tick ?? evidence.forgottenTick
}

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
const MAX_FUNDING_SAMPLES = 120

export function createRates(): Rates {
  const all = new Map<string, RateSample[]>()
  return {
    add(marketId, sample) {
      const known = all.get(marketId) ?? []
      if (sample.tick - (known.at(-1)?.tick ?? -Infinity) < EVERY_MS) return
      all.set(marketId, known)
      known.push(sample)
      if (known.length > MAX_FUNDING_SAMPLES) known.shift()
    },
    of: (marketId) => all.get(marketId) ?? [],
  }
}
