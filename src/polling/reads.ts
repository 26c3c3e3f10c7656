import type { Read, ReadResult, View } from '../command/context.ts'
import { remember } from '../lib/data/remember.ts'
import { together } from '../lib/flow/in-order.ts'
import { errorText } from '../lib/text/error-text.ts'
import type { Text } from '../message/message.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Account } from '../venue/account.ts'
import type { Market } from '../venue/market.ts'
import type { OrderState } from '../venue/order.ts'
import { type Position, positionKey } from '../venue/position.ts'
import type { Source } from '../venue/source.ts'
import type { FailedPart } from '../venue/record/lacking.ts'
import {
  doubt,
  type Asking,
  type Identified,
  type MarketsAnswer,
  type OrdersAnswer,
  OTHER_ACCOUNTS,
  type PositionsAnswer,
  type Venue,
  VenueError,
} from '../venue/venue.ts'
import { marketsAt, positionsAt } from '../venue/reading.ts'
import { venueField, venueNameOf, type VenueNames, venueOfPart } from '../venue/venue-name.ts'
import type { Wallet } from '../venue/wallet.ts'
import { type Answered, createPersonAsking, noTurn, type Patience, PERSON_LIMIT_MS } from './asking.ts'
import type { Budget } from './budget/budget.ts'
import type { Ages } from './budget/schedule.ts'
import { freshness, type Freshness } from './freshness.ts'
import { createRecordReads, type RecordsVenue } from './record-reads.ts'

const REMEMBERED_ORDERS = 1_000
/** The dearest request of all. The kind of an address changes once in its life. */
const IDENTIFIED_FOR_MS = 3_600_000
const REMEMBERED_IDENTITIES = 1_000
const REMEMBERED_SUB_ACCOUNTS = 10_000

/** A venue that commands ask, and what takes its answers. */
export interface ReadVenue extends RecordsVenue {
  /** The venue in sources; undefined for the first. */
  at: string | undefined
  /** Returns why the reading is not believed; null if it is. */
  tookMarkets(reading: Reading<MarketsAnswer>): string | null
  tookWallet(wallet: Wallet, reading: Reading<PositionsAnswer>): void
}

