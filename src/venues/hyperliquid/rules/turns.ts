import type { Dex } from '../wire/dexes.ts'

/** What is known of when a book was asked for and told. Ticks; −∞ is never. */
export interface Told {
  /** When it was asked for last, whatever came of it. */
  triedMono: number
  /** When its figures were pushed last and could be used. */
  pushedMono: number
  /** The last figures did not fit to its list, which has changed. */
  changed: boolean
}

/** Pushed figures that are older than this are taken for silence. */
const FRESH_MS = 4_000
/** A book in which nobody needs anything is read so often, and the names of a pushed one, which may change places. */
const SELDOM_MS = 600_000
/** One of those at a time, so that a start does not spend what wallets need. */
const APART_MS = 10_000
/** One whose list has changed, when nobody needs it. */
const CHANGED_MS = 60_000
/** What fell silent is asked for so many at once: with the weight that may be spent at a stroke. */
const MOST_AT_ONCE = 3

export interface Turn {
  dexes: Dex[]
  /** Nobody needs them now. */
  seldom: boolean
}

/**
 * Which books are asked for now. A book weighs so much that they take turns: but what fell silent has been told lately and
 * is missed at once.
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
  // Before the first look at what everybody needs, nothing else is looked at.
  const isBegun = needed.every((dex) => dex !== null || told(dex).triedMono > -Infinity)
  if (isBegun && mono - seldomMono >= APART_MS) {
    const [due] = byAge(seldomDue(silent, all, told, mono))
    if (due !== undefined) return { dexes: [due], seldom: true }
  }
  return { dexes: byAge(silent.length > 0 ? silent : needed).slice(0, 1), seldom: false }
}

/** Whether a poll has something to do that pushed figures do not do. */
export function isPollWanted(
  needed: readonly Dex[],
  all: readonly Dex[],
  told: (dex: Dex) => Told,
  { mono, seldomMono }: { mono: number; seldomMono: number },
): boolean {
  const silent = needed.filter((dex) => !isPushed(told(dex), mono))
  return silent.length > 0 || (mono - seldomMono >= APART_MS && seldomDue([], all, told, mono).length > 0)
}

/** Of those that take no turn of their own, what has not been read for long. */
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

/** Infinities are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
