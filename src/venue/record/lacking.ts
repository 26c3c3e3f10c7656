/** An unusable element of an answer: skipped, counted and reported, never guessed. */
export interface Unusable {
  /** Which element, as far as it says: `market 1200`, `position 3 of 5`. */
  what: string
  why: string
  /** Its dex or account: the rest of the answer stays usable. Null if unknown. */
  part: string | null
}

/** A part of an answer that did not arrive, by the venue's name for it. */
export interface FailedPart {
  /** A dex for markets, an account for positions. */
  part: string
  why: string
  /** Our own budget had no turn for it, so it says nothing about the venue. */
  queued?: true
  /** A whole venue of several: the part is its name. */
  isVenue?: true
}

/** An account that was empty when it was last read (wall time), and may not be so any more. */
export interface UnaskedPart {
  part: string
  at: number
}

/** Messages name an account that was not read for longer: people must not take it for empty. */
const UNREAD_MS = 180_000

/** The empty accounts that were not read for long, with the time of the oldest read; null if there are none. */
export function longUnread(
  unasked: readonly UnaskedPart[],
  now: number,
): { parts: string[]; at: number } | null {
  const old = unasked.filter(({ at }) => now - at >= UNREAD_MS)
  return old.length === 0
    ? null
    : { parts: old.map(({ part }) => part), at: Math.min(...old.map(({ at }) => at)) }
}
