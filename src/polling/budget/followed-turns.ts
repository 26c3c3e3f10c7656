import type { Clock } from '../../runtime/clock.ts'
import type { Budget } from './budget.ts'

/**
 * Reads under way at once of wallets that nobody guards. They begin only while nothing else waits, so they never hold up
 * a guarded one.
 */
export const MAX_FOLLOWED_READS = 2
/** Where the budget is short, so often one of them is read all the same. */
const AT_LEAST_MS = 30_000

/** Says when a wallet that nobody guards may be read. */
interface FollowedTurns {
  /** Whether one may be read now: they take what is left of the budget, and one now and then where it is short. */
  areFree(): boolean
  began(): void
}

export function createFollowedTurns(
  budget: Pick<Budget, 'hasSpare' | 'hasRoom'>,
  clock: Pick<Clock, 'monotonic'>,
): FollowedTurns {
  let beganMono = -Infinity
  return {
    areFree() {
      const isOwed = clock.monotonic() - beganMono >= AT_LEAST_MS
      return budget.hasSpare() && (isOwed || budget.hasRoom())
    },
    began: () => void (beganMono = clock.monotonic()),
  }
}
