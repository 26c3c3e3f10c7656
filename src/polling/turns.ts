import type { Emit } from '../runtime/event.ts'
import { isSlow, type Turns } from '../venue/venue-load.ts'

/** Weight of the newest interval in the average. One late wallet is no measure of all. */
const NEWEST_WEIGHT = 0.2
/** A change by less than this factor is not reported. */
const REPORTED_CHANGE = 1.5

/** Measures how often wallets are read, and emits an event when that is much rarer than intended. */
interface TurnsTaken {
  /** A wallet far from danger was read, this long after its previous read. */
  note(afterMs: number): void
  now(): Turns
}

export function createTurns(wishedMs: () => number, emit: Emit): TurnsTaken {
  let everyMs: number | null = null
  let reportedMs: number | null = null

  function report(next: number | null): void {
    reportedMs = next
    emit({ is: 'slow', everyMs: next === null ? null : Math.round(next), wishedMs: wishedMs() })
  }

  return {
    note(afterMs) {
      everyMs = everyMs === null ? afterMs : everyMs + (afterMs - everyMs) * NEWEST_WEIGHT
      const slow = isSlow({ everyMs, wishedMs: wishedMs() })
      if (reportedMs === null) {
        if (slow) report(everyMs)
      } else if (everyMs <= wishedMs()) report(null)
      else if (everyMs > reportedMs * REPORTED_CHANGE || everyMs < reportedMs / REPORTED_CHANGE)
        report(everyMs)
    },
    now: () => ({ everyMs, wishedMs: wishedMs() }),
  }
}
