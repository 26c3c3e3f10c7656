import type { Amount } from './amount.ts'

/** The five names that the venue's `statuses` filter takes, spelt as it takes them. */
export const ORDER_STATUSES = ['Created', 'Committed', 'Expired', 'LimitSubmitted', 'LimitExecuted'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The triggers of an order: null means unset, or open at that end. */
export interface PriceRange {
  lower: Amount | null
  upper: Amount | null
  acceptable: Amount | null
}

/** An order record. The specification shows no field of it, so each one may be missing (null). */
export interface Order {
  /** The venue's order id, else a hash of the record's stable fields. */
  id: string
  /** One of the five statuses, or the venue's own word when it is another. */
  status: OrderStatus | (string & {}) | null
  type: string | null
  accountId: string | null
  marketId: string | null
  /** Signed base asset; `'all'` stands for the whole position. */
  size: Amount | 'all' | null
  limit: PriceRange | null
  takeProfit: PriceRange | null
  stopLoss: PriceRange | null
  /** True for a take-profit or stop-loss: with one, `LimitExecuted` means active, not filled. */
  guardsPosition: boolean
  /** Unix milliseconds. */
  createdAt: number | null
  expiresAt: number | null
}

/** What the venue expects of an order that nobody has placed. Missing figures are null. */
export interface Preview {
  fillPrice: Amount | null
  /** After the order; `'none'` when no price would liquidate. */
  liquidationPrice: Amount | 'none' | null
  totalFeesUsd: Amount | null
  /** Percent. */
  marginUsagePercent: number | null
  feasible: boolean | null
  /** The venue's own words why it is not feasible. */
  refusal: string | null
}

/** An order as asked about: `sizeDelta` signed, exact to the last digit. */
export interface OrderDraft {
  accountId: string
  marketId: string
  sizeDelta: Amount
}
