import { doubledMs } from '../../lib/time/backoff.ts'
import type { WalletDemand } from '../../venue/reading.ts'
import { UNKNOWN_EVERY_MS } from '../../venue/venue-load.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** A wallet as the schedule sees it. Times are monotonic milliseconds; null means never. */
export interface PolledWallet extends WalletDemand {
  readMono: number | null
  /** When the venue last pushed all of it. */
  pushedMono: number | null
  /** How rarely it is looked at while the venue pushes it. Left out: as rarely as one far from danger. */
  looks?: PushedLooks
  /** The venue does not know it, by its last answer. Left out: it does. */
  isUnknown?: boolean
  /** When the last attempt ended. */
  triedMono: number | null
  /** Failed attempts since the last read. */
  failures: number
  /** When its positions last changed, as far as seen. */
  changedMono: number | null
  /** When a list of markets last hinted that it may have traded. */
  hintedMono: number | null
  /** When a public trade last named it. Left out: never. */
  tradedMono?: number
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

/** Looks at a wallet that the push keeps current: they show what a push may leave out. */
export interface PushedLooks {
  /** The push has kept it current since then. Earlier pushes may have missed something. */
  sinceMono: number
  /** Each wallet has its own moment in this period. */
  everyMs: number
  /** The time in which all such wallets have a first look after the push began. */
  firstMs: number
}

/** A wallet that the venue does not know is read after three quarters of an hour at the earliest. */
const LEAST_OF_HOUR = 0.75
/** How long a push counts as current. Pushes come about every five seconds. */
export const PUSHED_FRESH_MS = 12_000
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
/** A failed look at a wallet that the push keeps current is repeated after this share of their interval. */
const FAILED_LOOK = 1 / 6

/** A wallet that nobody guards is read at least this often, unless a trade names it. */
const FOLLOWED_MAX_MS = 300_000

/** When the wallet should be read next: wallets far from danger in turn, near ones as often as allowed. */
export function dueMono(polled: PolledWallet, ages: Ages): number {
  const { minMs } = ages
  const maxMs = polled.isOnlyFollowed ? Math.max(ages.maxMs, FOLLOWED_MAX_MS) : ages.maxMs
  const { readMono, triedMono, pushedMono, failures, nearDanger, confirm } = polled
  const interval = nearDanger ? minMs : ownIntervalMs(polled, { minMs, maxMs })
  // While the venue pushes it, a wallet near danger is read as rarely as one far from it. Each push corrects the one
  // before.
  const pushedUntil = (since: number) =>
    Math.min((pushedMono ?? -Infinity) + PUSHED_FRESH_MS, rarestMono(polled, since, { minMs, maxMs }))
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
  if (confirm || readMono === null) return again
  const lookAgainMono = polled.looks ? triedMono + polled.looks.everyMs * FAILED_LOOK : Infinity
  return Math.max(again, Math.min(pushedUntil(triedMono), lookAgainMono))
}

/** The latest next read of a wallet that the push keeps current. */
function rarestMono({ wallet, looks }: PolledWallet, since: number, ages: Ages): number {
  if (looks === undefined) return since + calmIntervalMs(ages)
  const { sinceMono, everyMs, firstMs } = looks
  const place = placeOf(wallet)
  // After a start all are read at about the same time: looks have fixed moments, so that these do not bunch.
  const next = (Math.floor(since / everyMs - place) + 1 + place) * everyMs
  return since >= sinceMono ? next : Math.min(next, sinceMono + place * firstMs)
}

/** The place of a wallet among all, from 0 to 1: what all do in some time, each does at its own moment. */
function placeOf(wallet: Wallet): number {
  return (Math.imul(Number.parseInt(wallet.slice(-8), 16), SPREAD) >>> 0) / 2 ** 32
}

/** Turns numbers that are close to each other into distant ones: 2^32 by the golden ratio. */
const SPREAD = 0x9e3779b1

/** True if a trade named it since its last read: an alert waits for the next one. */
export function hasTraded({ tradedMono, readMono }: Pick<PolledWallet, 'tradedMono' | 'readMono'>): boolean {
  return tradedMono !== undefined && tradedMono > (readMono ?? -Infinity)
}

/** True if a hint is newer than the last read and the last push. */
export function isHinted({ hintedMono, readMono, pushedMono }: PolledWallet): boolean {
  return hintedMono !== null && hintedMono > Math.max(readMono ?? -Infinity, pushedMono ?? -Infinity)
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
  // After a start all are read at about the same time: from then on they spread.
  if (polled.isUnknown) return UNKNOWN_EVERY_MS * (LEAST_OF_HOUR + placeOf(polled.wallet) / 2)
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
