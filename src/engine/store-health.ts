import type { Failure } from '../command/context.ts'
import type { Clock } from '../runtime/clock.ts'
import type { StoreAdmin } from '../store/store.ts'
import type { Effect } from './memory/effect.ts'

/** Knows whether what is decided can be kept, and reports when that changes. */
interface StoreHealth {
  fails(why: string): void
  /** A commit succeeded. It does not end the failure while a start would not find the writes. */
  kept(): void
  check(): Promise<void>
  /** Since when nothing can be kept, and why; null while it can. */
  failure(): Failure | null
}

export function createStoreHealth(
  store: Pick<StoreAdmin, 'check'>,
  clock: Clock,
  report: (why: string | null) => void,
): StoreHealth {
  let unsound: string | null = null
  let failure: Failure | null = null

  function fails(why: string): void {
    const before = failure
    failure = { since: before?.since ?? clock.now(), why }
    if (before?.why !== why) report(why)
  }

  return {
    fails,
    kept() {
      if (failure === null || unsound !== null) return
      failure = null
      report(null)
    },
    async check() {
      unsound = await store.check()
      if (unsound !== null) fails(unsound)
    },
    failure: () => failure,
  }
}

/**
 * Accounts for time in which the engine waited for the store. No answer of the venue could be taken in then, so
 * that time never makes a source look unseen. Trouble of our own store must not read as trouble of the venue.
 */
interface StoreWaits {
  /** A turn begins. After a failed one, nothing could be taken in until now. */
  begun(): void
  /** A turn has ended that began at `startedMono`. */
  ended(startedMono: number, as: 'kept' | 'failed'): void
}

/** Turns that are shorter than this do not matter. */
const LONG_TURN_MS = 1_000

export function createStoreWaits(clock: Clock, apply: (effects: readonly Effect[]) => void): StoreWaits {
  let accountedMono = -Infinity
  let isFailing = false
  function account(sinceMono: number, leastMs = 0): void {
    const mono = clock.monotonic()
    if (mono - sinceMono < leastMs) return
    apply([{ is: 'stood-still', sinceMono, ms: mono - sinceMono }])
    accountedMono = mono
  }
  return {
    begun() {
      if (isFailing) account(accountedMono)
    },
    ended(startedMono, as) {
      isFailing = as === 'failed'
      account(Math.max(startedMono, accountedMono), isFailing ? 0 : LONG_TURN_MS)
    },
  }
}
