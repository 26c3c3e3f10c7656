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
