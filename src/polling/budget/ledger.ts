import type { Clock } from '../../runtime/clock.ts'
import { MINUTE_MS } from '../../venue/venue-load.ts'

/** Weight spent in the last minute by purpose. People see it, and balances beside an answer wait by it. */
interface Ledger<P extends string> {
  note(purpose: P, weight: number): void
  lastMinute(purpose: P): number
  coversMs(): number
}

const SECOND_MS = 1_000
const SECONDS = MINUTE_MS / SECOND_MS

/** Sums per second, so that a busy minute needs no more memory than a quiet one. */
export function createLedger<P extends string>(clock: Clock): Ledger<P> {
  const began = clock.monotonic()
  const spent = new Map<P, { second: number; weight: number }[]>()
  const now = () => Math.floor(clock.monotonic() / SECOND_MS)
  const recent = (purpose: P) => {
    const seconds = spent.get(purpose) ?? []
    spent.set(purpose, seconds)
    const since = now() - SECONDS
    for (let first = seconds[0]; first && first.second <= since; first = seconds[0]) seconds.shift()
    return seconds
  }
  return {
    note(purpose, weight) {
      const seconds = recent(purpose)
      const last = seconds.at(-1)
      if (last?.second === now()) last.weight += weight
      else seconds.push({ second: now(), weight })
    },
    lastMinute: (purpose) => recent(purpose).reduce((sum, { weight }) => sum + weight, 0),
    coversMs: () => Math.min(clock.monotonic() - began, MINUTE_MS),
  }
}
