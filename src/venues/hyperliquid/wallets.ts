import { remember } from '../../lib/data/remember.ts'
import { doubledMs } from '../../lib/time/backoff.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Account } from '../../venue/account.ts'
import { type Asking, OTHERS, type PositionsAnswer, type Unread } from '../../venue/venue.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Info } from './info.ts'
import type { Books } from './markets.ts'
import { accountsOf, type Counted } from './rules/accounts.ts'
import { failedParts, inTime, isQueued } from './rules/parts.ts'
import { accountOf, type Book } from './wire/dexes.ts'
import type { Spot } from './wire/spot.ts'
import type { BookState } from './wire/state.ts'

/** Positions may be opened in a book where there were none, and the account's mode may be changed. */
const LOOK_AROUND_MS = 3_600_000
/** A look at an empty book that failed is tried again after this: nothing is known to be there. */
const AGAIN_MS = 300_000
/** Without its mode nothing is known of an account: it is asked for soon, and ever more rarely. */
const MODE_AGAIN = { firstMs: 10_000, longestMs: AGAIN_MS }
/** A book that has become empty is read for so long as one that holds something: one answer proves nothing. */
const LINGER_MS = 600_000
/** What lies outside of the books moves with prices as well: older than this it says nothing of an account. */
const SPOT_FRESH_MS = 12_000
/** The same moment told for longer is no news: what tells it has stopped. */
const FROZEN_MS = 12_000
const MOST_WALLETS = 20_000

/** What is known of a wallet, so that not everything is asked every time. */
interface Known {
  /** By book: when it is to be looked at although it was empty, whether it held something at the last look, and when it did. */
  books: Map<Book, { lookTick: number; holds: boolean; heldTick: number }>
  /** Null is a mode that could not be read. */
  mode: { is: Account['mode'] | null; dueTick: number; failures: number }
  /** As it was read or told last. */
  spot: { is: Spot; tick: number } | null
  /** Of which moment by the venue's clock the last answer was, and when that came first. */
  asOf: { time: number; tick: number }
}

/** What was seen of a wallet: books, all that there are in their order, and whether none of those that matter is lacking. */
interface Looked {
  states: readonly BookState[]
  order: readonly Book[]
  whole: boolean
}

export interface Wallets {
  positions(owner: Owner, asking: Asking): Promise<PositionsAnswer>
  /**
   * What was told of a wallet without being asked for: every book that there is, and lately its collateral. Null where it is
   * older than what is known, and nothing to go by.
   */
  tell(
    owner: Owner,
    states: readonly BookState[],
    unread: Unread[],
  ): { answer: PositionsAnswer; whole: boolean } | null
  /** Its balances outside of the books, told likewise. */
  tellSpot(owner: Owner, spot: Spot): void
  /** Whether its collateral lies outside of the books; null while nobody has asked. */
  sharesCollateral(owner: Owner): boolean | null
  /** Those of one wallet; the venue's own is always among them. */
  heldBooks(owner: Owner): Book[]
  emptyBooks(owner: Owner): Book[]
  mode(owner: Owner, call: 'positions' | 'preview', asking: Asking): Promise<Account['mode'] | null>
}

