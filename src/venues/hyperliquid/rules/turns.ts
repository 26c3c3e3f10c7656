import type { Dex } from '../wire/dexes.ts'

/** When a dex was last read and pushed, in monotonic ms; −∞ is never. */
export interface Told {
  /** The last attempt to read it, successful or not. */
  triedMono: number
  /** The last push with usable figures. */
  pushedMono: number
  /** The last pushed figures did not fit its list, so the list has changed. */
  changed: boolean
}

/** A dex counts as silent when its last push is older than this. */
const FRESH_MS = 4_000
/** Reads a dex that nobody needs this often. Pushed dexes too, because their lists may change order. */
const SELDOM_MS = 600_000
/** The pause between two such reads, so that a start leaves enough weight for wallets. */
const APART_MS = 10_000
/** Reads a changed list after this, even if nobody needs the dex. */
const CHANGED_MS = 60_000
/** The most silent dexes that one poll reads. Their weight fits in one burst of the budget. */
const MOST_AT_ONCE = 3

export interface Turn {
  dexes: Dex[]
  /** Nobody needs these dexes now. */
  seldom: boolean
}

/**
 * Chooses the dexes to read now. One dex weighs so much that they take turns. A dex whose push has just
 * stopped is missed at once, so it comes first.
 */
export function turnOf(
  needed: readonly Dex[],
  all: readonly Dex[],
  told: (dex: Dex) => Told,
  { mono, seldomMono }: { mono: number; seldomMono: number },
): Turn {
  const silent = needed.filter((dex) => !isPushed(told(dex), mono))
  const byAge = (dexes: readonly Dex[]) =>
    dexes.toSorted((a, b) => compare(told(a).triedMono, told(b).triedMono))
  const missed = silent.filter((dex) => told(dex).pushedMono > told(dex).triedMono)
  if (missed.length > 0) return { dexes: byAge(missed).slice(0, MOST_AT_ONCE), seldom: false }
  // Nothing else is read before the main dex has been tried once.
  const isBegun = needed.every((dex) => dex !== null || told(dex).triedMono > -Infinity)
  if (isBegun && mono - seldomMono >= APART_MS) {
    const [due] = byAge(seldomDue(silent, all, told, mono))
    if (due !== undefined) return { dexes: [due], seldom: true }
  }
  return { dexes: byAge(silent.length > 0 ? silent : needed).slice(0, 1), seldom: false }
}

/** Whether a poll could add anything to the pushed figures. */
export function isPollWanted(
  needed: readonly Dex[],
  all: readonly Dex[],
  told: (dex: Dex) => Told,
  { mono, seldomMono }: { mono: number; seldomMono: number },
): boolean {
  const silent = needed.filter((dex) => !isPushed(told(dex), mono))
  return silent.length > 0 || (mono - seldomMono >= APART_MS && seldomDue([], all, told, mono).length > 0)
}

/** The dexes outside of the regular turns that have not been read for long. */
function seldomDue(
  silent: readonly Dex[],
  all: readonly Dex[],
  told: (dex: Dex) => Told,
  mono: number,
): Dex[] {
  return all.filter((dex) => {
    const { triedMono, changed } = told(dex)
    return !silent.includes(dex) && mono - triedMono >= (changed ? CHANGED_MS : SELDOM_MS)
  })
}

function isPushed({ pushedMono }: Told, mono: number): boolean {
  return mono - pushedMono < FRESH_MS
}

/** Equal infinities must give 0, not NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