/** The reads of commands: from the venue if it answers while the person waits, else from the last reading. */
export function createReads(world: {
  venue: Venue
  /** The venues that it is made of, the first one first; the venue itself if it stands alone. */
  venues: readonly ReadVenue[]
  clock: Clock
  view: View
  /** Markets up to this age are shown without a request. */
  freshMs: number
  /** The intended ages of wallet readings. */
  ages: Ages
  signal: AbortSignal
  needed(): string[]
}): Read {
  const { venue, venues, clock, view, freshMs, ages, signal } = world
  const names = venues.flatMap(({ name }) => name ?? [])
  const askVenues = createPersonAsking({ venues, clock, signal })
  const lastOrders = new Map<string, Reading<OrdersAnswer>>()
  const lists = together<ReadResult<ReturnType<View['markets']>>>()
  const markets = together<ReadResult<Market>>()
  const wallets = together<ReadResult<PositionsAnswer>>()
  const orders = together<ReadResult<OrdersAnswer>>()
  /** Why the venue gave the last person no answer; null once one has come. */
  let lastRefusal: Text | null = null
  const identities = new Map<Wallet, { mono: number; answer: Promise<Identified | null> }>()

  const masters = new Map<Wallet, Wallet>()
  const learned = (master: Wallet, subAccounts: readonly { wallet: Wallet }[]) => {
    for (const one of subAccounts) remember(masters, one.wallet, master, REMEMBERED_SUB_ACCOUNTS)
  }

  async function ask<T>(call: (asking: Asking) => Promise<T>, patience?: Patience): Promise<Answered<T>> {
    try {
      const answered = await askVenues(call, patience)
      lastRefusal = null
      return answered
    } catch (error) {
      if (error instanceof VenueError && !['queued', 'aborted'].includes(error.failure.is))
        lastRefusal = error.text
      throw error
    }
  }

  const marketSources = venues.map(({ at }): Source => ({ is: 'markets', ...venueField(at) }))
  const walletAt = (wallet: Wallet, { at }: ReadVenue): Source => ({
    is: 'wallet',
    wallet,
    ...venueField(at),
  })

  function marketSourcesOf(id: string): Source[] {
    const name = venueNameOf(id, names)
    return venues.flatMap((one, place) =>
      one.name === null || one.name === name ? (marketSources[place] ?? []) : [],
    )
  }

  /** Takes what each venue gave as a reading of that venue. */
  function takeWallet(wallet: Wallet, all: Answered<PositionsAnswer>): void {
    for (const one of venues) {
      const value = one.name === null ? all.reading.value : positionsAt(all.reading.value, one.name, names)
      if (value) one.tookWallet(wallet, { value, ...all.of(one) })
    }
  }

  /** Likewise. Returns the believed markets, and why none are; null if some are. */
  function takeMarkets(all: Answered<MarketsAnswer>): { believed: readonly Market[]; doubt: string | null } {
    const taken = venues.flatMap((one) => {
      const value = one.name === null ? all.reading.value : marketsAt(all.reading.value, one.name, names)
      return value ? [{ value, doubt: one.tookMarkets({ value, ...all.of(one) }) }] : []
    })
    const believed = taken.filter(({ doubt }) => doubt === null)
    return {
      believed: believed.flatMap(({ value }) => value.markets),
      doubt: believed.length > 0 ? null : (taken[0]?.doubt ?? null),
    }
  }

  /** Why there is no newer answer of a source. Without a turn, its newest failure says more than the lack of it. */
  function causeOf(error: unknown, sources: readonly Source[] = [], markets = marketSources): Text {
    const hasNoTurn = error instanceof VenueError && error.failure.is === 'queued'
    if (!hasNoTurn) return wordsOf(error)
    const failures = [...sources, ...markets].flatMap((source) => view.failureOf(source) ?? [])
    return failures[0] ?? lastRefusal ?? wordsOf(error)
  }

  function lastMarkets(late: Text | null): ReadResult<ReturnType<View['markets']>> | null {
    const seen = view.marketsAt()
    const value = view.markets()
    return seen && { is: 'read', reading: { ...oldest(value, seen), value }, late }
  }

  /** Dexes are read in turn, so a list may mix ages. Returns the age of the oldest market shown. */
  function oldest(shown: ReadonlyMap<string, Market>, since: { at: number; mono: number }) {
    const listed = view.listed()
    let { at, mono } = since
    for (const market of shown.values()) {
      const known = listed.get(market.id)
      if (known && known.value === market && known.mono < mono) ({ at, mono } = known)
    }
    return { at, mono }
  }

  function lastMarket(id: string): Reading<Market> | null {
    return (view.markets().has(id) && view.listed().get(id)) || null
  }

  function lastPositions(wallet: Wallet, late: Text | null): ReadResult<PositionsAnswer> | null {
    const last = view.positions(wallet)
    if (!last) return null
    const { unasked, whole } = view.sight(wallet) ?? { unasked: [], whole: false }
    const value = {
      positions: last.value,
      accounts: [...view.accounts(wallet)],
      unusable: [],
      failedParts: [],
      ...(unasked.length > 0 && { unasked }),
      totalCount: null,
    }
    const holes = late === null || whole ? {} : ({ holes: true } as const)
    return { is: 'read', reading: { ...last, value }, late, ...holes }
  }

  /** The last reading of a wallet if it is fresh enough at each venue that cannot be asked soon. Null: ask. */
  function freshPositions(wallet: Wallet): ReadResult<PositionsAnswer> | null {
    const fits = wallets.underWay(wallet) ? [] : fitsOf(wallet)
    if (fits.length === 0 || fits.some(({ fit }) => fit === 'ask')) return null
    const late = fits.find(({ fit }) => fit === 'late')
    return lastPositions(wallet, late ? causeOf(noTurn(late.wait), [walletAt(wallet, late.one)]) : null)
  }

  /** How fresh the last look at a wallet is at each venue that knows it. Empty: ask all venues. */
  function fitsOf(wallet: Wallet): Fit[] {
    const sight = view.sight(wallet)
    if (sight === null) return []
    // Nobody is told that nothing is open before every account was asked.
    if (sight.unasked.length > 0 && view.positions(wallet)?.value.length === 0) return []
    // A push may lack the balances that an account shares.
    if (view.accounts(wallet).some((one) => one.mode !== 'single' && one.marginRatio === null)) return []
    const looks = new Map(view.looks(wallet).map((look) => [look.venue, look]))
    return venues.flatMap((one) => {
      const look = looks.get(one.at)
      if (look?.isUnknown) return []
      const wait = one.budget.wait()
      const ageMs = look ? clock.monotonic() - look.mono : Infinity
      const known = { ageMs, nearDanger: sight.nearDanger, whole: look?.whole ?? false, waitMs: wait.ms }
      return [{ one, wait, mono: look?.mono ?? -Infinity, fit: freshness(known, ages) }]
    })
  }

  async function askMarkets(): Promise<ReadResult<ReturnType<View['markets']>>> {
    try {
      const answered = await ask((asking) => venue.markets(asking, world.needed()))
      const { believed, doubt: late } = takeMarkets(answered)
      if (late !== null) return lastMarkets(late) ?? { is: 'unseen', why: late }
      const value = withOtherDexes(believed, view)
      return { is: 'read', reading: { ...oldest(value, answered.reading), value }, late: null }
    } catch (error) {
      const why = causeOf(error)
      return lastMarkets(why) ?? { is: 'unseen', why }
    }
  }

  async function askPositions(wallet: Wallet, isAnew: boolean): Promise<ReadResult<PositionsAnswer>> {
    try {
      const fits = isAnew ? [] : fitsOf(wallet)
      const answered = await ask((asking) => venue.positions(wallet, asking))
      const last = view.positions(wallet)?.value ?? []
      const accounts = view.accounts(wallet)
      takeWallet(wallet, answered)
      const reading = withFresh(answered.reading, fits, { positions: last, accounts }, names)
      return {
        is: 'read',
        reading: { ...reading, value: withUnread(reading.value, last, names) },
        late: null,
      }
    } catch (error) {
      const why = causeOf(
        error,
        venues.map((one) => walletAt(wallet, one)),
      )
      return lastPositions(wallet, why) ?? { is: 'unseen', why }
    }
  }

  async function askMarket(id: string): Promise<ReadResult<Market>> {
    try {
      const { reading } = await ask((asking) => venue.market(id, asking))
      return { is: 'read', reading, late: null }
    } catch (error) {
      const reading = lastMarket(id)
      const why = causeOf(error, [], marketSourcesOf(id))
      return reading ? { is: 'read', reading, late: why } : { is: 'unseen', why }
    }
  }

  async function askOrders(wallet: Wallet, states: readonly OrderState[], key: string) {
    try {
      const { reading } = await ask((asking) => venue.orders(wallet, states, asking))
      remember(lastOrders, key, reading, REMEMBERED_ORDERS)
      return { is: 'read', reading, late: null } as const
    } catch (error) {
      const last = lastOrders.get(key)
      const why = causeOf(
        error,
        venues.map((one) => ({ is: 'orders', wallet, ...venueField(one.at) })),
      )
      return last ? ({ is: 'read', reading: last, late: why } as const) : ({ is: 'unseen', why } as const)
    }
  }

  return {
    ...createRecordReads({ venue, venues, clock, view, ask, causeOf, learned }),
    async markets() {
      const seen = view.marketsAt()
      const known = seen && clock.monotonic() - seen.mono <= freshMs ? lastMarkets(null) : null
      return known ?? lists.of('', askMarkets)
    },
    async positions(wallet, how) {
      const known = how === 'anew' ? null : freshPositions(wallet)
      // An answer under way for somebody else may have the last reading of a venue.
      const key = how === 'anew' && venues.length > 1 ? `${how} ${wallet}` : wallet
      return known ?? wallets.of(key, () => askPositions(wallet, how === 'anew'))
    },
    async market(id) {
      const known = lastMarket(id)
      return known && clock.monotonic() - known.mono <= freshMs
        ? { is: 'read', reading: known, late: null }
        : markets.of(id, () => askMarket(id))
    },
    async orders(wallet, states) {
      const key = `${wallet} ${states.join()}`
      return orders.of(key, () => askOrders(wallet, states, key))
    },
    async preview(draft) {
      try {
        const { reading } = await ask((asking) => venue.preview(draft, asking))
        return { is: 'read', reading, late: null }
      } catch (error) {
        // An old preview is worth nothing, because the price has moved.
        return { is: 'unseen', why: causeOf(error, [], marketSourcesOf(draft.marketId)) }
      }
    },
    masterOf: (wallet) => masters.get(wallet) ?? null,
    async identify(wallet, sinceMono, isFunded) {
      const { identify } = venue
      const mono = clock.monotonic()
      const known = identities.get(wallet)
      if (known && mono - known.mono < IDENTIFIED_FOR_MS) return known.answer
      const leftMs = (sinceMono ?? mono) + PERSON_LIMIT_MS - mono
      if (identify === null || leftMs <= 0) return null
      const answer = ask((asking) => identify(wallet, asking, isFunded), {
        limitMs: leftMs,
        patience: 'poll',
      }).then(
        ({ reading: { value } }) => {
          if (value.is === 'holder') learned(wallet, value.subAccounts ?? [])
          if (value.is === 'holder' && value.isPartial) identities.delete(wallet)
          return value
        },
        () => {
          identities.delete(wallet)
          return null
        },
      )
      remember(identities, wallet, { mono, answer }, REMEMBERED_IDENTITIES)
      return answer
    },
  }
}

