import type { Clock } from '../../clock.ts'
import type { VenueCall } from '../../event.ts'
import type { Market } from '../../market.ts'
import { VenueError } from '../../venue.ts'
import type { Asking, MarketsAnswer } from '../../venue.ts'
import { accountOf, bookOf } from './book.ts'
import type { Book } from './book.ts'
import type { Info } from './info.ts'
import { BUILDERS, failedParts, inTime, whyOf } from './parts.ts'
import type { Dex } from './wire/dexes.ts'
import type { BookRead, Terms } from './wire/markets.ts'

/** Which books there are changes every few weeks. */
const DEXES_EVERY_MS = 3_600_000
/** A book in which no known wallet holds anything is read so often, for lists and searches. */
const IDLE_BOOK_EVERY_MS = 600_000
/** One of them at a time, so that a start does not spend what wallets need. */
const IDLE_BOOKS_APART_MS = 10_000
/** A market is served from the last list for so long: a request for one costs as much as all. */
const FRESH_MS = 5_000

export interface Books {
  /** Those of the venue's builders, which is not every poll's question. */
  dexes(call: VenueCall, asking: Asking): Promise<Dex[]>
  /**
   * One book a poll: a second one would leave nothing of what the venue allows for wallets. The venue's own and those that
   * are needed come in turn, and at times one of the others.
   */
  markets(needed: readonly Book[], asking: Asking): Promise<MarketsAnswer>
  market(
    id: string,
    call: VenueCall,
    asking: Asking,
  ): Promise<{ market: Market; terms: Terms; dex: Dex | null }>
  /** The token in which a book counts; null before it was read. */
  collateral(book: Book): number | null
}

/** What is known of the venue's books, each as it was last read. */
export function createBooks({ info, clock }: { info: Info; clock: Clock }): Books {
  const books = new Map<Book, { read: BookRead; tick: number }>()
  let dexes: { list: Dex[]; tick: number } | null = null
  let asked: Promise<Dex[]> | null = null
  const triedAt = new Map<Book, number>()
  let idleTick = -Infinity

  async function readBook(book: Book, call: VenueCall, asking: Asking): Promise<BookRead> {
    const read = await info.markets(book, call, asking)
    books.set(book, { read, tick: clock.tick() })
    return read
  }

  async function dexesNow(call: VenueCall, asking: Asking): Promise<Dex[]> {
    if (dexes && clock.tick() - dexes.tick < DEXES_EVERY_MS) return dexes.list
    const before = asked
    // Many wallets at a start ask the same; whoever asked first may have given up.
    const list = await (before?.catch(() => null) ?? null)
    if (list) return list
    asked = info.dexes(call, asking)
    try {
      dexes = { list: await asked, tick: clock.tick() }
      return dexes.list
    } catch (error) {
      if (dexes && !asking.signal.aborted) return dexes.list
      throw error
    } finally {
      asked = null
    }
  }

  function ageOf(book: Book): number {
    return clock.tick() - (triedAt.get(book) ?? -Infinity)
  }

  /** Whose turn it is: of those that are due, the one that was not asked for longest; the venue's own first. */
  function nextBook(needed: readonly Book[]): Book {
    const wanted = new Set<Book>([null, ...needed])
    if (dexes && triedAt.has(null) && clock.tick() - idleTick >= IDLE_BOOKS_APART_MS) {
      const idle = dexes.list
        .map(({ name }) => name)
        .filter((name) => !wanted.has(name) && ageOf(name) >= IDLE_BOOK_EVERY_MS)
      const [oldest] = idle.toSorted(byAge)
      if (oldest !== undefined) {
        idleTick = clock.tick()
        return oldest
      }
    }
    const [oldest = null] = [...wanted].toSorted(byAge)
    return oldest
  }

  function byAge(a: Book, b: Book): number {
    return (triedAt.get(a) ?? -Infinity) < (triedAt.get(b) ?? -Infinity) ? -1 : 1
  }

  return {
    dexes: dexesNow,
    async markets(needed, asking) {
      const within = inTime(clock, asking)
      const book = nextBook(needed)
      triedAt.set(book, clock.tick())
      const [read, listed] = await Promise.allSettled([
        readBook(book, 'markets', within()),
        dexesNow('markets', within()),
      ])
      const reads: [Book, PromiseSettledResult<BookRead>][] = [[book, read]]
      if (read.status === 'rejected' && book !== null && !asking.signal.aborted) {
        // One builder's book that fails must not make the venue look down.
        const [main] = await Promise.allSettled([readBook(null, 'markets', within())])
        reads.push([null, main])
      }
      const unread = failedParts(
        reads.map(([each]) => accountOf(each)),
        reads.map(([, each]) => each),
      )
      if (listed.status === 'rejected' && dexes === null) {
        unread.push({ part: BUILDERS, why: whyOf(listed) })
      }
      const whole = reads.flatMap(([, each]) => (each.status === 'fulfilled' ? [each.value] : []))
      return {
        markets: whole.flatMap(({ markets }) => markets),
        unusable: whole.flatMap(({ unusable }) => unusable),
        unread,
      }
    },
    async market(id, call, asking) {
      const within = inTime(clock, asking)
      const book = bookOf(id)
      const dex = book === null ? null : (await dexesNow(call, within())).find(({ name }) => name === book)
      const known = books.get(book)
      const fresh = known && clock.tick() - known.tick <= FRESH_MS ? known.read : null
      const read = fresh ?? (dex === undefined ? null : await readBook(book, call, within()))
      const market = read?.markets.find((each) => each.id === id)
      const terms = read?.terms.get(id)
      if (!market || !terms) {
        throw new VenueError(
          { is: 'unreadable', why: 'it has no such market' },
          `The venue has no market ${id.slice(0, 40)}.`,
        )
      }
      return { market, terms, dex: dex ?? null }
    },
    collateral: (book) => books.get(book)?.read.collateral ?? null,
  }
}
