import type { LedgerEntry } from '../../../venue/record/ledger.ts'

const HOUR_MS = 3_600_000
/** Until so long after an hour, its payments may be missing from an answer. */
const PAID_WITHIN_MS = 120_000
/** An answer counts as the newest for this long, because several commands in a row ask the same. */
const RECENT_MS = 10_000
/** As long as this where nothing is known to have happened. Transfers are no profit, and may come later. */
const QUIET_MS = 60_000
/** A call that had no time for all lists is followed by one that reads the others. */
const UNFINISHED_MS = 120_000

/** The end of a list as it was last read: wall time and monotonic time. */
export interface LastRead {
  until: number
  mono: number
}

interface Circumstances {
  now: number
  mono: number
  /** The call before had no time for all lists. */
  isUnfinished: boolean
  /** Since when every public trade is heard; null if some may have been missed. Monotonic. */
  heardSince: number | null
  /** When the wallet's last trade was heard; monotonic. */
  tradedMono: number
}

/** Whether a list that was read need not be read again for a call. */
export function isFresh(of: LedgerEntry['is'], last: LastRead, circumstances: Circumstances): boolean {
  const { now, mono, isUnfinished, heardSince, tradedMono } = circumstances
  const age = mono - last.mono
  if (age < RECENT_MS || (isUnfinished && age < UNFINISHED_MS)) return true
  if (of === 'transfer') return age < QUIET_MS
  if (of === 'funding') return age < HOUR_MS && last.until >= hourOf(now) + PAID_WITHIN_MS
  const isHeard = heardSince !== null && heardSince <= last.mono - RECENT_MS
  return age < QUIET_MS && isHeard && tradedMono < last.mono - RECENT_MS
}

function hourOf(now: number): number {
  return now - (now % HOUR_MS)
}
