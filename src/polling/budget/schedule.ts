import { doubledMs } from '../../lib/time/backoff.ts'
import type { WalletDemand } from '../../venue/reading.ts'

/** An owner as the schedule sees it. Ticks are monotonic milliseconds; null means never. */
export interface PolledWallet extends WalletDemand {
  readMono: number | null
  /** When the venue last told all of it by itself. */
  toldMono: number | null
  /** When the last try ended. */
  triedMono: number | null
  /** Failed tries since the last read. */
  failures: number
  /** When it last held something else than before, as far as anybody has seen. */
  changedMono: number | null
  /** When a list of markets last said that it may have traded. */
  hintedMono: number | null
  /** How many times as often as is usual it opens or adds, by what it was seen to hold; 1 where nothing tells. */
  opensAsOften: number
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
/** Whose last change is longer ago than this is no likelier to change than others. */
const CALM_AFTER_MS = 2 * 3_600_000
/** Whoever has just changed is asked so many times as often. */
const MOST_EAGER = 6
/** Whoever opens often, so many times: of most of those who trade nothing tells it. */
const MOST_BUSY = 3
const FIRST_RETRY_MS = 1_000

/** When the owner should be asked next. Owners far from danger in turn, near ones as often as allowed. */
export function dueMono(polled: PolledWallet, { minMs, maxMs }: Ages): number {
  const { readMono, triedMono, toldMono, failures, nearDanger, confirm } = polled
  const interval = nearDanger ? minMs : ownIntervalMs(polled, { minMs, maxMs })
  // While the venue tells it, an owner near danger is asked as rarely as one that is far from it: what is told again and
  // again is put right by that.
  const toldUntil = (since: number) =>
    Math.min((toldMono ?? -Infinity) + TOLD_FRESH_MS, since + calmIntervalMs({ minMs, maxMs }))
  const due = Math.max((readMono ?? 0) + interval, toldUntil(readMono ?? 0))
  const wanted =
    readMono === null
      ? -Infinity
      : confirm
        ? readMono + CONFIRM_MS
        : isHinted(polled)
          ? Math.min(due, readMono + minMs)
          : due
  if (triedMono === null || failures === 0) return wanted
  // A failed try is due again soon, but not at once: the venue may be drowning.
  // What is told of one that was never read rests on what an earlier run has seen.
  const leastMs = readMono === null ? FIRST_RETRY_MS : minMs
  const againMs = Math.max(leastMs, doubledMs(failures, { firstMs: FIRST_RETRY_MS, longestMs: interval }))
  const again = triedMono + againMs
  return confirm || readMono === null ? again : Math.max(again, toldUntil(triedMono))
}

/** A list has come since it was read, and says that it may have traded; what the venue tells by itself is as new. */
export function isHinted({ hintedMono, readMono, toldMono }: PolledWallet): boolean {
  return hintedMono !== null && hintedMono > Math.max(readMono ?? hintedMono, toldMono ?? -Infinity)
}

/**
 * How many times as often as others it is worth asking. Who trades does so in bursts, and the odds that he does again fall
 * with the time since: as the square root, which makes what is seen late least in sum. Latest of all is seen who sits down
 * again after hours: that is likeliest of those who open often, and more so than their few positions can tell.
 */
function eagerness({
  changedMono,
  readMono,
  opensAsOften,
}: Pick<PolledWallet, 'changedMono' | 'readMono' | 'opensAsOften'>): number {
  const calmMs = changedMono === null || readMono === null ? Infinity : Math.max(readMono - changedMono, 1)
  const lively = Math.min(Math.sqrt(CALM_AFTER_MS / calmMs), MOST_EAGER)
  return Math.max(lively, Math.min(opensAsOften ** 2, MOST_BUSY), 1)
}

/** Of one that is far from danger. */
function ownIntervalMs(polled: PolledWallet, ages: Ages): number {
  return Math.max(calmIntervalMs(ages) / eagerness(polled), ages.minMs)
}

/** What a calm one waits for its turn where this one has waited so long for its own. */
export function calmTurnMs(polled: PolledWallet, waitedMs: number, ages: Ages): number {
  const wishedMs = dueMono(polled, ages) - (polled.readMono ?? 0)
  return (waitedMs / wishedMs) * calmIntervalMs(ages)
}

/** Of one that is far from danger, and nothing is to be expected of. */
export function calmIntervalMs({ minMs, maxMs }: Ages): number {
  return Math.max(maxMs * EARLY, minMs)
}
