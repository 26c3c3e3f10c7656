import type { Amount } from '../amount.ts'
import type { FailedPart, Unusable } from './lacking.ts'

/** A movement of a wallet's money, by the venue's own record. */
export type LedgerEntry = LedgerFill | FundingPayment | Transfer

interface Recorded {
  /** The venue's id, unique among the wallet's entries of this type. */
  id: string
  /** Unix milliseconds. */
  at: number
}

/** A trade of a perpetual. */
export interface LedgerFill extends Recorded {
  is: 'fill'
  accountId: string
  marketId: string
  /** Null if the venue does not say. */
  orderId: string | null
  /** Signed base units: positive bought. */
  size: Amount
  price: Amount
  /** The position before, signed base units. */
  before: Amount
  /** The result of the part that it closed, without fees and funding; 0 for one that opened. */
  realisedUsd: Amount
  /** Below zero is a rebate. Null: it was not paid in USD. */
  feeUsd: Amount | null
  how: 'traded' | 'liquidated' | 'deleveraged' | 'settled'
}

/** One payment of funding for a position. */
export interface FundingPayment extends Recorded {
  is: 'funding'
  accountId: string
  marketId: string
  /** Negative was paid. */
  usd: Amount
  /** The position at that time, signed base units. */
  size: Amount
}

/** Money that came or went without a trade: no profit and no loss. */
export interface Transfer extends Recorded {
  is: 'transfer'
  /**
   * `sent` and `received` are to and from other wallets. `vault` and `staking` are put in or taken out. `within` moves
   * between accounts of the same wallet. `reward` was given by the venue.
   */
  what: 'deposit' | 'withdrawal' | 'sent' | 'received' | 'vault' | 'staking' | 'reward' | 'within' | 'other'
  /** Positive came in. Null: its value in USD is unknown. */
  usd: Amount | null
  /** The token, and how much of it (signed), where that is not USD; else null. */
  token: { symbol: string; amount: Amount } | null
}

export interface LedgerAsked {
  /** Wall times, both included. */
  since: number
  until: number
  /** Each kind costs requests of its own. */
  of: readonly LedgerEntry['is'][]
}

export interface LedgerAnswer {
  /** The oldest first. */
  entries: readonly LedgerEntry[]
  /**
   * From this wall time on, the record is whole: `since`, or later where the venue does not remember, or gives no more
   * at once.
   */
  wholeFrom: number
  unusable: readonly Unusable[]
  /** Venues that did not answer. Left out by a venue that stands alone. */
  failedParts?: readonly FailedPart[]
  /** Venues that show no such record. Left out by a venue that stands alone. */
  absent?: readonly string[]
}
