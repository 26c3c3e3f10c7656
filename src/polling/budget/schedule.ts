import { doubledMs } from '../../lib/time/backoff.ts'
import type { WalletDemand } from '../../venue/reading.ts'

/** A wallet as the schedule sees it. Times are monotonic milliseconds; null means never. */
export interface PolledWallet extends WalletDemand {
  readMono: number | null
  /** When the venue last pushed all of it. */
  pushedMono: number | null
  /** When the last attempt ended. */
  triedMono: number | null
  /** Failed attempts since the last read. */
  failures: number
  /** When its positions last changed, as far as seen. */
  changedMono: number | null
  /** When a list of markets last hinted that it may have traded. */
  hintedMono: number | null
  /** When a missing position was last read again. Left out: never. */
  confirmedMono?: number
  /** Since when each wallet that trades is named at once. Left out: some are not. */
  heardMono?: number
  /** How often it opens or adds to positions, relative to the average; 1 if unknown. */
  opensAsOften: number
}

export interface Ages {
  minMs: number
  maxMs: number
}

/** How long a push counts as current. Pushes come about every five seconds. */
const PUSHED_FRESH_MS = 12_000
/** Share of the longest age at which a read starts, so that the answer arrives before the limit. */
const EARLY = 0.75
const CONFIRM_MS = 250
/** The same after a confirmation: first the engine takes its answer. */
const CONFIRM_AGAIN_MS = 1_000
/** A wallet whose last change is longer ago is no likelier to change than others. */
const CALM_AFTER_MS = 2 * 3_600_000
/** At most this many times as often is a wallet read that has just changed. */
const MAX_EAGERNESS = 6
/**
 * At most this many times as often is a wallet read that opens positions often. For most active traders, the known
 * positions do not show it.
 */
const MAX_BUSYNESS = 3
/** So many times as often is a wallet read that may have traded while nobody listened. */
const MISSED_EAGERNESS = 4
const FIRST_RETRY_MS = 1_000

/** When the wallet should be read next: wallets far from danger in turn, near ones as often as allowed. */
export function dueMono(polled: PolledWallet, { minMs, maxMs }: Ages): number {
  const { readMono, triedMono, pushedMono, failures, nearDanger, confirm } = polled
  const interval = nearDanger ? minMs : ownIntervalMs(polled, { minMs, maxMs })
  // While the venue pushes it, a wallet near danger is read as rarely as one far from it. Each push corrects the one
  // before.
  const pushedUntil = (since: number) =>
    Math.min((pushedMono ?? -Infinity) + PUSHED_FRESH_MS, since + calmIntervalMs({ minMs, maxMs }))
  const due = Math.max((readMono ?? 0) + interval, pushedUntil(readMono ?? 0))
  const wanted =
    readMono === null
      ? -Infinity
      : confirm
        ? Math.max(readMono + CONFIRM_MS, (polled.confirmedMono ?? -Infinity) + CONFIRM_AGAIN_MS)
        : isHinted(polled)
          ? Math.min(due, readMono + minMs)
          : due
  if (triedMono === null || failures === 0) return wanted
  // A failed read is retried soon, but not at once, as the venue may be overloaded. A wallet never read is retried
  // sooner: alerts about it rest on readings of an earlier run.
  const leastMs = readMono === null ? FIRST_RETRY_MS : minMs
  const againMs = Math.max(leastMs, doubledMs(failures, { firstMs: FIRST_RETRY_MS, longestMs: interval }))
  const again = triedMono + againMs
  return confirm || readMono === null ? again : Math.max(again, pushedUntil(triedMono))
}

/** True if a hint is newer than the last read and the last push. */
export function isHinted({ hintedMono, readMono, pushedMono }: PolledWallet): boolean {
  return hintedMono !== null && hintedMono > Math.max(readMono ?? hintedMono, pushedMono ?? -Infinity)
}

/**
 * How many times as often as others this wallet should be read. Trades come in bursts: the odds of another one fall
 * with the time since the last. The square root of that time minimizes the total delay. The longest delay is for a
 * first trade after hours. Such trades are likeliest for wallets that open often, more than their few positions can
 * show, hence the square.
 */
function eagerness({
  changedMono,
  readMono,
  opensAsOften,
}: Pick<PolledWallet, 'changedMono' | 'readMono' | 'opensAsOften'>): number {
  const calmMs = changedMono === null || readMono === null ? Infinity : Math.max(readMono - changedMono, 1)
  const lively = Math.min(Math.sqrt(CALM_AFTER_MS / calmMs), MAX_EAGERNESS)
  return Math.max(lively, Math.min(opensAsOften ** 2, MAX_BUSYNESS), 1)
}

/** Whether it may have traded unnoticed since its last read, and trades are heard by now. */
export function mayHaveTraded({
  heardMono,
  readMono,
}: Pick<PolledWallet, 'heardMono' | 'readMono'>): boolean {
  return heardMono !== undefined && readMono !== null && readMono < heardMono
}

/** The interval of a wallet far from danger. */
function ownIntervalMs(polled: PolledWallet, ages: Ages): number {
  const often = eagerness(polled) * (mayHaveTraded(polled) ? MISSED_EAGERNESS : 1)
  return Math.max(calmIntervalMs(ages) / often, ages.minMs)
}

/** Converts the wait of this wallet to the interval that a calm wallet would have had. */
export function calmTurnMs(polled: PolledWallet, waitedMs: number, ages: Ages): number {
  const wishedMs = dueMono(polled, ages) - (polled.readMono ?? 0)
  return (waitedMs / wishedMs) * calmIntervalMs(ages)
}

/** The interval of a calm wallet: far from danger, and no change expected. */
export function calmIntervalMs({ minMs, maxMs }: Ages): number {
  return Math.max(maxMs * EARLY, minMs)
}
