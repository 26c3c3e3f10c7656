import { inWords, type Text } from '../message/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Account } from './account.ts'
import type { Amount } from './amount.ts'
import type { Listing } from './listing.ts'
import type { Market } from './market.ts'
import type { Order, OrderDraft, OrderState, Preview } from './order.ts'
import type { Position, Side } from './position.ts'
import type { BalancesAnswer } from './record/balances.ts'
import type { FailedPart, UnaskedPart, Unusable } from './record/lacking.ts'
import type { LedgerAnswer, LedgerAsked } from './record/ledger.ts'
import type { TwapsAnswer } from './record/twap.ts'
import type { Wallet } from './wallet.ts'

/** The origin of readings. Every call rejects with a VenueError and nothing else. */
export interface Venue {
  readonly limits: VenueLimits
  /** Whether it shows accounts beside positions. Without them there is no margin ratio to warn about. */
  readonly showsAccounts: boolean
  /** False: it shows orders to their owner alone, so an empty list of them says nothing. Left out: it shows them. */
  readonly showsOrders?: false
  /** Reads all markets, or a part of them in turn. `needed` names the markets with a position or a rule. */
  markets(asking: Asking, needed: readonly string[]): Promise<MarketsAnswer>
  market(id: string, asking: Asking): Promise<Market>
  positions(wallet: Wallet, asking: Asking): Promise<PositionsAnswer>
  /** Reads orders in the given states; an empty list stands for all states. */
  orders(wallet: Wallet, states: readonly OrderState[], asking: Asking): Promise<OrdersAnswer>
  /**
   * Reads the outcomes of these orders, by id, and leaves out orders that the venue has forgotten. Null if
   * the venue shows outcomes only in its list of all orders.
   */
  readonly orderOutcomes:
    | ((wallet: Wallet, ids: readonly string[], asking: Asking) => Promise<OrdersAnswer>)
    | null
  preview(draft: OrderDraft, asking: Asking): Promise<Preview>
  /**
   * Reads how this wallet's positions ended since then (Unix milliseconds): the last close of each, unless it
   * was reopened, and the trades that reduced one that stayed open. `withTwaps`: also by the slices of TWAPs, where the
   * venue records those apart, which costs more. Null if the venue does not show it.
   */
  readonly closeRecords:
    | ((wallet: Wallet, since: number, asking: Asking, withTwaps?: boolean) => Promise<CloseRecord[]>)
    | null
  /**
   * Reads the role of an address, once when somebody wants to watch it. Null if the venue does not say. A funded
   * one is a holder.
   */
  readonly identify: ((wallet: Wallet, asking: Asking, isFunded: boolean) => Promise<Identified>) | null
  /** Reads what moved this wallet's money. Left out if the venue does not show it. */
  readonly ledger?: (wallet: Wallet, asked: LedgerAsked, asking: Asking) => Promise<LedgerAnswer>
  /** Reads what this wallet holds beside its positions. Left out if the venue does not show it. */
  readonly balances?: (wallet: Wallet, asking: Asking) => Promise<BalancesAnswer>
  /**
   * Reads this wallet's TWAPs. `withFills`: also what the running ones have filled so far, which costs more. Left out if
   * the venue has none, or does not show them.
   */
  readonly twaps?: (wallet: Wallet, asking: Asking, withFills: boolean) => Promise<TwapsAnswer>
  /** Null if the venue only answers requests. */
  readonly push: Push | null
  /**
   * The venues that this one is made of, each with its own limits. The first has bare ids. Left out by a venue
   * that stands alone.
   */
  readonly parts?: readonly VenuePart[]
}

/** One venue of several. Its ids and symbols are already those of the whole. */
export interface VenuePart {
  name: string
  venue: Venue
}

/** The venue's pushed data, in addition to its answers. */
export interface Push {
  /** Starts to listen, and reconnects after every cut until it is stopped. */
  start(hear: Hearing): void
  /** Sets the wallets to follow, the most endangered first. The venue follows as many as it has slots for. */
  follow(wallets: readonly Wallet[]): void
  /**
   * How rarely a wallet is read that the push keeps current, in ms. Null: as often as one far from danger.
   */
  readonly readEveryMs: number | null
  /**
   * These wallets are watched from now on: `changed` names them when they trade, also before their first read. Left
   * out by a venue that does not hear trades.
   */
  watch?(wallets: readonly Wallet[]): void
  /**
   * Since when every trade at the venue is heard, so that `changed` names each wallet that trades; monotonic ms.
   * Null while trades may be missed. Left out by a venue without such a channel.
   */
  heardSince?(): number | null
  status(): PushStatus
  stop(): Promise<void>
}

