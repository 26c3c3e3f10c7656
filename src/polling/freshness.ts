import type { Ages } from './budget/schedule.ts'

/** The age of the last reading, and what a newer one would take. */
interface Known {
  ageMs: number
  nearDanger: boolean
  /** The reading is complete. */
  whole: boolean
  /** How long a request would wait for its turn. */
  waitMs: number
}

/**
 * `ask`: ask the venue. `last`: the last reading is as good as a new one. `late`: show the last one with the reason why
 * there is no newer one.
 */
export type Freshness = 'ask' | 'last' | 'late'

/** As in alerts: a danger on a position read longer ago is confirmed first. */
const FRESH_MS = 5_000
/** Near danger, a reading older than this is not shown without a remark. */
const NEAR_MS = 10_000
/** To replace an older reading, a person waits this share of its age for a turn, and at most this long. */
const WAIT_SHARE = 1 / 20
const LONGEST_WAIT_MS = 1_000

/** Decides between the last reading and a new request. */
export function freshness({ ageMs, nearDanger, whole, waitMs }: Known, { minMs, maxMs }: Ages): Freshness {
  if (whole && ageMs <= (nearDanger ? Math.min(minMs, FRESH_MS) : FRESH_MS)) return 'last'
  if (waitMs <= Math.min(ageMs * WAIT_SHARE, LONGEST_WAIT_MS)) return 'ask'
  return whole && ageMs <= (nearDanger ? NEAR_MS : maxMs) ? 'last' : 'late'
}
