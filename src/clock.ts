/** Time as an argument: nothing else in Perch knows what time it is. */
export interface Clock {
  /** Wall time, unix milliseconds. Shown to people and stored; it may jump. */
  now(): number
  /** Monotonic milliseconds. Ages, intervals and deadlines count these. */
  tick(): number
  /** Calls `wake` once when `tick()` has reached `atTick`, never before and never at once. Returns how to call it off. */
  wakeAt(atTick: number, wake: () => void): () => void
}

/** A value and when it was asked for: the venue's answers carry no time of their own. */
export interface Reading<T> {
  value: T
  /** Wall time of the request. */
  at: number
  /** Monotonic time of the request: tells older from newer. */
  tick: number
}

/** Resolves after `ms`, or rejects with the signal's reason when that comes first. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      callOff()
      reject(signal?.reason)
    }
    const callOff = clock.wakeAt(clock.tick() + ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
    return undefined
  })
}

/**
 * Runs `work` with a signal that aborts after `ms` or when `outer` does. The time limit is the clock's, so tests
 * turn it by hand. The work must honour the signal.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const callOff = clock.wakeAt(clock.tick() + ms, () => limit.abort(new Error(`no answer within ${ms} ms`)))
  try {
    return await work(outer ? AbortSignal.any([outer, limit.signal]) : limit.signal)
  } finally {
    callOff()
  }
}

/** The longest delay that a Node timer takes (2^31 − 1 ms, https://nodejs.org/api/timers.html); longer ones are cut up. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's clock: the one place in Perch that reads it or sets a timer. */
export function systemClock(): Clock {
  const clock: Clock = {
    now: () => Date.now(),
    tick: () => performance.now(),
    wakeAt(atTick, wake) {
      let timer: NodeJS.Timeout
      const wait = () => {
        const left = atTick - performance.now()
        // A timer may fire up to a millisecond early; then it waits again.
        timer = setTimeout(
          () => (performance.now() >= atTick ? wake() : wait()),
          Math.min(Math.max(Math.ceil(left), 0), LONGEST_TIMER_MS),
        )
      }
      wait()
      return () => clearTimeout(timer)
    },
  }
  return clock
}
