import type { Amount } from '../../../venue/amount.ts'

/** An index price that closes a position, with the worst acceptable fill price. */
export interface Trigger {
  /** USD per unit, of the index. */
  price: Amount
  acceptablePrice: Amount
}

interface Placed {
  readonly id: number
  readonly accountId: string
  readonly marketId: string
  readonly placedAtSeconds: number
  /** The protective orders of the position that it opens. */
  takeProfit: Trigger | null
  stopLoss: Trigger | null
  /** Null until its status changes. */
  changedAtSeconds: number | null
  /** The slots of its armed triggers. */
  slots: number[]
}

/** Fills at the price of its settlement. A settled one is removed from the account's list. */
export interface MarketOrder extends Placed {
  readonly is: 'market'
  readonly sizeDelta: Amount
  readonly acceptablePrice: Amount
  status: 'Created' | 'Committed' | 'Expired'
  /** The end of its settlement window; null until it is committed. */
  expiresAtSeconds: number | null
}

/** Fills at its own price once the index reaches it. */
export interface LimitOrder extends Placed {
  readonly is: 'limit'
  readonly sizeDelta: Amount
  readonly price: Amount
  /** The index was past its price when it was placed. */
  readonly isTaker: boolean
  status: 'LimitSubmitted' | 'LimitExecuted' | 'Expired'
  readonly expiresAtSeconds: number
}

/** Closes a whole position. The venue calls an active one executed. */
export interface ProtectiveOrder extends Placed {
  readonly is: 'protective'
  readonly status: 'LimitExecuted'
}

export type Order = MarketOrder | LimitOrder | ProtectiveOrder
