import type { Account } from '../../account.ts'
import type { Clock } from '../../clock.ts'
import { remember } from '../../lib/remember.ts'
import type { Owner } from '../../owner.ts'
import type { Asking, PositionsAnswer, Unread } from '../../venue.ts'
import { accountsOf } from './accounts.ts'
import type { Counted } from './accounts.ts'
import { accountOf } from './book.ts'
import type { Book } from './book.ts'
import type { Info } from './info.ts'
import type { Books } from './markets.ts'
import { BUILDERS, failedParts, inTime } from './parts.ts'
import type { Spot } from './wire/spot.ts'
import type { BookState } from './wire/state.ts'

/** Positions may be opened in a book where there were none, and the account's mode may be changed. */
const LOOK_AROUND_MS = 3_600_000
/** A look at an empty book that failed is tried again after this: nothing is known to be there. */
const AGAIN_MS = 300_000
/** A book that has become empty is read for so long as one that holds something: one answer proves nothing. */
const LINGER_MS = 600_000
/** What lies outside of the books moves with prices as well: older than this it says nothing of an account. */
const SPOT_FRESH_MS = 12_000
const MOST_WALLETS = 20_000

/** What is known of a wallet, so that not everything is asked every time. */
interface Known {
  /** By book: when it is to be looked at although it was empty, and when it last held something. */
  books: Map<Book, { lookTick: number; heldTick: number }>
  /** Null is a mode that could not be read. */
  mode: { is: Account['mode'] | null; dueTick: number }
  /** As it was read or told last. */
  spot: { is: Spot; tick: number } | null
}

export interface Wallets {
  positions(owner: Owner, asking: Asking): Promise<PositionsAnswer>
  /** What was told of a wallet without being asked for: every book that there is, and lately its collateral. */
  tell(
    owner: Owner,
    states: readonly BookState[],
    unread: Unread[],
  ): { answer: PositionsAnswer; whole: boolean }
  /** Its balances outside of the books, told likewise. */
  tellSpot(owner: Owner, spot: Spot): void
  /** Whether its collateral lies outside of the books; null while nobody has asked. */
  sharesCollateral(owner: Owner): boolean | null
  /** Those of one wallet; the venue's own is always among them. */
  heldBooks(owner: Owner): Book[]
  mode(owner: Owner, call: 'positions' | 'preview', asking: Asking): Promise<Account['mode'] | null>
}

