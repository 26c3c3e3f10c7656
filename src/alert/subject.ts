import type { Account } from '../venue/account.ts'
import type { Amount } from '../venue/amount.ts'
import type { ClosedPosition, TakenPart } from '../venue/closed-position.ts'
import type { DexSeen } from '../venue/listing.ts'
import type { Market } from '../venue/market.ts'
import type { Order } from '../venue/order.ts'
import type { Position } from '../venue/position.ts'
import type { Twap } from '../venue/record/twap.ts'
import type { Wallet } from '../venue/wallet.ts'

/**
 * The input of a kind's `judge` or `detect`. Prices and rates as doubles come from the same reading as the
 * exact ones.
 */
export type Subject = PositionSubject | MarketSubject | VenueSubject | WalletSubject | AccountSubject

/**
 * The time of the judgement (wall time). `awaySince` is when an earlier run ended, at the first read after a
 * restart.
 */
interface Judged {
  now: number
  awaySince: number | null
}

/**
 * The orders of a kind that `reads` orders. Null if they were not read, or too long ago. The list has waiting
 * orders, and the outcomes of earlier ones.
 */
interface WithOrders {
  orders: readonly Order[] | null
  /** Wall time of that reading, the oldest of several; null without one. */
  ordersAt: number | null
  /** The wall time of the reading of the venue of an order, where several were read. Left out: `ordersAt`. */
  listedAt?: (order: Order) => number
}

export interface PositionSubject extends Judged, WithOrders {
  is: 'position'
  position: Position
  market: Market
  price: number
  /** Wall times of the two readings. */
  marketAt: number
  positionAt: number
  /** Since when its wallet cannot be read, so that this is its last known position; null while it can. */
  unseenSince: number | null
  /**
   * The position is known only from before a restart or a suspension. It is judged by that until its wallet
   * is read.
   */
  remembered: false | 'restart' | 'stop'
  /** The wallet's label in the words of the rule's person. */
  label: string
}

export interface MarketSubject extends Judged {
  is: 'market'
  market: Market
  price: number
  fundingRate: number
  marketAt: number
  /** The readings of this run, and of earlier ones where a kind looks back. */
  samples: MarketSamples
  /** The positions in this market, in the wallets that its rules cover. */
  positions: { position: Position; label: string }[]
}

/** The readings of one market so far. A missing reading proves nothing. */
export interface MarketSamples {
  /** The lowest and the highest price in the last so many milliseconds; null without any reading. */
  range(ms: number): PriceRange | null
  /**
   * The funding rates of that time, at most one a minute for two hours, oldest first. Empty if the venue
   * shows no velocity.
   */
  rates(ms: number): readonly RateSeen[]
}

export interface PriceRange {
  low: PriceSeen
  high: PriceSeen
  /** How much of that time has no readings: gaps, and the time before the first. */
  darkMs: number
}

/** A fraction per day; wall time. */
export interface RateSeen {
  rate: number
  at: number
}

/** A price with the last time it was seen (wall time). */
interface PriceSeen {
  price: number
  at: number
}

/** The markets that a venue lists, from complete lists only. */
export interface VenueSubject extends Judged {
  is: 'venue'
  /** By the dex's name, which is empty for the venue's own. */
  dexes: ReadonlyMap<string, DexSeen>
  marketsAt: number
  /** The market as it was last seen. */
  market(id: string): Market | undefined
  /** The positions in this market, in the wallets that the rules cover. */
  held(marketId: string): { position: Position; label: string }[]
}

export interface WalletSubject extends Judged, WithOrders {
  is: 'wallet'
  /** Whether this is the first answer of an account's venue about the wallet. Left out: no. */
  isFirst?: (accountId: string) => boolean
  wallet: Wallet
  label: string
  positionAt: number
  /** When a position was last shown (wall time), by its key, where venues are read one by one. Left out: `positionAt`. */
  shownAt?: (key: string) => number
  /** Confirmed positions: one that only the last read lacked is still here. */
  positions: Position[]
  /** The TWAPs at a venue that was read just now, with the wall time of that; left out in every other turn. */
  twaps?: { readonly all: readonly Twap[]; readonly at: number }
  /** Keys of the positions that only the last read lacked. */
  missing: readonly string[]
  /** The venue's accounts that were read together with these positions. */
  accounts: readonly Account[]
  /** Accounts that cannot be read now. Their positions are as last known. */
  failedParts: readonly string[]
  gone: ClosedPosition[]
  /** Parts of open positions that the venue or a protective order closed. */
  taken: readonly TakenPart[]
  /** Whether the venue's record shows what closed a part of a position there. */
  hasRecords(accountId: string): boolean
  /** Keys of positions that have shrunk, while the venue's record is asked whose doing that was. */
  reducing: readonly string[]
  /** Keys of positions that were told as gone, and are back with the same entry and time: they never ended. */
  returned: readonly string[]
  /** Keys of positions that were open before in a market of another name. */
  renamed: readonly string[]
  market(id: string): Market | undefined
  /** The market's symbol, even if the market cannot be seen now. */
  symbol(id: string): string
}

/** Accounts of a wallet that share collateral, as one. */
export interface AccountSubject extends Judged {
  is: 'account'
  account: Account
  /** `main`, or `main · xyz` if the wallet has several. */
  name: string
  accountAt: number
  /** Since when these figures are only the last known ones; null while they are current. */
  unseenSince: number | null
  /** The positions that share its margin. The largest come first, as far as prices are known. */
  positions: { position: Position; symbol: string; price: Amount | null }[]
  /** The same message already has an alert about such a position. */
  toldBeside: boolean
}
