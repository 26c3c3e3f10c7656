import type { Clock } from '../clock.ts'

/** So long one after the other is taken in before others have the loop. */
const HELD_MS = 10

/**
 * Lets others have the loop, once it was held for long enough. With every input it would be worse: where answers come by the
 * hundred, each would wait for as many others, and those behind it would grow old.
 */
export function createBreather(clock: Clock): () => Promise<void> {
  let sinceTick = clock.tick()
  return async () => {
    if (clock.tick() - sinceTick < HELD_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    sinceTick = clock.tick()
  }
}