/** Receives pushed data. Each answer is like a requested one, of the moment at which it comes. */
export interface Hearing {
  /** The markets with a position or a rule. */
  needed(): readonly string[]
  /** `whole`: it has every needed market. No market need be polled while such answers come. */
  markets(answer: MarketsAnswer, whole: boolean): void
  /**
   * `whole`: all of it is as recent as it looks. The wallet needs no frequent reads while such answers come.
   */
  wallet(wallet: Wallet, answer: PositionsAnswer, whole: boolean): void
  /** The wallet has just traded, or its pushed figures are impossible: only a read shows what is so now. */
  changed(wallet: Wallet): void
}

export interface PushStatus {
  /** Whether a connection is open. */
  open: boolean
  /** When it opened or closed; wall time. */
  since: number
  /** Why there is no connection, or no data; null if all is well. */
  why: string | null
  subscriptions: number
  wallets: { followed: number; allowed: number }
  /** When markets were last pushed; wall time, null before the first. */
  marketsAt: number | null
  /** Public trades that name who traded. Left out by a venue that does not show them. */
  trades?: PublicTrades
}

export interface PublicTrades {
  /** In how many of all markets each trade is heard. */
  heard: number
  markets: number
  /** Since when every trade that matters is heard; wall time. Null while some may be missed. */
  since: number | null
}

/** A part of a position that trades closed, and its result. */
export interface EndedPart {
  /** The closed part, unsigned. It leaves out parts that were closed before in another way. */
  size: Amount
  /** Per unit; null if the venue does not say. */
  price: Amount | null
  /** The result of the trade alone, without fees and funding. */
  realisedPnlUsd: Amount | null
  /** Fees of those trades; below zero is a rebate. Null if the venue does not say, or not in USD. */
  feesUsd: Amount | null
}

/** The waiting order that closed a position, or a part of it: nobody was there. */
export type ClosingOrder = 'stop-loss' | 'take-profit' | 'limit'

/** How a position ended, by the venue's own record. */
export interface CloseRecord extends EndedPart {
  accountId: string
  marketId: string
  side: Side
  /** Unknown: the venue used a word that we do not know. */
  how: 'closed' | 'liquidated' | 'deleveraged' | 'settled' | 'unknown'
  /** Left out if its trader closed it at that moment, or if the venue doesn't say. */
  by?: ClosingOrder
  /** Unix milliseconds. */
  at: number
  /** The rest of the position after this trade, unsigned. Left out where the position ended. */
  left?: Amount
  /** The venue kept the margin that was left as well, and does not say how much. */
  keptMargin?: true
  /**
   * The same without its first trade, without its first two, and so on: people already know about those
   * trades.
   */
  later?: readonly EndedPart[]
}

/** The role of an address at the venue. */
export type Identified =
  /**
   * `subAccounts`: wallets of the same trader, which hold positions of their own. Left out if there are none, and with
   * `isPartial` because they could not be read.
   */
  | { is: 'holder'; subAccounts?: readonly SubAccount[]; isPartial?: true }
  /** It signs for another wallet, which holds the positions. */
  | { is: 'agent'; of: Wallet }
  | { is: 'unknown' }

export interface SubAccount {
  wallet: Wallet
  /** As its trader calls it; null if the venue does not say. */
  name: string | null
  /** It holds positions now. */
  holds: boolean
}

/**
 * How one call is made. A poll makes one attempt, because it comes again. A call for a waiting person is
 * retried within `limitMs`.
 */
export interface Asking {
  patience: 'poll' | 'person'
  limitMs: number
  signal: AbortSignal
  /**
   * Runs one request when its weight may be spent. Every attempt passes through here, so that each is
   * counted. The request reports cost beyond the known weight through `more`.
   */
  spend: <T>(request: (more: (weight: number) => void) => Promise<T>, weight?: number) => Promise<T>
  /** Nobody waits for this read: it may include what was missed. Left out: somebody may. */
  isTurn?: true
  /** Whether weight is left over: then a read may include what is seldom read. Left out: no. */
  hasSpare?: () => boolean
  /** The same call at one of several venues, with that venue's own budget. Left out: there is only one budget. */
  at?: (venue: string) => Asking
}

/** The venue's published limit. The budget stays below it and learns the rest from 429s. */
export interface VenueLimits {
  /**
   * The weight allowed in any period of this length; null if the venue does not say. A request weighs 1 if
   * the venue only counts requests.
   */
  allowed: { weight: number; perMs: number } | null
}

