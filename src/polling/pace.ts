import type { VenueLimits } from '../venue.ts'

/** How fast weight may be spent. */
export interface Pace {
  weightPerSecond: number
  /** At once, after a rest; null: a quarter of what the present rate gives in a second. */
  burst: number | null
}

/** Of what the venue allows in any of its periods: another program may ask from the same address. */
const SHARE = 0.9
/** Of the same, at once. */
const BURST_SHARE = 0.05

/** What we allow ourselves, below what the venue does: no period of its sees more than its share. */
export function paceOf({ allowed }: VenueLimits, ownPerSecond: number): Pace {
  if (allowed === null) return { weightPerSecond: ownPerSecond, burst: null }
  const burst = Math.max(1, allowed.weight * BURST_SHARE)
  const steady = Math.max(allowed.weight * SHARE - burst, 1) / (allowed.perMs / 1_000)
  return { weightPerSecond: Math.min(ownPerSecond, steady), burst }
}
