import { createBudget } from '../../src/polling/budget/budget.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { LIMITED } from './polling.ts'

export interface LimitedVenue {
  /** What the venue allows, and for how long. */
  phases: readonly { minutes: number; perSecond: number }[]
  /** Requests that it takes at once. */
  burst: (perSecond: number) => number
  retryAfterMs: number | null
  /** What we allow ourselves at most. */
  ownLimit: number
}

/** As many requests as the budget lets through against a limit that nobody tells us, over hours in a second. */
export async function useUnknownLimit(given: LimitedVenue): Promise<{ used: number; refused: number }> {
  const { phases, burst, retryAfterMs, ownLimit } = given
  const clock = bareClock()
  const budget = createBudget({ clock, emit: () => {}, pace: { weightPerSecond: ownLimit, burst: null } })
  const endMs = phases.reduce((sum, { minutes }) => sum + minutes * 60_000, 0)
  const limitAt = (mono: number) => {
    let until = 0
    return phases.find(({ minutes }) => mono < (until += minutes * 60_000))?.perSecond ?? 0
  }
  let tokens = 0
  let filledAt = 0
  let taken = 0
  let refused = 0
  const request = async () => {
    const perSecond = limitAt(clock.monotonic())
    tokens = Math.min(burst(perSecond), tokens + ((clock.monotonic() - filledAt) / 1_000) * perSecond)
    filledAt = clock.monotonic()
    const allowed = tokens >= 1
    if (allowed) tokens -= 1
    await new Promise<void>((resolve) => clock.wakeAt(clock.monotonic() + 50, resolve))
    if (allowed) taken++
    else {
      refused++
      throw LIMITED(retryAfterMs)
    }
  }
  const poller = async () => {
    // Each its own: a signal walks through all who listen for each one that comes or goes.
    const { signal } = new AbortController()
    while (clock.monotonic() < endMs) await budget.spend('wallet', signal, request).catch(() => {})
  }
  for (let index = 0; index < 40; index++) void poller()
  await clock.runUntil(endMs)
  const allowed = phases.reduce((sum, { minutes, perSecond }) => sum + minutes * 60 * perSecond, 0)
  return { used: taken / allowed, refused: refused / (taken + refused) }
}

/** A hand clock for millions of wake-ups: between two of them only promises run. */
function bareClock(): Clock & { runUntil(endMono: number): Promise<void> } {
  let mono = 0
  const wakes: { at: number; wake: () => void }[] = []
  return {
    now: () => mono,
    monotonic: () => mono,
    asleepMs: () => 0,
    wakeAt(at, wake) {
      const entry = { at, wake }
      let place = wakes.length
      for (let before = wakes[place - 1]; before && before.at > at; before = wakes[place - 1]) place--
      wakes.splice(place, 0, entry)
      return () => {
        const place = wakes.indexOf(entry)
        if (place >= 0) wakes.splice(place, 1)
      }
    },
    async runUntil(endMono) {
      for (;;) {
        // As many as an answer takes until the next request waits.
        for (let round = 0; round < 6; round++) await Promise.resolve()
        const first = wakes.shift()
        if (!first || first.at > endMono) return
        mono = Math.max(mono, first.at)
        first.wake()
      }
    },
  }
}
