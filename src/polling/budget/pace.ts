import type { Rate } from '../../lib/time/token-bucket.ts'
import type { VenueLimits } from '../../venue/venue.ts'

/** The allowed rate of spending weight. */
export interface Pace {
  weightPerSecond: number
  /** Weight at once, after a rest. Null: a quarter of the present rate per second. */
  burst: number | null
  /** The rate that leaves room, for reads that nobody waits for. Left out: as fast as all. */
  calm?: Rate
}

/** Share of the venue's limit that Perch uses in any of its periods. Another program may use the same address. */
const SHARE = 0.9
/** Share of the limit that may be used at once. */
const BURST_SHARE = 0.05
/**
 * Where only a few requests are allowed, a start and a person's command need more than that share at once: so many, and at
 * most this share.
 */
const LEAST_BURST = { weight: 15, share: 0.25 }

/**
 * Share of the limit for everything together, from which on reads that nobody waits for are put off: a wallet that trades
 * must be read at once.
 */
const CALM_SHARE = 0.6
const CALM_BURST_SHARE = 0.02

/** Our own limit, below the venue's: no period of the venue sees more than our share. */
export function paceOf({ allowed }: VenueLimits, ownPerSecond: number): Pace {
  if (allowed === null) return { weightPerSecond: ownPerSecond, burst: null }
  const least = Math.min(LEAST_BURST.weight, allowed.weight * LEAST_BURST.share)
  const burst = Math.max(1, allowed.weight * BURST_SHARE, least)
  const steady = Math.max(allowed.weight * SHARE - burst, 1) / (allowed.perMs / 1_000)
  const weightPerSecond = Math.min(ownPerSecond, steady)
  const calmBurst = Math.max(1, allowed.weight * CALM_BURST_SHARE)
  const calm = Math.max(allowed.weight * CALM_SHARE - calmBurst, 1) / (allowed.perMs / 1_000)
  return {
    ...{ weightPerSecond, burst },
    calm: { perSecond: Math.min(calm, weightPerSecond * (CALM_SHARE / SHARE)), burst: calmBurst },
  }
}

const LEAST_PER_SECOND = 0.5
/** A list of markets weighs a third of a burst. It must have its turn within the time of one poll. */
const LEAST_OF_BURST = 1 / 15

/** The rate below which no refusal brings us. */
export function leastPerSecond({ burst, weightPerSecond }: Pace): number {
  if (burst === null) return LEAST_PER_SECOND
  return Math.min(Math.max(burst * LEAST_OF_BURST, LEAST_PER_SECOND), weightPerSecond)
}
