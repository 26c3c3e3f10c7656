import type { Clock } from '../../runtime/clock.ts'
import type { VenueCall } from '../../runtime/event.ts'
import type { Amount } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { type Asking, type MarketsAnswer, VenueError } from '../../venue/venue.ts'
import { unreadable } from '../http/refusal.ts'
import type { Info } from './info.ts'
import { BUILDERS, failedParts, inTime, whyOf } from './rules/parts.ts'
import { isPollWanted, type Told, turnOf } from './rules/turns.ts'
import { accountOf, type Book, bookOf, type Dex } from './wire/dexes.ts'
import { type BookRead, type Terms, zip } from './wire/markets.ts'

/** Which books there are changes every few weeks. */
const DEXES_EVERY_MS = 3_600_000
/** A market is served from the last list for so long: a request for one costs as much as all. */
const FRESH_MS = 5_000

export interface Books {
  /** Those of the venue's builders, which is not every poll's question. */
  dexes(call: VenueCall, asking: Asking): Promise<Dex[]>
  /**
   * One book a poll: a second one would leave nothing of what the venue allows for wallets. The venue's own and those that
   * are needed come in turn, and at times one of the others.
   */
  markets(asking: Asking, needed: readonly string[]): Promise<MarketsAnswer>
  /** Figures that were told without being asked for. `whole`: no poll has anything to add to them. */
  tell(figures: readonly Figures[], needed: readonly string[]): { answer: MarketsAnswer; whole: boolean }
  market(
    id: string,
    call: VenueCall,
    asking: Asking,
  ): Promise<{ market: Market; terms: Terms; dex: Dex | null }>
  /** The token in which a book counts; null before it was read. */
  collateral(book: Book): number | null
}

/** What a push says of one book: a context for each place of its list. */
interface Figures {
  book: Book
  contexts: readonly unknown[]
}

interface Listed {
  read: BookRead
  tick: number
  listTick: number
  /** Since when markets look as if they had been delisted. */
  leaving: ReadonlyMap<string, number>
}

type Settled = PromiseSettledResult<BookRead>
const NEVER: Told = { triedTick: -Infinity, pushedTick: -Infinity, changed: false }

/** What is known of the venue's books, each as it was last read. */
export function createBooks({ info, clock }: { info: Info; clock: Clock }): Books {
  const books = new Map<Book, Listed>()
  const known = new Map<Book, Told>()
  let dexes: { list: Dex[]; tick: number } | null = null
  let asked: Promise<Dex[]> | null = null
  let seldomTick = -Infinity

  async function readBook(book: Book, call: VenueCall, asking: Asking): Promise<BookRead> {
    const read = await info.markets(book, call, asking)
    books.set(book, { read, tick: clock.tick(), listTick: clock.tick(), leaving: leavingOf(book) })
    note(book, { changed: false })
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

  function leavingOf(book: Book): ReadonlyMap<string, number> {
    return books.get(book)?.leaving ?? new Map()
  }

  function toldOf(book: Book): Told {
    return known.get(book) ?? NEVER
  }

  function note(book: Book, news: Partial<Told>): void {
    known.set(book, { ...toldOf(book), ...news })
  }

  /** The venue's own first, and those of its builders' that are needed, as far as there are such. */
  function booksOf(needed: readonly string[]): Book[] {
    const named = new Set(needed.map(bookOf))
    const exists = (book: Book) => !dexes || dexes.list.some(({ name }) => name === book)
    return [null, ...[...named].filter((book) => book !== null && exists(book))]
  }

  const allBooks = (): Book[] => (dexes ? [null, ...dexes.list.map(({ name }) => name)] : [])
  const now = () => ({ tick: clock.tick(), seldomTick })

  return {
    dexes: dexesNow,
    async markets(asking, needed) {
      const within = inTime(clock, asking)
      const turn = turnOf(booksOf(needed), allBooks(), toldOf, now())
      if (turn.seldom) seldomTick = clock.tick()
      for (const book of turn.books) note(book, { triedTick: clock.tick() })
      const asked = turn.books.map((book) => readBook(book, 'markets', within()))
      const [listed, ...answers] = await Promise.allSettled([dexesNow('markets', within()), ...asked])
      const reads = turn.books.map((book, place) => [book, answers[place]] as [Book, Settled])
      const failed = answers.every(({ status }) => status === 'rejected')
      if (failed && !turn.books.includes(null) && !asking.signal.aborted) {
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
        listings: whole.flatMap(({ listing }) => listing ?? []),
      }
    },
    tell(figures, needed) {
      const told = figures.map(({ book, contexts }): MarketsAnswer => {
        const before = books.get(book)
        if (!before) return unread(book, 'its list of markets is not read yet')
        try {
          const { leaving: names, ...read } = zip(before.read.universe, contexts)
          if (isShuffled(before.read.markets, read.markets)) throw unreadable('its list may have changed')
          const leaving = new Map(names.map((id) => [id, before.leaving.get(id) ?? clock.tick()]))
          books.set(book, { ...before, read: { ...before.read, ...read }, tick: clock.tick(), leaving })
          // Until its list was read since then: a delisted one has no price, and one that is halted has.
          const doubtful = new Set(names.filter((id) => (leaving.get(id) ?? 0) >= before.listTick))
          const isMissed = needed.some((id) => doubtful.has(id))
          const changed = toldOf(book).changed || leaving.size > 0
          note(book, { pushedTick: isMissed ? -Infinity : clock.tick(), changed })
          const markets = read.markets.filter(({ id }) => !doubtful.has(id))
          return { markets, unusable: read.unusable, unread: [] }
        } catch (error) {
          note(book, { pushedTick: -Infinity, changed: true })
          return unread(book, error instanceof Error ? error.message : String(error))
        }
      })
      return {
        answer: {
          markets: told.flatMap((each) => each.markets),
          unusable: told.flatMap((each) => each.unusable),
          unread: told.flatMap((each) => each.unread),
        },
        whole: !isPollWanted(booksOf(needed), allBooks(), toldOf, now()),
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

function unread(book: Book, why: string): MarketsAnswer {
  return { markets: [], unusable: [], unread: [{ part: accountOf(book), why }] }
}

/** A price that is another by this factor, from one second to the next. */
const FACTOR = 2n

/**
 * Whether names have rather changed places than prices: figures come without names, and their number may stay the same.
 * One market may do that by itself, two at once hardly; and in a crash, in which many do, the price of the day before stays.
 */
function isShuffled(before: readonly Market[], after: readonly Market[]): boolean {
  const known = new Map(before.map((market) => [market.id, market]))
  const odd = after.filter((market) => {
    const was = known.get(market.id)
    if (was === undefined || !isAnother(was.price, market.price)) return false
    const [then, now] = [was.price24hAgo, market.price24hAgo]
    return then === null || now === null || isAnother(then, now)
  })
  return odd.length > 1
}

function isAnother(before: Amount, after: Amount): boolean {
  return after >= before * FACTOR || before >= after * FACTOR
}
