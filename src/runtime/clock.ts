import { backoffMs } from '../lib/time/backoff.ts'

/** Time as an argument: nothing else in Perch knows what time it is. */
export interface Clock {
  /** Wall time, unix milliseconds. Shown to people and stored; it may jump. */
  now(): number
  /** Monotonic milliseconds. Ages, intervals and deadlines count these. */
  monotonic(): number
  /** For how long the machine has slept, as far as `tick()` did not count that. It costs a look at the system. */
  asleepMs(): number
  /** Calls `wake` once when `tick()` has reached `atTick`, never before and never at once. Returns how to call it off. */
  wakeAt(atMono: number, wake: () => void): () => void
}

/** A value and when it was asked for: the venue's answers carry no time of their own. */
export interface Reading<T> {
  value: T
  /** Wall time of the request. */
  at: number
  /** Monotonic time of the request: tells older from newer. */
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
 * Runs `work` with a signal that aborts after `ms` or when `outer` does, and rejects then with its reason, also where
 * the work does not heed it: nobody waits longer. The time limit is the clock's, so tests turn it by hand.
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

/** Waits for what goes on either way, but no longer than `ms`; false when it is not over by then. */
export async function endsWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  try {
    await within(clock, ms, undefined, () => work)
    return true
  } catch (error) {
    if (error instanceof TooLate) return false
    throw error
  }
}

/** What a loop that broke waits before it begins again; one that held longer than the last of these broke anew. */
const BROKEN_MS = { firstMs: 1_000, longestMs: 60_000 }

/**
 * Runs a loop that must not end before it is told to. What it throws is told, and it begins again, later and later: a
 * bot must not be deaf until somebody restarts it.
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

/** So long one after the other is taken in before others have the loop. */
const HELD_MS = 10

/**
 * Lets others have the loop, once it was held for long enough. With every input it would be worse: where answers come by the
 * hundred, each would wait for as many others, and those behind it would grow old.
 */
export function createYield(clock: Clock): () => Promise<void> {
  let sinceMono = clock.monotonic()
  return async () => {
    if (clock.monotonic() - sinceMono < HELD_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    sinceMono = clock.monotonic()
  }
}
