import type { Account } from '../venue/account.ts'
import type { Amount } from '../venue/amount.ts'
import type { ClosedPosition } from '../venue/closed-position.ts'
import type { DexSeen } from '../venue/listing.ts'
import type { Market } from '../venue/market.ts'
import type { Order } from '../venue/order.ts'
import type { Position } from '../venue/position.ts'
import type { Wallet } from '../venue/wallet.ts'

/** What a kind judges. Prices and rates are doubles of the same reading as the exact ones beside them. */
export type Subject = PositionSubject | MarketSubject | VenueSubject | WalletSubject | AccountSubject

/** When (wall time); and since when we were away, when this is the first look after a restart. */
interface Judged {
  now: number
  awaySince: number | null
}

/**
 * What a kind that `reads` orders is judged by. Null: they were not read, or too long ago. A list holds those that wait, and what became
 * of those that waited before.
 */
interface WithOrders {
  orders: readonly Order[] | null
  /** Wall time of that reading; null without one. */
  ordersAt: number | null
}

export interface PositionSubject extends Judged, WithOrders {
  is: 'position'
  position: Position
  market: Market
  price: number
  /** Wall times of the two readings. */
  marketAt: number
  positionAt: number
  /** Since when its wallet cannot be read: this is its last known position. Null while it can. */
  unseenSince: number | null
  /** It was read only before a restart, or before this process was stopped: it is judged by that until its wallet is read. */
  remembered: false | 'restart' | 'stop'
  /** The label of the wallet as whoever made a rule behind it knows it. */
  label: string
}

export interface MarketSubject extends Judged {
  is: 'market'
  market: Market
  price: number
  fundingRate: number
  marketAt: number
  /** What this run has seen of it. */
  samples: MarketSamples
  /** What is held there by the wallets that the rules behind it speak of. */
  positions: { position: Position; label: string }[]
}

/** What was seen of one market until now. What was not is no sign of anything. */
export interface MarketSamples {
  /** The lowest and the highest price in the last so many milliseconds; null where none was seen. */
  range(ms: number): PriceRange | null
  /** Its funding rates then, at most one a minute for two hours, oldest first; none where the venue says no velocity. */
  rates(ms: number): readonly RateSeen[]
}

export interface PriceRange {
  low: PriceSeen
  high: PriceSeen
  /** How much of that time its price was not seen: in gaps, and before the first look of this run. */
  darkMs: number
}

/** A fraction per day; wall time. */
export interface RateSeen {
  rate: number
  at: number
}

/** When (wall time): of the same price, when it was last seen. */
interface PriceSeen {
  price: number
  at: number
}

/** What a venue lists, as far as whole lists of it were seen. */
export interface VenueSubject extends Judged {
  is: 'venue'
  /** By the name of the book, which is empty for the venue's own. */
  dexes: ReadonlyMap<string, DexSeen>
  marketsAt: number
  /** As it was last seen. */
  market(id: string): Market | undefined
  /** What is held there by the wallets that the rules behind it speak of. */
  held(marketId: string): { position: Position; label: string }[]
}

export interface WalletSubject extends Judged, WithOrders {
  is: 'wallet'
  wallet: Wallet
  label: string
  positionAt: number
  /** Confirmed: one that is missing once is still here. */
  positions: Position[]
  /** Keys of those that are missing once. */
  missing: readonly string[]
  /** Of the accounts that the venue shows, those that were read with these positions. */
  accounts: readonly Account[]
  /** Accounts that cannot be read now: what is known of them is as it was before. */
  failedParts: readonly string[]
  gone: ClosedPosition[]
  market(id: string): Market | undefined
  /** What a market is called, also while it is not seen. */
  symbol(id: string): string
}

/** Accounts of an owner that share collateral, as one. */
export interface AccountSubject extends Judged {
  is: 'account'
  account: Account
  /** `main`, or `main · xyz` where the wallet has several. */
  name: string
  accountAt: number
  /** Since when its figures are not those of now: these are the last that were seen. Null while they are. */
  unseenSince: number | null
  /** Those that share its margin, the largest first as far as their prices are known. */
  positions: { position: Position; symbol: string; price: Amount | null }[]
  /** Such a position is warned of in the same message. */
  toldBeside: boolean
}