/** The markets of the answer, plus the last known markets of other dexes. */
function withOtherDexes(markets: readonly Market[], view: View): ReturnType<View['markets']> {
  const dexes = new Set(markets.map(({ dex }) => dex))
  const others = [...view.markets().values()].filter(({ dex }) => !dexes.has(dex))
  return new Map([...others, ...markets].map((market) => [market.id, market]))
}

/** How fresh the last look at a wallet is at a venue, and when it was (monotonic). */
interface Fit {
  one: ReadVenue
  fit: Freshness
  mono: number
  /** How long a request would wait for its turn. */
  wait: ReturnType<Budget['wait']>
}

/** Adds the last look at each venue that had no turn, if a new one would be no better. */
function withFresh(
  reading: Reading<PositionsAnswer>,
  fits: readonly Fit[],
  last: { positions: readonly Position[]; accounts: readonly Account[] },
  names: VenueNames,
): Reading<PositionsAnswer> {
  const { value } = reading
  const queued = new Set(value.failedParts.flatMap((one) => (one.queued ? [one.part] : [])))
  const lent = fits.filter(({ one, fit }) => fit === 'last' && queued.has(one.name ?? ''))
  if (lent.length === 0) return reading
  const lenders = new Set(lent.map(({ one }) => one.name))
  const isLent = ({ accountId }: { accountId: string }) => lenders.has(venueNameOf(accountId, names))
  const isMissing = ({ part }: FailedPart) => !lenders.has(venueOfPart(part, names))
  const mono = Math.min(reading.mono, ...lent.map((one) => one.mono))
  return {
    at: reading.at - (reading.mono - mono),
    mono,
    value: {
      ...value,
      positions: [...value.positions, ...last.positions.filter(isLent)],
      accounts: [...value.accounts, ...last.accounts.filter(isLent)],
      failedParts: value.failedParts.filter(isMissing),
    },
  }
}

/**
 * Adds the last known positions that could not be read, or whose account could not. Without them the answer would look
 * as if they were closed.
 */
function withUnread(answer: PositionsAnswer, last: readonly Position[], names: VenueNames): PositionsAnswer {
  const shown = new Set(answer.positions.map(positionKey))
  const lacking = last.filter((position) => !shown.has(positionKey(position)))
  const isAllDoubted = doubt(answer) !== null
  const doubted = new Set(answer.unusable.map(({ part }) => part))
  const failedParts = new Set(answer.failedParts.map(({ part }) => part))
  const named = new Set([...answer.positions, ...answer.accounts].map(({ accountId }) => accountId))
  const isUnread = ({ accountId }: Position) =>
    isAllDoubted ||
    doubted.has(accountId) ||
    failedParts.has(accountId) ||
    failedParts.has(venueNameOf(accountId, names)) ||
    (failedParts.has(OTHER_ACCOUNTS) && !named.has(accountId))
  const unread = lacking.filter(isUnread)
  if (unread.length === 0) return answer
  const remembered = unread.map(positionKey)
  return { ...answer, positions: [...answer.positions, ...unread], remembered }
}

function wordsOf(error: unknown): Text {
  if (error instanceof VenueError) return error.text
  return errorText(error)
}