export function createWallets({ info, books, clock }: { info: Info; books: Books; clock: Clock }): Wallets {
  const wallets = new Map<Owner, Known>()

  function knownOf(owner: Owner): Known {
    const known = wallets.get(owner) ?? {
      books: new Map(),
      mode: { is: null, dueTick: -Infinity },
      spot: null,
    }
    remember(wallets, owner, known, MOST_WALLETS)
    return known
  }

  function isHeld(known: Known, book: Book): boolean {
    return clock.tick() - (known.books.get(book)?.heldTick ?? -Infinity) < LINGER_MS
  }

  function isDue(known: Known, book: Book): boolean {
    const seen = known.books.get(book)
    return book === null || !seen || isHeld(known, book) || clock.tick() >= seen.lookTick
  }

  function takeState(known: Known, { book, held, unusable }: BookState): void {
    const tick = clock.tick()
    const holds = held.length + unusable.length > 0
    const heldTick = holds ? tick : (known.books.get(book)?.heldTick ?? -Infinity)
    known.books.set(book, { lookTick: tick + LOOK_AROUND_MS, heldTick })
  }

  async function modeOf(
    owner: Owner,
    call: 'positions' | 'preview',
    asking: Asking,
  ): Promise<Account['mode'] | null> {
    const known = knownOf(owner)
    if (clock.tick() < known.mode.dueTick) return known.mode.is
    try {
      known.mode = { is: await info.mode(owner, call, asking), dueTick: clock.tick() + LOOK_AROUND_MS }
    } catch {
      known.mode = { ...known.mode, dueTick: clock.tick() + AGAIN_MS }
    }
    return known.mode.is
  }

  /** The accounts are beside the point of a read: without their mode or their collateral the positions stand. */
  async function readAccounts(
    owner: Owner,
    states: readonly BookState[],
    asking: Asking,
  ): Promise<Account[]> {
    const mode = await modeOf(owner, 'positions', asking)
    if (mode === null) return []
    const spot: Spot | null =
      mode === 'single' ? null : await info.spot(owner, 'positions', asking).catch(() => null)
    if (spot) knownOf(owner).spot = { is: spot, tick: clock.tick() }
    return accounts(owner, mode, states, spot)
  }

  function accounts(
    owner: Owner,
    mode: Account['mode'],
    states: readonly BookState[],
    spot: Spot | null,
  ): Account[] {
    const counted = states
      .filter(({ book, held }) => book === null || held.length > 0)
      .flatMap((state): Counted[] => {
        const collateral = books.collateral(state.book) ?? (state.book === null ? 0 : null)
        return collateral === null ? [] : [{ state, collateral }]
      })
    return accountsOf(owner, mode, counted, spot)
  }

  return {
    mode: modeOf,
    heldBooks(owner) {
      const known = knownOf(owner)
      return [null, ...[...known.books.keys()].filter((book) => book !== null && isHeld(known, book))]
    },
    sharesCollateral(owner) {
      const mode = wallets.get(owner)?.mode.is ?? null
      return mode === null ? null : mode !== 'single'
    },
    tellSpot(owner, spot) {
      knownOf(owner).spot = { is: spot, tick: clock.tick() }
    },
    tell(owner, states, unread) {
      const known = knownOf(owner)
      for (const state of states) takeState(known, state)
      const { mode, spot } = known
      // Balances are told when something happens to them, and not when prices move them: then they have to be read.
      const isFresh = spot !== null && clock.tick() - spot.tick <= SPOT_FRESH_MS
      return {
        answer: {
          positions: states.flatMap(({ held }) => held.map(({ position }) => position)),
          accounts: mode.is === null ? [] : accounts(owner, mode.is, states, isFresh ? spot.is : null),
          unusable: states.flatMap(({ unusable }) => unusable),
          unread,
          totalCount: null,
        },
        whole: mode.is === 'single' || (mode.is !== null && isFresh),
      }
    },
    async positions(owner, asking) {
      const within = inTime(clock, asking)
      const known = knownOf(owner)
      const read = (book: Book) => info.state(owner, book, 'positions', within())
      const main = read(null)
      // Told with the other parts.
      main.catch(() => {})
      const listed = await books.dexes('positions', within()).then(
        (dexes) => dexes.map(({ name }) => name),
        () => null,
      )
      const names = listed ?? [...known.books.keys()].filter((book) => book !== null)
      const parts: Book[] = [null, ...names.filter((book) => isDue(known, book))]
      const reads = await Promise.allSettled([main, ...parts.slice(1).map(read)])
      const states = reads.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      const failed = failedParts(parts.map(accountOf), reads)
      // Nothing was in it when it was last looked at: that it does not answer now hides nothing that we know of.
      const idle = new Set(
        parts.filter((book) => book !== null && known.books.has(book) && !isHeld(known, book)).map(accountOf),
      )
      for (const { part } of failed) {
        const seen = known.books.get(part)
        if (idle.has(part) && seen) seen.lookTick = clock.tick() + AGAIN_MS
      }
      for (const state of states) takeState(known, state)
      const unread: Unread[] = failed.filter(({ part }) => !idle.has(part))
      if (listed === null && known.books.size <= 1) {
        unread.push({ part: BUILDERS, why: 'which of them there are is not known yet' })
      }
      return {
        positions: states.flatMap(({ held }) => held.map(({ position }) => position)),
        accounts: await readAccounts(owner, states, within()),
        unusable: states.flatMap(({ unusable }) => unusable),
        unread,
        totalCount: null,
      }
    },
  }
}
