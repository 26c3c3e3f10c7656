import type { Ages } from './schedule.ts'

/** How old the last reading is that somebody could be shown, and what it would take to have a newer one. */
interface Known {
  ageMs: number
  nearDanger: boolean
  /** It shows all that there is. */
  whole: boolean
  /** How long a request would wait for its turn. */
  waitMs: number
}

/** Ask, or show the last one: as good as a new one, or with why there is no newer one. */
type Fitting = 'ask' | 'last' | 'late'

/** As in alerts: a danger on a position that was read longer ago is looked at again first. */
const FRESH_MS = 5_000
/** Near danger, what is shown without a word is no older than this. */
const NEAR_MS = 10_000
/** For what is that much older, somebody waits a moment for their turn, and never for longer than this. */
const WAIT_SHARE = 1 / 20
const LONGEST_WAIT_MS = 1_000

/** What somebody gets who asks for a wallet. */
export function fitting({ ageMs, nearDanger, whole, waitMs }: Known, { minMs, maxMs }: Ages): Fitting {
  if (whole && ageMs <= (nearDanger ? Math.min(minMs, FRESH_MS) : FRESH_MS)) return 'last'
  if (waitMs <= Math.min(ageMs * WAIT_SHARE, LONGEST_WAIT_MS)) return 'ask'
  return whole && ageMs <= (nearDanger ? NEAR_MS : maxMs) ? 'last' : 'late'
}
