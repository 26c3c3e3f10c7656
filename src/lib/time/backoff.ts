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

/**
 * A signal for work under `outer`: it aborts when that does, and when the work is over, so that whatever of it still
 * waits gives up its place. `AbortSignal.any` does the same and costs more than the request that it is made for.
 */
export function untilOver(outer: AbortSignal): { signal: AbortSignal; over(): void } {
  const own = new AbortController()
  const follow = () => own.abort(outer.reason)
  if (outer.aborted) follow()
  else outer.addEventListener('abort', follow, { once: true })
  return {
    signal: own.signal,
    over() {
      outer.removeEventListener('abort', follow)
      // No Error: nobody reads it, and to note where it was made takes long.
      own.abort('the work is over')
    },
  }
}
