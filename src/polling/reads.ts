import type { Read, ReadResult, View } from '../command/context.ts'
import { remember } from '../lib/data/remember.ts'
import { together } from '../lib/flow/in-order.ts'
import { untilOver } from '../lib/time/backoff.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Market } from '../venue/market.ts'
import type { OrderState } from '../venue/order.ts'
import type { Position } from '../venue/position.ts'
import {
  type Asking,
  type Identified,
  type MarketsAnswer,
  type OrdersAnswer,
  OTHERS,
  type PositionsAnswer,
  type Venue,
  VenueError,
} from '../venue/venue.ts'
import type { Owner } from '../venue/wallet.ts'
import type { Budget } from './budget/budget.ts'
import type { Ages } from './budget/schedule.ts'
import { createAsked } from './budget/sent-at.ts'

/** A person waits no longer than this; then the last reading is shown, with its age. */
const PERSON_LIMIT_MS = 5_000
const PERSONS = { limitMs: PERSON_LIMIT_MS, patience: 'person' } as const
/** Where requests weigh, orders weigh so much that after a start their turn takes longer. */
const WEIGHTY = { ...PERSONS, limitMs: 10_000 }
const REMEMBERED_ORDERS = 1_000
/** The dearest question of all: who an address is changes once in its life. */
const IDENTIFIED_FOR_MS = 3_600_000
const REMEMBERED_IDENTITIES = 1_000
/** Why there is no turn to ask. */
const noTurn = (askedToWait: boolean) =>
  askedToWait
    ? 'The venue wants me to wait before I ask again.'
    : 'I keep to what the venue allows, and many ask now.'

/** What commands read: the venue while somebody waits, else what was last seen. */
export function createReads(world: {
  venue: Venue
  budget: Budget
  clock: Clock
  view: View
  /** Markets no older than this are fresh enough to be shown without asking. */
  freshMs: number
  /** How old wallets are wished to be. */
  ages: Ages
  signal: AbortSignal
  needed(): string[]
  /** Why it is not believed; null when it is. */
  tookMarkets(reading: Reading<MarketsAnswer>): string | null
  tookOwner(owner: Owner, reading: Reading<PositionsAnswer>): void
}): Read {
  const { venue, budget, clock, view, freshMs, ages, signal } = world
  const orderPatience = venue.limits.allowed === null ? PERSONS : WEIGHTY
  const lastOrders = new Map<string, Reading<OrdersAnswer>>()
  const lists = together<ReadResult<ReturnType<View['markets']>>>()
  const markets = together<ReadResult<Market>>()
  const wallets = together<ReadResult<PositionsAnswer>>()
  const orders = together<ReadResult<OrdersAnswer>>()
  const identities = new Map<Owner, { tick: number; answer: Promise<Identified | null> }>()

  async function ask<T>(
    call: (asking: Asking) => Promise<T>,
    { limitMs, patience }: Pick<Asking, 'limitMs' | 'patience'> = PERSONS,
  ): Promise<Reading<T>> {
    // Who would have no turn in time is told so at once.
    const wait = budget.wait()
    if (wait.ms > limitMs) throw new VenueError({ is: 'queued' }, noTurn(wait.asked))
    const age = createAsked(clock)
    // Whoever has gone must not keep a place in the queue.
    const own = untilOver(signal)
    try {
      const value = await call({
        patience,
        limitMs,
        signal: own.signal,
        spend: (request, weight) =>
          budget.spend('person', own.signal, (more) => age.of(() => request(more)), weight),
      })
      return { value, ...age.asked() }
    } finally {
      own.over()
    }
  }

  function lastMarkets(late: string | null): ReadResult<ReturnType<View['markets']>> | null {
    const seen = view.marketsAt()
    const value = view.markets()
    return seen && { is: 'read', reading: { ...oldest(value, seen), value }, late }
  }

  /** Books take turns: what is shown together is as old as the oldest of it, beside what was just read. */
  function oldest(shown: ReadonlyMap<string, Market>, since: { at: number; tick: number }) {
    const listed = view.listed()
    let { at, tick } = since
    for (const market of shown.values()) {
      const known = listed.get(market.id)
      if (known && known.value === market && known.tick < tick) ({ at, tick } = known)
    }
    return { at, tick }
  }

  function lastMarket(id: string): Reading<Market> | null {
    return (view.markets().has(id) && view.listed().get(id)) || null
  }

  function lastPositions(owner: Owner, late: string | null): ReadResult<PositionsAnswer> | null {
    const last = view.positions(owner)
    if (!last) return null
    const value = {
      positions: last.value,
      accounts: [...view.accounts(owner)],
      unusable: [],
      unread: [],
      totalCount: null,
    }
    return { is: 'read', reading: { ...last, value }, late }
  }

  /** What was last seen of a wallet, where that is good enough or nothing newer can be had now; null: it is to be asked. */
  function fittingPositions(owner: Owner): ReadResult<PositionsAnswer> | null {
    const sight = view.sight(owner)
    if (sight === null || wallets.underWay(owner)) return null
    const wait = budget.wait()
    const fit = fitting({ ...sight, ageMs: clock.tick() - sight.tick, waitMs: wait.ms }, ages)
    return fit === 'ask' ? null : lastPositions(owner, fit === 'late' ? noTurn(wait.asked) : null)
  }

  async function askMarkets(): Promise<ReadResult<ReturnType<View['markets']>>> {
    try {
      const reading = await ask((asking) => venue.markets(asking, world.needed()))
      const late = world.tookMarkets(reading)
      if (late !== null) return lastMarkets(late) ?? { is: 'unseen', why: late }
      const value = withOtherBooks(reading.value, view)
      return { is: 'read', reading: { ...oldest(value, reading), value }, late: null }
    } catch (error) {
      return lastMarkets(wordsOf(error)) ?? { is: 'unseen', why: wordsOf(error) }
    }
  }

  async function askPositions(owner: Owner): Promise<ReadResult<PositionsAnswer>> {
    try {
      const reading = await ask((asking) => venue.positions(owner, asking))
      const last = view.positions(owner)?.value ?? []
      world.tookOwner(owner, reading)
      return { is: 'read', reading: { ...reading, value: withUnread(reading.value, last) }, late: null }
    } catch (error) {
      return lastPositions(owner, wordsOf(error)) ?? { is: 'unseen', why: wordsOf(error) }
    }
  }

  async function askMarket(id: string): Promise<ReadResult<Market>> {
    try {
      return { is: 'read', reading: await ask((asking) => venue.market(id, asking)), late: null }
    } catch (error) {
      const reading = lastMarket(id)
      const why = wordsOf(error)
      return reading ? { is: 'read', reading, late: why } : { is: 'unseen', why }
    }
  }

  async function askOrders(owner: Owner, states: readonly OrderState[], key: string) {
    try {
      const reading = await ask((asking) => venue.orders(owner, states, asking), orderPatience)
      remember(lastOrders, key, reading, REMEMBERED_ORDERS)
      return { is: 'read', reading, late: null } as const
    } catch (error) {
      const last = lastOrders.get(key)
      const why = wordsOf(error)
      return last ? ({ is: 'read', reading: last, late: why } as const) : ({ is: 'unseen', why } as const)
    }
  }

  return {
    async markets() {
      const seen = view.marketsAt()
      const known = seen && clock.tick() - seen.tick <= freshMs ? lastMarkets(null) : null
      return known ?? lists.of('', askMarkets)
    },
    async positions(owner, how) {
      const known = how === 'anew' ? null : fittingPositions(owner)
      return known ?? wallets.of(owner, () => askPositions(owner))
    },
    async market(id) {
      const known = lastMarket(id)
      return known && clock.tick() - known.tick <= freshMs
        ? { is: 'read', reading: known, late: null }
        : markets.of(id, () => askMarket(id))
    },
    async orders(owner, states) {
      const key = `${owner} ${states.join()}`
      return orders.of(key, () => askOrders(owner, states, key))
    },
    async preview(draft) {
      try {
        return { is: 'read', reading: await ask((asking) => venue.preview(draft, asking)), late: null }
      } catch (error) {
        // An old preview is worth nothing: the price has moved.
        return { is: 'unseen', why: wordsOf(error) }
      }
    },
    async identify(owner, sinceTick) {
      const { identify } = venue
      const tick = clock.tick()
      const known = identities.get(owner)
      if (known && tick - known.tick < IDENTIFIED_FOR_MS) return known.answer
      const leftMs = sinceTick + PERSON_LIMIT_MS - tick
      if (identify === null || leftMs <= 0) return null
      const answer = ask((asking) => identify(owner, asking), { limitMs: leftMs, patience: 'poll' }).then(
        ({ value }) => value,
        () => {
          identities.delete(owner)
          return null
        },
      )
      remember(identities, owner, { tick, answer }, REMEMBERED_IDENTITIES)
      return answer
    },
  }
}

