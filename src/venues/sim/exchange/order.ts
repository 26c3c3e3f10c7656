import type { Amount } from '../../../venue/amount.ts'

/** A price that makes a position close, and the worst one at which it may. */
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
  /** What guards the position that it leads to. */
  takeProfit: Trigger | null
  stopLoss: Trigger | null
  /** Null until something happens to it. */
  changedAtSeconds: number | null
  /** Where its triggers are armed. */
  slots: number[]
}

/** At the price of the moment in which it is settled. Settled, it is in no list any more. */
export interface MarketOrder extends Placed {
  readonly is: 'market'
  readonly sizeDelta: Amount
  readonly acceptablePrice: Amount
  status: 'Created' | 'Committed' | 'Expired'
  /** When it is not settled any more; null until it is committed. */
  expiresAtSeconds: number | null
}

/** At its own price, once the index has come to it. */
export interface LimitOrder extends Placed {
  readonly is: 'limit'
  readonly sizeDelta: Amount
  readonly price: Amount
  /** The index had come to it before it was there. */
  readonly isTaker: boolean
  status: 'LimitSubmitted' | 'LimitExecuted' | 'Expired'
  readonly expiresAtSeconds: number
}

/** Closes a whole position. While it is active the venue calls it executed. */
export interface Guard extends Placed {
  readonly is: 'guard'
  readonly status: 'LimitExecuted'
}

export type Order = MarketOrder | LimitOrder | Guard