export function createWallets({ info, books, clock }: { info: Info; books: Books; clock: Clock }): Wallets {
  const wallets = new Map<Owner, Known>()

  function knownOf(owner: Owner): Known {
    const known = wallets.get(owner) ?? {
      books: new Map(),
      mode: { is: null, dueTick: -Infinity, failures: 0 },
      spot: null,
      asOf: { time: -Infinity, tick: -Infinity },
    }
    remember(wallets, owner, known, MOST_WALLETS)
    return known
  }

  function isHeld(known: Known, book: Book): boolean {
    const seen = known.books.get(book)
    // However long it could not be read, what was in it is there until a look shows that it is not.
    return seen !== undefined && (seen.holds || clock.tick() - seen.heldTick < LINGER_MS)
  }

  function isDue(known: Known, book: Book): boolean {
    const seen = known.books.get(book)
    return book === null || !seen || isHeld(known, book) || clock.tick() >= seen.lookTick
  }

  function takeState(known: Known, { book, held, unusable }: BookState): void {
    const tick = clock.tick()
    const holds = held.length + unusable.length > 0
    const before = known.books.get(book)
    // One that is empty for the first time is read again: one answer proves nothing.
    const heldTick = holds || before?.holds ? tick : (before?.heldTick ?? -Infinity)
    known.books.set(book, { lookTick: tick + LOOK_AROUND_MS, holds, heldTick })
  }

  function takeTime(known: Known, time: number): void {
    if (time !== known.asOf.time && time > -Infinity) known.asOf = { time, tick: clock.tick() }
  }

  async function modeOf(
    owner: Owner,
    call: 'positions' | 'preview',
    asking: Asking,
  ): Promise<Account['mode'] | null> {
    const known = knownOf(owner)
    if (clock.tick() < known.mode.dueTick) return known.mode.is
    try {
      const is = await info.mode(owner, call, asking)
      known.mode = { is, dueTick: clock.tick() + LOOK_AROUND_MS, failures: 0 }
    } catch {
      const failures = known.mode.failures + 1
      const againMs = known.mode.is === null ? doubledMs(failures, MODE_AGAIN) : AGAIN_MS
      known.mode = { ...known.mode, failures, dueTick: clock.tick() + againMs }
    }
    return known.mode.is
  }

  /** The accounts are beside the point of a read: without their mode or their collateral the positions stand. */
  async function readAccounts(owner: Owner, read: Looked, asking: Asking): Promise<Account[]> {
    const mode = await modeOf(owner, 'positions', asking)
    if (mode === null) return []
    const spot: Spot | null =
      mode === 'single' ? null : await info.spot(owner, 'positions', asking).catch(() => null)
    if (spot) knownOf(owner).spot = { is: spot, tick: clock.tick() }
    return accounts(owner, mode, read, spot)
  }

  function accounts(
    owner: Owner,
    mode: Account['mode'],
    { states, order, whole }: Looked,
    spot: Spot | null,
  ): Account[] {
    const collateralOf = (book: Book) => books.collateral(book) ?? (book === null ? 0 : null)
    const used = states.filter(({ book, held }) => book === null || held.length > 0)
    const counted = used.flatMap((state): Counted[] => {
      const collateral = collateralOf(state.book)
      return collateral === null ? [] : [{ state, collateral }]
    })
    const first = (collateral: number) => order.find((book) => collateralOf(book) === collateral) ?? null
    return accountsOf(owner, mode, counted, spot, whole && counted.length === used.length, first)
  }

  return {
    mode: modeOf,
    heldBooks(owner) {
      const known = knownOf(owner)
      return [null, ...[...known.books.keys()].filter((book) => book !== null && isHeld(known, book))]
    },
    emptyBooks(owner) {
      const known = knownOf(owner)
      return [...known.books.keys()].filter((book) => book !== null && !isHeld(known, book))
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
      const time = timeOf(states)
      const isSame = time === known.asOf.time && time > -Infinity
      if (time < known.asOf.time && time > -Infinity) return null
      if (isSame && clock.tick() - known.asOf.tick > FROZEN_MS) return null
      takeTime(known, time)
      const named = new Set<Book>(states.map(({ book }) => book))
      for (const [book, { holds }] of known.books) {
        const part = accountOf(book)
        if (holds && !named.has(book) && !unread.some((one) => one.part === part))
          unread.push({ part, why: 'what the venue pushes lacks it' })
      }
      for (const state of states) takeState(known, state)
      const { mode, spot } = known
      // Balances are told when something happens to them, and not when prices move them: then they have to be read.
      const told = { states, order: states.map(({ book }) => book), whole: unread.length === 0 }
      const isFresh = spot !== null && clock.tick() - spot.tick <= SPOT_FRESH_MS
      return {
        answer: {
          positions: states.flatMap(({ held }) => held.map(({ position }) => position)),
          accounts: mode.is === null ? [] : accounts(owner, mode.is, told, isFresh ? spot.is : null),
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
      const [list] = await Promise.allSettled([books.dexes('positions', within())])
      const listed = list.status === 'fulfilled' ? list.value.map(({ name }) => name) : null
      const names = listed ?? [...known.books.keys()].filter((book) => book !== null)
      const parts: Book[] = [null, ...names.filter((book) => isDue(known, book))]
      const reads = await Promise.allSettled([main, ...parts.slice(1).map(read)])
      const states = reads.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      const failed = failedParts(parts.map(accountOf), reads)
      // Nothing was in it when it was last looked at: that it does not answer now hides nothing that we know of.
      const idle = new Set(
        parts.filter((book) => book !== null && known.books.has(book) && !isHeld(known, book)).map(accountOf),
      )
      for (const { part, queued } of failed) {
        const seen = known.books.get(part)
        if (idle.has(part) && seen && !queued) seen.lookTick = clock.tick() + AGAIN_MS
      }
      takeTime(known, timeOf(states))
      for (const state of states) takeState(known, state)
      const unread: Unread[] = failed.filter(({ part }) => !idle.has(part))
      if (listed === null && known.books.size <= 1) {
        unread.push({
          part: OTHERS,
          why: 'which of them there are is not known yet',
          ...(list.status === 'rejected' && isQueued(list.reason) && { queued: true }),
        })
      }
      return {
        positions: states.flatMap(({ held }) => held.map(({ position }) => position)),
        accounts: await readAccounts(
          owner,
          { states, order: [null, ...names], whole: unread.length === 0 },
          within(),
        ),
        unusable: states.flatMap(({ unusable }) => unusable),
        unread,
        totalCount: null,
      }
    },
  }
}

function timeOf(states: readonly BookState[]): number {
  return Math.max(...states.map(({ time }) => time ?? -Infinity))
}