/** The markets of an answer, and of the books that it is not about what is in view. */
function withOtherBooks({ markets }: MarketsAnswer, view: View): ReturnType<View['markets']> {
  const books = new Set(markets.map(({ book }) => book))
  const others = [...view.markets().values()].filter(({ book }) => !books.has(book))
  return new Map([...others, ...markets].map((market) => [market.id, market]))
}

/** What was last seen in accounts that could not be read: leaving it out would read as if it were not there. */
function withUnread(answer: PositionsAnswer, last: readonly Position[]): PositionsAnswer {
  const unread = new Set(answer.unread.map(({ part }) => part))
  const named = new Set([...answer.positions, ...answer.accounts].map(({ accountId }) => accountId))
  const isUnread = ({ accountId }: Position) =>
    unread.has(accountId) || (unread.has(OTHERS) && !named.has(accountId))
  return unread.size === 0
    ? answer
    : { ...answer, positions: [...answer.positions, ...last.filter(isUnread)] }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** How old the last reading is that somebody could be shown, and what it would take to have a newer one. */
interface Known {
  ageMs: number
  nearDanger: boolean
  /** It shows all that there is. */
  whole: boolean
  /** How long a request would wait for its turn. */
  waitMs: number
}

/** Ask, or show the last one: as good as a new one, or with why there is no newer one. */
type Fitting = 'ask' | 'last' | 'late'

/** As in alerts: a danger on a position that was read longer ago is looked at again first. */
const FRESH_MS = 5_000
/** Near danger, what is shown without a word is no older than this. */
const NEAR_MS = 10_000
/** For what is that much older, somebody waits a moment for their turn, and never for longer than this. */
const WAIT_SHARE = 1 / 20
const LONGEST_WAIT_MS = 1_000

/** What somebody gets who asks for a wallet. */
function fitting({ ageMs, nearDanger, whole, waitMs }: Known, { minMs, maxMs }: Ages): Fitting {
  if (whole && ageMs <= (nearDanger ? Math.min(minMs, FRESH_MS) : FRESH_MS)) return 'last'
  if (waitMs <= Math.min(ageMs * WAIT_SHARE, LONGEST_WAIT_MS)) return 'ask'
  return whole && ageMs <= (nearDanger ? NEAR_MS : maxMs) ? 'last' : 'late'
}
