import type { Amount } from '../../../venue/amount.ts'
import type { Order } from './order.ts'
import type { Refusal } from './trade.ts'

/** An event on the venue. USD, base units, USD per unit. */
export type Happening =
  | { is: 'committed'; accountId: string; order: Order }
  | ({ is: 'settled'; order: Order } & Fill)
  /** A position's take profit or stop loss has been reached, and it is closed by it. */
  | { is: 'triggered'; accountId: string; marketId: string; order: Order; by: 'take-profit' | 'stop-loss' }
  | { is: 'expired'; accountId: string; order: Order; why: Ending }
  /** Its collateral is gone, its orders too; its positions follow as the windows allow. */
  | { is: 'flagged'; accountId: string; seizedUsd: Amount; forgivenUsd: Amount; rewardUsd: Amount }
  | ({ is: 'liquidated'; left: Amount } & Closed)
  /** The venue has closed it at the index, because it delists the market. */
  | ({ is: 'delisted' } & Closed)

/** Why an order has ended without a fill. */
export type Ending = Refusal | 'time' | 'cancelled' | 'liquidated' | 'delisted'

interface Fill {
  accountId: string
  marketId: string
  sizeDelta: Amount
  fillPrice: Amount
  feesUsd: Amount
  pnlUsd: Amount
  fundingUsd: Amount
  /** Of the position after it; 0 is closed. */
  size: Amount
}

interface Closed {
  accountId: string
  marketId: string
  /** The closed size, > 0 was long. */
  size: Amount
  price: Amount
  /** Of the whole position, also where a part of it is left: that begins anew at this price. */
  pnlUsd: Amount
  fundingUsd: Amount
}
