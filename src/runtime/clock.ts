import { backoffMs } from '../lib/time/backoff.ts'

/** Time as an argument. Nothing else in Perch reads the time. */
export interface Clock {
  /** Wall time, unix milliseconds. Shown to people and stored; it may jump. */
  now(): number
  /** Monotonic milliseconds. Ages, intervals and deadlines count these. */
  monotonic(): number
  /** How long the machine has slept, as far as `monotonic()` did not count it. Makes a system call. */
  asleepMs(): number
  /**
   * Calls `wake` once when `monotonic()` has reached `atMono`, never earlier and never synchronously. Returns a
   * function that cancels it.
   */
  wakeAt(atMono: number, wake: () => void): () => void
}

/** A value and when it was asked for: the venue's answers carry no time of their own. */
export interface Reading<T> {
  value: T
  /** Wall time of the request. */
  at: number
  /** Monotonic time of the request. It orders readings. */
  mono: number
}

/** Resolves after `ms`, or rejects with the signal's reason when that comes first. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      callOff()
      reject(signal?.reason)
    }
    const callOff = clock.wakeAt(clock.monotonic() + ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
    return undefined
  })
}

/** The same; false when the signal came first. */
export function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return pause(clock, ms, signal).then(
    () => true,
    () => false,
  )
}

/** A timer that rings once, at the time set last. */
interface Alarm {
  /** Replaces an earlier time. */
  set(ms: number): void
  /** Keeps an earlier time. */
  setUnlessSet(ms: number): void
  off(): void
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let callOff: (() => void) | null = null
  const alarm: Alarm = {
    set(ms) {
      callOff?.()
      callOff = clock.wakeAt(clock.monotonic() + ms, () => {
        callOff = null
        ring()
      })
    },
    setUnlessSet(ms) {
      if (!callOff) alarm.set(ms)
    },
    off() {
      callOff?.()
      callOff = null
    },
  }
  return alarm
}

class TooLate extends Error {}

/**
 * Runs `work` with a signal that aborts after `ms` or with `outer`. Rejects then with its reason, even if the work
 * ignores the signal. The time limit uses the clock, so tests turn it by hand.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const { signal } = limit
  const aborted = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    limit.abort(reason)
    aborted.reject(reason)
  }
  const callOff = clock.wakeAt(clock.monotonic() + ms, () => end(new TooLate(`no answer within ${ms} ms`)))
  const giveUp = () => end(outer?.reason)
  if (outer?.aborted) giveUp()
  // A composite signal would cost more than all the rest of it.
  else outer?.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([aborted.promise, work(signal)])
  } finally {
    callOff()
    outer?.removeEventListener('abort', giveUp)
  }
}

/** Waits for work at most `ms`, without stopping it. Returns false if it is not over by then. */
export async function endsWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  try {
    await within(clock, ms, undefined, () => work)
    return true
  } catch (error) {
    if (error instanceof TooLate) return false
    throw error
  }
}

/**
 * Backoff between restarts of a broken loop. A loop that ran longer than the longest wait starts again at the first.
 */
const BROKEN_MS = { firstMs: 1_000, longestMs: 60_000 }

/**
 * Runs a loop that must not end before the signal. If it throws, reports the error and restarts it with backoff, so
 * that the bot does not stay deaf until an operator restarts it.
 */
export async function keepRunning(
  { clock, random, signal }: { clock: Clock; random: () => number; signal: AbortSignal },
  broke: (error: unknown) => void,
  loop: () => Promise<void>,
): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    const began = clock.monotonic()
    try {
      return await loop()
    } catch (error) {
      if (signal.aborted) return
      broke(error)
      failures = clock.monotonic() - began > BROKEN_MS.longestMs ? 1 : failures + 1
      await waited(clock, backoffMs(failures, random(), BROKEN_MS), signal)
    }
  }
}

/** The longest delay that a Node timer takes (2^31 − 1 ms, https://nodejs.org/api/timers.html); longer ones are cut up. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * The machine's clock: the one place in Perch that reads it or sets a timer. `upMs` is for how long the machine is up, its
 * sleep included.
 */
export function systemClock(upMs = () => performance.now()): Clock {
  const upBefore = upMs() - performance.now()
  const clock: Clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    asleepMs: () => upMs() - performance.now() - upBefore,
    wakeAt(atMono, wake) {
      let timer: NodeJS.Timeout
      const wait = () => {
        const left = atMono - performance.now()
        // A timer may fire up to a millisecond early; then it waits again.
        timer = setTimeout(
          () => (performance.now() >= atMono ? wake() : wait()),
          Math.min(Math.max(Math.ceil(left), 0), LONGEST_TIMER_MS),
        )
      }
      wait()
      return () => clearTimeout(timer)
    },
  }
  return clock
}

/** How long inputs are processed before the event loop gets a turn. */
const HELD_MS = 10

/**
 * Yields to the event loop if it was busy for long enough. Yielding after every input would be worse: hundreds of
 * answers would wait for each other and grow old.
 */
export function createYield(clock: Clock, heldMs = HELD_MS): () => Promise<void> {
  let sinceMono = clock.monotonic()
  return async () => {
    if (clock.monotonic() - sinceMono < heldMs) return
    await new Promise((resolve) => setImmediate(resolve))
    sinceMono = clock.monotonic()
  }
}
