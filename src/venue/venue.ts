import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Account } from './account.ts'
import type { Amount } from './amount.ts'
import type { Listing } from './listing.ts'
import type { Market } from './market.ts'
import type { Order, OrderDraft, OrderState, Preview } from './order.ts'
import type { Position, Side } from './position.ts'
import type { Wallet } from './wallet.ts'

/** Where readings come from. Every call rejects with a VenueError and nothing else. */
export interface Venue {
  readonly limits: VenueLimits
  /** Whether it says what an account has beside its positions: without that there is no margin ratio to warn of. */
  readonly showsAccounts: boolean
  /** The markets, or a part of them in turn; `needed` are those that somebody holds or has a rule on. */
  markets(asking: Asking, needed: readonly string[]): Promise<MarketsAnswer>
  market(id: string, asking: Asking): Promise<Market>
  positions(wallet: Wallet, asking: Asking): Promise<PositionsAnswer>
  /** Orders in any of the given states; all of them when none is given. */
  orders(wallet: Wallet, states: readonly OrderState[], asking: Asking): Promise<OrdersAnswer>
  /**
   * What became of these orders, by their ids; those that it does not know any more are left out. Null where the list of all says
   * it for no more than that of those that wait.
   */
  readonly orderOutcomes:
    | ((wallet: Wallet, ids: readonly string[], asking: Asking) => Promise<OrdersAnswer>)
    | null
  preview(draft: OrderDraft, asking: Asking): Promise<Preview>
  /**
   * How positions of this owner ended since then (Unix milliseconds): of each its last end, unless it was opened again.
   * Null where the venue does not show it.
   */
  readonly closeRecords: ((wallet: Wallet, since: number, asking: Asking) => Promise<CloseRecord[]>) | null
  /** What an address is, asked once when somebody wants to watch it; null where the venue does not say. */
  readonly identify: ((wallet: Wallet, asking: Asking) => Promise<Identified>) | null
  /** What it tells without being asked; null where it only answers. */
  readonly push: Push | null
}

/** What a venue tells by itself, beside what it is asked. */
export interface Push {
  /** Begins to listen, and goes on through every cut, until it is stopped. */
  start(hear: Hearing): void
  /** The wallets that should be told about, the most endangered first: as many are as the venue has places for. */
  follow(wallets: readonly Wallet[]): void
  status(): PushStatus
  stop(): Promise<void>
}

/** Who is told. Every answer is one like those that are asked for, of the moment at which it comes. */
export interface Hearing {
  /** The markets that somebody holds or has a rule on. */
  needed(): readonly string[]
  /** `whole`: everything that anybody needs; no market is to be asked for while such answers come. */
  markets(answer: MarketsAnswer, whole: boolean): void
  /** `whole`: nothing of it is older than it looks; the wallet needs no frequent reads while such answers come. */
  wallet(wallet: Wallet, answer: PositionsAnswer, whole: boolean): void
}

export interface PushStatus {
  /** Whether there is a connection. */
  open: boolean
  /** Since when that is so; wall time. */
  since: number
  /** Why there is none, or why nothing comes through it; null when all is well. */
  why: string | null
  subscriptions: number
  wallets: { followed: number; allowed: number }
  /** When markets were told last; wall time, null before the first. */
  marketsAt: number | null
}

/** What trades closed of a position, and what that brought. */
export interface EndedPart {
  /** How much of it ended so, unsigned; what had been closed before in another way is not in it. */
  size: Amount
  /** Per unit; null when it is not said. */
  price: Amount | null
  /** Of the trade alone, without fees and funding. */
  realisedPnlUsd: Amount | null
  /** Of those trades; below zero was paid back. Null where it is not said, or not in USD. */
  feesUsd: Amount | null
}

/** How a position ended, by the venue's own record. */
export interface CloseRecord extends EndedPart {
  accountId: string
  marketId: string
  side: Side
  /** Unknown: by a word of the venue's that we do not know. */
  how: 'closed' | 'liquidated' | 'settled' | 'unknown'
  /** Unix milliseconds. */
  at: number
  /** The same without the first of its trades, without the first two, and so on: what was seen of them is told already. */
  later?: readonly EndedPart[]
}

/** What an address is to the venue. */
export type Identified =
  | { is: 'holder' }
  /** It signs for another one, which is where the positions are. */
  | { is: 'agent'; of: Wallet }
  | { is: 'unknown' }

/** How one call is made. A poll is one attempt (it is due again); what a person waits for is tried again within `limitMs`. */
export interface Asking {
  patience: 'poll' | 'person'
  limitMs: number
  signal: AbortSignal
  /**
   * Runs one request when its weight may be spent; every attempt passes through here, so that each one is counted. What
   * an answer costs beyond what was known before is told by `more`.
   */
  spend: <T>(request: (more: (weight: number) => void) => Promise<T>, weight?: number) => Promise<T>
}

