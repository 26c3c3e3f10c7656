import type { Emit } from '../../runtime/event.ts'
import { isSlow, type Turns } from '../../venue/venue-load.ts'

/** How much of what is said comes from the newest turn: one wallet that was late is no measure of all. */
const NEWEST = 0.2
/** What has changed by less is no news. */
const NEWS = 1.5

/** How often wallets have their turn, which is said when it is much more seldom than is wished. */
interface TurnsTaken {
  /** A wallet that is far from danger was read, so long after the last time. */
  note(afterMs: number): void
  now(): Turns
}

export function createTurns(wishedMs: number, emit: Emit): TurnsTaken {
  let everyMs: number | null = null
  let toldMs: number | null = null

  function tell(next: number | null): void {
    toldMs = next
    emit({ is: 'slow', everyMs: next === null ? null : Math.round(next), wishedMs })
  }

  return {
    note(afterMs) {
      everyMs = everyMs === null ? afterMs : everyMs + (afterMs - everyMs) * NEWEST
      const slow = isSlow({ everyMs, wishedMs })
      if (toldMs === null) {
        if (slow) tell(everyMs)
      } else if (everyMs <= wishedMs) tell(null)
      else if (everyMs > toldMs * NEWS || everyMs < toldMs / NEWS) tell(everyMs)
    },
    now: () => ({ everyMs, wishedMs }),
  }
}
