import type { Amount } from '../../../venue/amount.ts'
import type { Order } from './order.ts'
import type { Refusal } from './trade.ts'

/** An event on the venue. In USD, base units, and USD per unit. */
export type VenueEvent =
  | { is: 'committed'; accountId: string; order: Order }
  | ({ is: 'settled'; order: Order } & Fill)
  /** The index reached the take profit or the stop loss, which closed the position. */
  | { is: 'triggered'; accountId: string; marketId: string; order: Order; by: 'take-profit' | 'stop-loss' }
  | { is: 'expired'; accountId: string; order: Order; why: ExpiryReason }
  /** The account lost its collateral and its orders. Its positions follow as the windows allow. */
  | { is: 'flagged'; accountId: string; seizedUsd: Amount; forgivenUsd: Amount; rewardUsd: Amount }
  | ({ is: 'liquidated'; left: Amount } & Closed)
  /** The venue delisted the market and closed the position at the index price. */
  | ({ is: 'delisted' } & Closed)

/** Why an order has ended without a fill. */
export type ExpiryReason = Refusal | 'time' | 'cancelled' | 'liquidated' | 'delisted'

interface Fill {
  accountId: string
  marketId: string
  sizeDelta: Amount
  fillPrice: Amount
  feesUsd: Amount
  pnlUsd: Amount
  fundingUsd: Amount
  /** The position's size after the fill; 0 is closed. */
  size: Amount
}

interface Closed {
  accountId: string
  marketId: string
  /** The closed size, > 0 was long. */
  size: Amount
  price: Amount
  /** The gain of the whole position, even if a part of it is left: that part starts again at this price. */
  pnlUsd: Amount
  fundingUsd: Amount
}
