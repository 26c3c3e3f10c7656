import { createHeap } from '../../src/lib/data/heap.ts'
import type { Clock } from '../../src/runtime/clock.ts'

/** Time that goes as fast as the work is done: between two wake-ups it waits until that has come to rest. */
export interface HandClock extends Clock {
  runUntil(mono: number): Promise<void>
  /** Wake-ups that nobody has called off. */
  waiting(): number
}

/** Promises that wait for one another, at most, behind one wake-up. */
const DEEPEST = 24

/**
 * `rest`: when the work of one wake-up is done; where only promises run, they are all there is. `lookMs`: so much time passes
 * with each look at it. Where none does, work that lets others in after some milliseconds never does.
 */
export function handClock(start: number, rest: () => Promise<void> = onlyPromises, lookMs = 0): HandClock {
  let mono = 0
  const wakes = createHeap<{ wake: () => void }>()
  return {
    now: () => Math.floor(start + mono),
    monotonic: () => (mono += lookMs),
    asleepMs: () => 0,
    wakeAt(atMono, wake) {
      const entry = { wake }
      wakes.set(entry, Math.max(atMono, mono))
      return () => wakes.delete(entry)
    },
    async runUntil(end) {
      for (;;) {
        await rest()
        const first = wakes.peek()
        if (!first || first.priority > end) break
        wakes.pop()
        mono = Math.max(mono, first.priority)
        first.key.wake()
      }
      mono = Math.max(mono, end)
    },
    waiting: () => wakes.size,
  }
}

async function onlyPromises(): Promise<void> {
  for (let round = 0; round < DEEPEST; round++) await Promise.resolve()
}
