import type { Asking } from '../venue.ts'
import type { createAsked } from './asked.ts'
import type { Budget, Priority } from './budget.ts'

/** How a poller asks: each request when its turn has come, and with when it was sent. */
export function pollAsking(
  budget: Budget,
  priority: Priority,
  given: { limitMs: number; signal: AbortSignal; age: ReturnType<typeof createAsked> },
): Asking {
  const { limitMs, signal, age } = given
  return {
    patience: 'poll',
    limitMs,
    signal,
    spend: (request, weight) => budget.spend(priority, signal, (more) => age.of(() => request(more)), weight),
  }
}
