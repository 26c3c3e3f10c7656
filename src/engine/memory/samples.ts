import type { Side } from '../../venue/position.ts'

/** Prices by market: evidence of what happened between two readings of an owner, however far apart these are. */
export interface PriceSamples {
  add(marketId: string, sample: Sample): void
  /** The price nearest to liquidation since then: the lowest for a long, the highest for a short. Null: not known. */
  worstSince(marketId: string, side: Side, sinceMono: number): number | null
  /** The lowest and the highest since then; null where none was seen. */
  range(marketId: string, sinceMono: number): SampleRange | null
  /** No price of it was seen between these two, while others may have been. */
  missed(marketId: string, gap: Gap): void
  /** The last of such times. */
  gaps(marketId: string): readonly Gap[]
}

/** By the monotonic clock. */
interface Gap {
  sinceMono: number
  untilMono: number
}

interface Sample {
  mono: number
  price: number
}

/** Of the same price the one that was seen last. */
interface SampleRange {
  low: Sample
  high: Sample
  /** From when on it is known: this run began then, or what was before is kept no more. */
  knownMono: number
}

/** What counts of a market for one side, oldest first: each is worse than all before it that are kept no more. */
interface Evidence {
  samples: Sample[]
  /** Of the newest that would still count and is not kept. */
  forgottenMono: number | null
}

/** Only a price that moves one way for so many readings has more that count. */
const MAX_PRICE_SAMPLES = 4_096
/** Old ones go in lots of this many: moving the rest costs more than holding them. */
const LOT = 1_024
/** More gaps than these in one time of holding would be no holding. */
const GAPS = 100

export function createPriceSamples(): PriceSamples {
  const all = new Map<string, Record<Side, Evidence>>()
  const firstMono = new Map<string, number>()
  const gaps = new Map<string, Gap[]>()
  const none = (): Evidence => ({ samples: [], forgottenMono: null })
  return {
    add(marketId, sample) {
      const known = all.get(marketId) ?? { long: none(), short: none() }
      all.set(marketId, known)
      if (!firstMono.has(marketId)) firstMono.set(marketId, sample.mono)
      keep(known.long, sample, (before) => before.price >= sample.price)
      keep(known.short, sample, (before) => before.price <= sample.price)
    },
    missed: (marketId, gap) => void gaps.set(marketId, [...(gaps.get(marketId) ?? []).slice(1 - GAPS), gap]),
    gaps: (marketId) => gaps.get(marketId) ?? [],
    worstSince(marketId, side, sinceMono) {
      const known = all.get(marketId)?.[side]
      if (!known || (known.forgottenMono !== null && sinceMono <= known.forgottenMono)) return null
      return since(known, sinceMono)?.price ?? null
    },
    range(marketId, sinceMono) {
      const known = all.get(marketId)
      const [low, high] = known ? [since(known.long, sinceMono), since(known.short, sinceMono)] : []
      if (!known || !low || !high) return null
      const begun = firstMono.get(marketId) ?? Infinity
      const kept = [known.long, known.short].map(({ forgottenMono }) => (forgottenMono ?? -Infinity) + 1)
      return { low, high, knownMono: Math.max(sinceMono, begun, ...kept) }
    },
  }
}

/** The first that was seen from then on: all after it are no worse. */
function since({ samples }: Evidence, sinceMono: number): Sample | undefined {
  let [from, to] = [0, samples.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((samples[middle]?.mono ?? Infinity) < sinceMono) from = middle + 1
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
  evidence.forgottenMono = samples.splice(0, LOT).at(-1)?.mono ?? evidence.forgottenMono
}

/** Funding rates by market, a fraction per day: how they have gone on of late. */
export interface FundingSamples {
  add(marketId: string, sample: RateSample): void
  /** Oldest first. */
  of(marketId: string): readonly RateSample[]
}

interface RateSample {
  mono: number
  rate: number
}

/** A rate changes slowly: two hours of it, one a minute. */
const EVERY_MS = 60_000
const MAX_FUNDING_SAMPLES = 120

export function createFundingSamples(): FundingSamples {
  const all = new Map<string, RateSample[]>()
  return {
    add(marketId, sample) {
      const known = all.get(marketId) ?? []
      if (sample.mono - (known.at(-1)?.mono ?? -Infinity) < EVERY_MS) return
      all.set(marketId, known)
      known.push(sample)
      if (known.length > MAX_FUNDING_SAMPLES) known.shift()
    },
    of: (marketId) => all.get(marketId) ?? [],
  }
}