/** What the venue is known to allow; the budget stays below it and learns the rest from 429s. */
export interface VenueLimits {
  /** So much in any time of this length; null when the venue does not say. A request weighs 1 where it only counts them. */
  allowed: { weight: number; perMs: number } | null
}

/** One element of an answer that could not be used: skipped, counted and reported, never guessed. */
export interface Unusable {
  /** Which element, as far as it says itself: `market 1200`, `position 3 of 5`. */
  what: string
  why: string
  /** Which book or account it is in: the rest of the answer is none the worse for it. Null when that cannot be told. */
  part: string | null
}

/** Which element, where it is a market whose id is readable. */
export function unusableMarket(id: string): string {
  return `market ${id}`
}

/** As a part of positions: accounts that the venue has not named yet. All are in doubt that the answer does not show. */
export const OTHER_ACCOUNTS = 'other accounts'

export interface MarketsAnswer {
  markets: Market[]
  unusable: Unusable[]
  /** Books that could not be read: nothing of theirs is missing from the list. */
  failedParts: FailedPart[]
  /** Of each book of which this names everything that is listed. One of which that cannot be told is left out. */
  listings?: readonly Listing[]
}

/** A part of an answer that did not come, by the venue's name for it. */
export interface FailedPart {
  /** Of markets a book, of positions an account. */
  part: string
  why: string
  /** Our own requests had no turn for it: that says nothing about the venue. */
  queued?: true
}

export interface PositionsAnswer {
  positions: Position[]
  /** Beside the positions; empty where the venue shows none. */
  accounts: Account[]
  unusable: Unusable[]
  /** Accounts that could not be read: nothing of theirs has vanished. */
  failedParts: FailedPart[]
  /** The orders that guard them, where the venue shows those beside them; left out where it does not. */
  protectiveOrders?: readonly Order[]
  /** What the venue says it holds; more than it sent means that we do not see everything. Null when not said. */
  totalCount: number | null
}

/** Why an answer does not show everything; null when it does. */
export function incompleteness(answer: PositionsAnswer): string | null {
  const [first] = answer.unusable
  if (first) return `${first.what}: ${first.why}`
  const [part] = answer.failedParts
  if (part) return `${part.part === OTHER_ACCOUNTS ? OTHER_ACCOUNTS : `account ${part.part}`}: ${part.why}`
  return doubt(answer)
}

/** Why no account of an answer can be relied on to be whole; null when only the accounts that it names cannot. */
export function doubt({ positions, unusable, totalCount }: PositionsAnswer): string | null {
  const somewhere = unusable.find(({ part }) => part === null)
  if (somewhere) return `${somewhere.what}: ${somewhere.why}`
  const sent = positions.length + unusable.length
  return totalCount !== null && totalCount > sent
    ? `the venue speaks of ${totalCount} positions and sent ${sent}`
    : null
}

export interface OrdersAnswer {
  orders: Order[]
  unusable: Unusable[]
  /** Accounts in which nothing is held, and whose waiting orders were not asked for: that costs too much. */
  unasked: string[]
}

export type VenueFailure =
  /** No answer: refused, reset, cut off. `sent` is false when the request surely never left. */
  | { is: 'network'; sent: boolean }
  | { is: 'timeout' }
  /** Nothing was asked: others went first for as long as anybody would wait. It says nothing about the venue. */
  | { is: 'queued' }
  | { is: 'limited'; retryAfterMs: number | null }
  /** Any other status outside 2xx, with the venue's own words when it gave some. */
  | { is: 'refused'; status: number; message: string | null }
  /** An answer that is not what the specification shows. */
  | { is: 'unreadable'; why: string }
  /** We gave up ourselves: shutting down, or the caller's signal. */
  | { is: 'aborted' }

export class VenueError extends Error {
  readonly failure: VenueFailure
  constructor(failure: VenueFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'VenueError'
    this.failure = failure
  }
}

/** A venue that has been opened. */
export interface OpenedVenue {
  venue: Venue
  /** Play money: people must never mistake it for earnest. */
  simulated: boolean
  /** What the database remembers of it, so that another venue on the same database is noticed: name, place, chain. */
  identity: string
  /** What a person who starts the bot should know, a sentence each; empty when there is nothing to say. */
  introduction: string[]
  /** True when the bot is to end once the venue's replay is over and everything about it has been told. */
  endsBot: boolean
  close(): Promise<void>
}

/** The default export of `venues/<name>/index.ts`. */
export type OpenVenue = (world: {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  emit: Emit
  /** Uniform in [0, 1): jitter. */
  random: () => number
}) => Promise<OpenedVenue>

/** A price that differs from its market by this factor or more is on a broken scale, not in danger. */
const BROKEN_SCALE = 1_000_000

export function onBrokenScale(price: Amount, marketPrice: Amount): boolean {
  const factor = BigInt(BROKEN_SCALE)
  return price >= marketPrice * factor || marketPrice >= price * factor
}
