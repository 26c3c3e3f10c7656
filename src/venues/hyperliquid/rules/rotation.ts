import { doubledMs } from '../../../lib/time/backoff.ts'
import type { Dex } from '../wire/dexes.ts'

/** When a dex was last read and pushed, in monotonic ms; −∞ is never. */
export interface DexTimes {
  /** The last attempt to read it, successful or not. */
  triedMono: number
  /** The last push with usable figures. */
  pushedMono: number
  /** The last pushed figures did not fit its list, so the list has changed. */
  changed: boolean
  /** How often reading it has failed in a row, and when it may be tried again. */
  failures: number
  againMono: number
}

/** A dex counts as silent when its last push is older than this. */
const FRESH_MS = 4_000
/** Reads a dex that nobody needs this often. Pushed dexes too, because their lists may change order. */
const SELDOM_MS = 600_000
/** The pause between two such reads, so that a start leaves enough weight for wallets. */
const APART_MS = 10_000
/** Reads a changed list after this, even if nobody needs the dex. */
const CHANGED_MS = 60_000
/**
 * A builder's dex that fails is retried more rarely: its requests are the weight of ten wallets. The longest pause costs
 * 75 of the 1,200 weight a minute. A single dex that works again is seen within that pause.
 */
const FAILED = { firstMs: 4_000, longestMs: 16_000 }
/** The pause between two retries where several dexes fail: together they take no more than one does. */
const RETRIES_APART_MS = FAILED.longestMs
/** The most silent dexes that one poll reads. Their weight fits in one burst of the budget. */
const MAX_SILENT_DEXES_PER_POLL = 3

export interface DexTurn {
  dexes: Dex[]
  /** Nobody needs these dexes now. */
  seldom: boolean
}

/** When to try a dex again that failed this often in a row. The main dex always takes its turn. */
export function retryAfterMs(dex: Dex, failures: number): number {
  return dex === null || failures === 0 ? 0 : doubledMs(failures, FAILED)
}

/**
 * Chooses the dexes to read now. One dex weighs so much that they take turns. A dex whose push has just
 * stopped is missed at once, so it comes first.
 */
export function dexesToRead(
  needed: readonly Dex[],
  all: readonly Dex[],
  timesOf: (dex: Dex) => DexTimes,
  { mono, seldomMono }: { mono: number; seldomMono: number },
): DexTurn {
  const allowed = needed.filter((dex) => isAllowed(dex, needed, timesOf, mono))
  const silent = allowed.filter((dex) => !isPushed(timesOf(dex), mono))
  const byAge = (dexes: readonly Dex[]) =>
    dexes.toSorted((a, b) => compare(timesOf(a).triedMono, timesOf(b).triedMono))
  const missed = silent.filter((dex) => timesOf(dex).pushedMono > timesOf(dex).triedMono)
  if (missed.length > 0) return { dexes: byAge(missed).slice(0, MAX_SILENT_DEXES_PER_POLL), seldom: false }
  // Nothing else is read before the main dex has been tried once.
  const isBegun = needed.every((dex) => dex !== null || timesOf(dex).triedMono > -Infinity)
  if (isBegun && mono - seldomMono >= APART_MS) {
    const [due] = byAge(seldomDue(silent, all, timesOf, mono))
    if (due !== undefined) return { dexes: [due], seldom: true }
  }
  return { dexes: byAge(silent.length > 0 ? silent : allowed).slice(0, 1), seldom: false }
}

/** Whether a poll could add anything to the pushed figures. */
export function isPollWanted(
  needed: readonly Dex[],
  all: readonly Dex[],
  timesOf: (dex: Dex) => DexTimes,
  { mono, seldomMono }: { mono: number; seldomMono: number },
): boolean {
  const silent = needed.filter(
    (dex) => isAllowed(dex, needed, timesOf, mono) && !isPushed(timesOf(dex), mono),
  )
  return silent.length > 0 || (mono - seldomMono >= APART_MS && seldomDue([], all, timesOf, mono).length > 0)
}

function isAllowed(dex: Dex, needed: readonly Dex[], timesOf: (dex: Dex) => DexTimes, mono: number): boolean {
  const { againMono, failures } = timesOf(dex)
  if (againMono > mono) return false
  const isRetry = (one: Dex) => one !== null && timesOf(one).failures > 0
  return (
    dex === null ||
    failures === 0 ||
    needed.every((one) => one === dex || !isRetry(one) || mono - timesOf(one).triedMono >= RETRIES_APART_MS)
  )
}

/** The dexes outside of the regular turns that have not been read for long. */
function seldomDue(
  silent: readonly Dex[],
  all: readonly Dex[],
  timesOf: (dex: Dex) => DexTimes,
  mono: number,
): Dex[] {
  return all.filter((dex) => {
    const { triedMono, changed, againMono } = timesOf(dex)
    return (
      againMono <= mono && !silent.includes(dex) && mono - triedMono >= (changed ? CHANGED_MS : SELDOM_MS)
    )
  })
}

export function isPushed({ pushedMono }: DexTimes, mono: number): boolean {
  return mono - pushedMono < FRESH_MS
}

/** Equal infinities must give 0, not NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
