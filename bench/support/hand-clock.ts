import type { Clock } from '../../src/clock.ts'
import { createHeap } from '../../src/lib/heap.ts'

/** Time that goes as fast as the work is done: between two wake-ups only promises run. */
export interface HandClock extends Clock {
  runUntil(tick: number): Promise<void>
}

/** Promises that wait for one another, at most, behind one wake-up. */
const DEEPEST = 24

export function handClock(start: number): HandClock {
  let tick = 0
  const wakes = createHeap<{ wake: () => void }>()
  return {
    now: () => start + tick,
    tick: () => tick,
    wakeAt(atTick, wake) {
      const entry = { wake }
      wakes.set(entry, Math.max(atTick, tick))
      return () => wakes.delete(entry)
    },
    async runUntil(end) {
      for (;;) {
        for (let round = 0; round < DEEPEST; round++) await Promise.resolve()
        const first = wakes.peek()
        if (!first || first.priority > end) break
        wakes.pop()
        tick = Math.max(tick, first.priority)
        first.key.wake()
      }
      tick = end
    },
  }
}