/** Names an element that is a market with a readable id. */
export function unusableMarket(id: string): string {
  return `market ${id}`
}

/**
 * The part for accounts that the venue has not named yet. It puts all accounts in doubt that the answer
 * lacks.
 */
export const OTHER_ACCOUNTS = 'other accounts'

export interface MarketsAnswer {
  markets: Market[]
  unusable: Unusable[]
  /** Dexes that could not be read: their markets have not vanished. */
  failedParts: FailedPart[]
  /** For each dex whose full list is known, all of its listed markets. Other dexes are left out. */
  listings?: readonly Listing[]
}

export interface PositionsAnswer {
  positions: Position[]
  /** Empty if the venue shows no accounts. */
  accounts: Account[]
  unusable: Unusable[]
  /** Accounts that could not be read: their positions have not vanished. */
  failedParts: FailedPart[]
  /** Keys of positions that the venue has not shown now, and that are as last seen; only in answers to people. */
  remembered?: readonly string[]
  /** The venue does not know this address, so it is read more rarely. Else left out. */
  isUnknown?: true
  /** Empty accounts that this answer leaves out, and that may hold something by now; else left out. */
  unasked?: readonly UnaskedPart[]
  /** The protective orders of the positions, if the venue shows them there; else left out. */
  protectiveOrders?: readonly Order[]
  /**
   * The number of positions by the venue's count. If it sent fewer, we do not see everything. Null if it does
   * not say.
   */
  totalCount: number | null
}

/** Returns why an answer is incomplete; null if it is complete. */
export function incompleteness(answer: PositionsAnswer): string | null {
  const [first] = answer.unusable
  if (first) return `${first.what}: ${first.why}`
  const [part] = answer.failedParts
  if (part)
    return `${part.isVenue || part.part === OTHER_ACCOUNTS ? '' : 'account '}${part.part.replace('/', ' ')}: ${part.why}`
  return doubt(answer)
}

/** Returns why every account of an answer is in doubt; null if only the accounts that it names are. */
export function doubt({ positions, remembered = [], unusable, totalCount }: PositionsAnswer): string | null {
  const somewhere = unusable.find(({ part }) => part === null)
  if (somewhere) return `${somewhere.what}: ${somewhere.why}`
  const sent = positions.length - remembered.length + unusable.length
  return totalCount !== null && totalCount > sent
    ? `the venue speaks of ${totalCount} positions and sent ${sent}`
    : null
}

export interface OrdersAnswer {
  orders: Order[]
  unusable: Unusable[]
  /** Empty accounts whose open orders were not read, because that costs too much. */
  unasked: string[]
}

export type VenueFailure =
  /** No answer: refused, reset, cut off. `sent` is false if the request surely never left. */
  | { is: 'network'; sent: boolean }
  | { is: 'timeout' }
  /** No request was made: others went first until the time limit. It says nothing about the venue. */
  | { is: 'queued' }
  | { is: 'limited'; retryAfterMs: number | null }
  /** Any other status outside 2xx, with the venue's own words and its own code if it gave some. */
  | { is: 'refused'; status: number; message: string | null; code?: number }
  /** The answer differs from the specification. */
  | { is: 'unreadable'; why: string }
  /** We gave up ourselves: shutting down, or the caller's signal. */
  | { is: 'aborted' }

export class VenueError extends Error {
  readonly failure: VenueFailure
  /** The message for people; the log has it in English. */
  readonly text: Text
  constructor(failure: VenueFailure, text: Text, options?: ErrorOptions) {
    super(inWords(text), options)
    this.name = 'VenueError'
    this.failure = failure
    this.text = text
  }
}

/** A venue after it was opened. */
export interface OpenedVenue {
  venue: Venue
  /** Play money: people must never take it for real money. */
  simulated: boolean
  /**
   * Identifies the venue in the database (name, address, chain), to notice another venue on the same
   * database. Its first word is the venue's name. Several venues have theirs with commas.
   */
  identity: string
  /** Sentences for the person who starts the bot, the last one with a line to try. Empty if there is nothing to say. */
  introduction: string[]
  /** True if the bot ends after the venue's replay, once everything about it was told. */
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

/** The default export of `venues/several/index.ts`: makes one venue of several, the first one with bare ids. */
export type JoinVenues = (world: {
  venues: readonly { name: string; opened: OpenedVenue }[]
  clock: Clock
}) => OpenedVenue
