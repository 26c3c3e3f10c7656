/** How long is waited after a failure, and after many. */
interface Backoff {
  firstMs: number
  longestMs: number
}

/** Doubles with each failure up to the longest; `failures` counts from 1. */
export function doubledMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs)
}

/**
 * Like `doubledMs`, varied by half, so that clients that failed together do not retry together. `random` is in [0, 1).
 */
export function backoffMs(failures: number, random: number, law: Backoff): number {
  return Math.round(doubledMs(failures, law) * (0.5 + random / 2))
}

/**
 * Returns a signal that aborts with `outer` and when the work is over. The second makes leftover waits give up their
 * places. `AbortSignal.any` could do it, but costs more than the request itself.
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
      // A string, because nobody reads the reason and capturing a stack is slow.
      own.abort('the work is over')
    },
  }
}
