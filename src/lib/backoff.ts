/** How long is waited after a failure, and after many. */
interface Backoff {
  firstMs: number
  longestMs: number
}

/** Doubles with each failure up to the longest; `failures` counts from 1. */
export function doubledMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs)
}

/** The same, spread by half, so that those who failed together do not come back together. `random` is in [0, 1). */
export function backoffMs(failures: number, random: number, law: Backoff): number {
  return Math.round(doubledMs(failures, law) * (0.5 + random / 2))
}
