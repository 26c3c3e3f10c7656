import type { Clock } from '../../runtime/clock.ts'
import type { Asking } from '../../venue/venue.ts'
import type { Budget, Priority } from './budget.ts'

/** When a request was sent. */
interface Asked {
  at: number
  mono: number
}

/** Tracks the age of an answer made of several requests: the time of the oldest answered one. */
export function createAsked(clock: Clock): {
  of<T>(request: () => Promise<T>): Promise<T>
  asked(): Asked
} {
  const now = (): Asked => ({ at: clock.now(), mono: clock.monotonic() })
  const began = now()
  let oldest: Asked | null = null
  return {
    async of(request) {
      const asked = now()
      const value = await request()
      if (oldest === null || asked.mono < oldest.mono) oldest = asked
      return value
    },
    asked: () => oldest ?? began,
  }
}

/** The way pollers ask: each request waits for the budget, and its sending time is recorded. */
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
