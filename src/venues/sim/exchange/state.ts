import type { Heap } from '../../../lib/data/heap.ts'
import type { Amount } from '../../../venue/amount.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Levels } from '../maths/levels.ts'
import type { VenueTerms } from '../maths/terms.ts'
import type { Account } from './account.ts'
import type { Market } from './market.ts'
import type { Order } from './order.ts'

/** The whole venue at one moment. Only the functions of this folder change it. */
export interface Exchange {
  readonly terms: VenueTerms
  nowSeconds: number
  readonly markets: Map<string, Market>
  readonly accounts: Map<string, Account>
  readonly accountsByWallet: Map<Wallet, Account[]>
  /**
   * USD of the pool, the counterparty of all traders: the losses of one side that the other does not get. It
   * may be negative.
   */
  poolUsd: Amount
  /** USD paid for settlements and liquidations. */
  keepersUsd: Amount
  /** USD paid in, less USD paid out. */
  depositedUsd: Amount
  /** The accounts in liquidation. */
  readonly flagged: Set<Account>
  /** The prices between which no account can become liquidatable. */
  readonly watch: Levels<Account>
  /** Limit orders and protective orders, by their trigger price. */
  readonly triggers: Levels<Order>
  /** Orders by the second in which they are due. */
  readonly due: Heap<Order>
  /** The round that looks at every account in turn, however calm the markets are. */
  readonly round: { readonly accounts: Account[]; next: number; owed: number }
  nextOrderId: number
}
