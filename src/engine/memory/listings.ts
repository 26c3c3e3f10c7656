import { type BookSeen, isMost, type Listing } from '../../venue/listing.ts'

/** What the venue lists, book by book, as its whole lists have shown it. */
export interface Roster {
  /** Whether the list has changed what is known. An older one changes nothing. */
  take(listing: Listing, tick: number): boolean
  /** What was told of it may not have been kept: the next list of each book is as if it had changed something. */
  doubt(): void
  /** By the name of the book, which is empty for the venue's own. */
  books(): ReadonlyMap<string, BookSeen>
}

/** For so long whole lists must lack a market, two of them at least; and if they lack most of a book, so long. */
const GONE_MS = 60_000
const MOST_GONE_MS = 600_000

interface Book extends BookSeen {
  symbols: Map<string, string>
  /** Since when each of them is missing. */
  missing: Map<string, number>
  firstTick: number
  lastTick: number
  doubted: boolean
}

export function createRoster(): Roster {
  const books = new Map<string, Book>()
  return {
    take({ book, symbols }, tick) {
      const known = books.get(book ?? '')
      // A list of nothing is no list: no venue takes all of its markets away at a stroke.
      if (symbols.size === 0) return false
      if (known) return tick > known.lastTick && renew(known, symbols, tick)
      const fresh = { symbols: new Map(symbols), missing: new Map(), firstTick: tick, lastTick: tick }
      books.set(book ?? '', { ...fresh, sureOf: 'nothing', doubted: false })
      return true
    },
    doubt() {
      for (const book of books.values()) book.doubted = true
    },
    books: () => books,
  }
}

function renew(book: Book, listed: ReadonlyMap<string, string>, tick: number): boolean {
  const { symbols, missing } = book
  book.lastTick = tick
  let changed = book.doubted
  book.doubted = false
  for (const [id, symbol] of listed) {
    missing.delete(id)
    changed ||= !symbols.has(id)
    symbols.set(id, symbol)
  }
  for (const id of symbols.keys()) if (!listed.has(id) && !missing.has(id)) missing.set(id, tick)
  const goneMs = isMost(missing.size, symbols.size) ? MOST_GONE_MS : GONE_MS
  for (const [id, since] of missing) {
    if (tick - since < goneMs) continue
    missing.delete(id)
    symbols.delete(id)
    changed = true
  }
  const sureOf = sure(tick - book.firstTick)
  changed ||= sureOf !== book.sureOf
  book.sureOf = sureOf
  return changed
}

function sure(ms: number): BookSeen['sureOf'] {
  if (ms < GONE_MS) return 'nothing'
  return ms < MOST_GONE_MS ? 'some' : 'all'
}
