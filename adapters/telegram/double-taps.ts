import type { Clock } from '../../src/clock.ts'
import { remember } from '../../src/lib/remember.ts'

/** Tells a finger that came down twice from somebody who wants the same once more. */
interface DoubleTaps {
  /** What ends the tap, once its answer is there; null when the same tap is under way or has only just ended. */
  begin(tap: string): (() => void) | null
}

/** Whoever has seen the answer and taps again takes longer. */
const TWICE_MS = 2_000
const MOST_TAPS = 1_000

export function createDoubleTaps(clock: Clock): DoubleTaps {
  const until = new Map<string, number>()
  return {
    begin(tap) {
      if ((until.get(tap) ?? -Infinity) > clock.tick()) return null
      remember(until, tap, Infinity, MOST_TAPS)
      return () => {
        if (until.has(tap)) until.set(tap, clock.tick() + TWICE_MS)
      }
    },
  }
}
