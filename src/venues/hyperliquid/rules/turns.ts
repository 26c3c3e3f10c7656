import type { Book } from '../wire/dexes.ts'

/** What is known of when a book was asked for and told. Ticks; −∞ is never. */
export interface Told {
  /** When it was asked for last, whatever came of it. */
  triedTick: number
  /** When its figures were pushed last and could be used. */
  pushedTick: number
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
  books: Book[]
  /** Nobody needs them now. */
  seldom: boolean
}

/**
 * Which books are asked for now. A book weighs so much that they take turns: but what fell silent has been told lately and
 * is missed at once.
 */
export function turnOf(
  needed: readonly Book[],
  all: readonly Book[],
  told: (book: Book) => Told,
  { tick, seldomTick }: { tick: number; seldomTick: number },
): Turn {
  const silent = needed.filter((book) => !isPushed(told(book), tick))
  const byAge = (books: readonly Book[]) =>
    books.toSorted((a, b) => compare(told(a).triedTick, told(b).triedTick))
  const missed = silent.filter((book) => told(book).pushedTick > told(book).triedTick)
  if (missed.length > 0) return { books: byAge(missed).slice(0, MOST_AT_ONCE), seldom: false }
  // Before the first look at what everybody needs, nothing else is looked at.
  const isBegun = needed.every((book) => book !== null || told(book).triedTick > -Infinity)
  if (isBegun && tick - seldomTick >= APART_MS) {
    const [due] = byAge(seldomDue(silent, all, told, tick))
    if (due !== undefined) return { books: [due], seldom: true }
  }
  return { books: byAge(silent.length > 0 ? silent : needed).slice(0, 1), seldom: false }
}

/** Whether a poll has something to do that pushed figures do not do. */
export function isPollWanted(
  needed: readonly Book[],
  all: readonly Book[],
  told: (book: Book) => Told,
  { tick, seldomTick }: { tick: number; seldomTick: number },
): boolean {
  const silent = needed.filter((book) => !isPushed(told(book), tick))
  return silent.length > 0 || (tick - seldomTick >= APART_MS && seldomDue([], all, told, tick).length > 0)
}

/** Of those that take no turn of their own, what has not been read for long. */
function seldomDue(
  silent: readonly Book[],
  all: readonly Book[],
  told: (book: Book) => Told,
  tick: number,
): Book[] {
  return all.filter((book) => {
    const { triedTick, changed } = told(book)
    return !silent.includes(book) && tick - triedTick >= (changed ? CHANGED_MS : SELDOM_MS)
  })
}

function isPushed({ pushedTick }: Told, tick: number): boolean {
  return tick - pushedTick < FRESH_MS
}

/** Infinities are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
