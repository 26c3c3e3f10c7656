import type { Clock } from '../../runtime/clock.ts'
import type { ClockJump } from '../../store/store.ts'

/** Notices that the wall clock was set, so that the times of waiting rows go along with it. */
export interface ClockJumps {
  /** The jump that the store does not have yet; null if there is none. */
  look(): ClockJump | null
  /** The store has it. */
  kept(jump: ClockJump): void
}

/**
 * A smaller difference is the clock being corrected slowly. Nobody reads a lateness that is wrong by less than this.
 */
const JUMP_MS = 1_000

export function createClockJumps(clock: Clock): ClockJumps {
  // The wall time at which the monotonic clock was zero.
  let begunAt = clock.now() - clock.monotonic()
  let asleepMs = clock.asleepMs()
  return {
    // Until the store has it, the same jump is found again, however far the clock went meanwhile.
    look() {
      const now = clock.now()
      const driftMs = Math.round(now - clock.monotonic() - begunAt)
      // Rows that waited while the machine slept are as late as the wall clock says.
      const sleptMs = Math.abs(driftMs) < JUMP_MS ? 0 : clock.asleepMs() - asleepMs
      const byMs = driftMs - sleptMs
      if (Math.abs(byMs) >= JUMP_MS) return { byMs, before: now - byMs, now }
      begunAt += driftMs
      asleepMs += sleptMs
      return null
    },
    kept: ({ byMs }) => void (begunAt += byMs),
  }
}
