import { doubledMs } from '../lib/backoff.ts'
import type { OwnerDemand } from '../reading.ts'

/** An owner as the schedule sees it. Ticks are monotonic milliseconds; null means never. */
export interface PolledOwner extends OwnerDemand {
  readTick: number | null
  /** When the venue last told all of it by itself. */
  toldTick: number | null
  /** When the last try ended. */
  triedTick: number | null
  /** Failed tries since the last read. */
  failures: number
  /** When it last held something else than before, as far as anybody has seen. */
  changedTick: number | null
  /** When a list of markets last said that it may have traded. */
  hintedTick: number | null
}

export interface Ages {
  minMs: number
  maxMs: number
}

/** What the venue tells by itself counts for so long: it comes about every five seconds. */
const TOLD_FRESH_MS = 12_000
/** A read that is limited by age starts this early, so that the answer is there when the limit is reached. */
const EARLY = 0.75
const CONFIRM_MS = 250
/** Whose last change is longer ago than this is no likelier to change than anybody else. */
const CALM_AFTER_MS = 4 * 3_600_000
/** Whoever has just changed is asked so many times as often. */
const MOST_EAGER = 8
/** Within the last half hour. */
const LIVELY = 3
const FIRST_RETRY_MS = 1_000

/** When the owner should be asked next. Owners far from danger in turn, near ones as often as allowed. */
export function dueTick(polled: PolledOwner, { minMs, maxMs }: Ages): number {
  const { readTick, triedTick, toldTick, failures, nearDanger, confirm } = polled
  const interval = nearDanger ? minMs : ownIntervalMs(polled, { minMs, maxMs })
  // While the venue tells it, an owner near danger is asked as rarely as one that is far from it: what is told again and
  // again is put right by that.
  const toldUntil = (since: number) =>
    Math.min((toldTick ?? -Infinity) + TOLD_FRESH_MS, since + intervalMs(false, { minMs, maxMs }))
  const due = Math.max((readTick ?? 0) + interval, toldUntil(readTick ?? 0))
  const wanted =
    readTick === null
      ? -Infinity
      : confirm
        ? readTick + CONFIRM_MS
        : isHinted(polled)
          ? Math.min(due, readTick + minMs)
          : due
  if (triedTick === null || failures === 0) return wanted
  // A failed try is due again soon, but not at once: the venue may be drowning.
  const againMs = Math.max(minMs, doubledMs(failures, { firstMs: FIRST_RETRY_MS, longestMs: interval }))
  const again = triedTick + againMs
  return confirm || readTick === null ? again : Math.max(again, toldUntil(triedTick))
}

/** A list has come since it was read, and says that it may have traded; what the venue tells by itself is as new. */
export function isHinted({ hintedTick, readTick, toldTick }: PolledOwner): boolean {
  return hintedTick !== null && hintedTick > Math.max(readTick ?? hintedTick, toldTick ?? -Infinity)
}

/**
 * How many times as often as others it is worth asking: who trades does so in bursts, and the odds that he does again fall
 * with the time since. As the square root, which makes what is seen late least in sum.
 */
function eagerness({ changedTick, readTick }: Pick<PolledOwner, 'changedTick' | 'readTick'>): number {
  if (changedTick === null || readTick === null) return 1
  const calmMs = Math.max(readTick - changedTick, 1)
  return Math.min(Math.max(Math.sqrt(CALM_AFTER_MS / calmMs), 1), MOST_EAGER)
}

/** Of one that is far from danger. */
function ownIntervalMs(polled: PolledOwner, ages: Ages): number {
  return Math.max(intervalMs(false, ages) / eagerness(polled), ages.minMs)
}

/** It has changed so lately that it has turns of its own. */
export function isLively(polled: PolledOwner): boolean {
  return eagerness(polled) >= LIVELY
}

function intervalMs(nearDanger: boolean, { minMs, maxMs }: Ages): number {
  return nearDanger ? minMs : Math.max(maxMs * EARLY, minMs)
}
