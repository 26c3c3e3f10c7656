import type { Heap } from '../../../lib/data/heap.ts'
import type { Amount } from '../../../venue/amount.ts'
import type { Wallet as Owner } from '../../../venue/wallet.ts'
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
  readonly owners: Map<Owner, Account[]>
  /** USD of those who stand against all traders: what one side loses and the other does not get. It may be owed. */
  poolUsd: Amount
  /** USD that have been paid for settling and for liquidating. */
  keepersUsd: Amount
  /** USD that came in, less what went out again. */
  depositedUsd: Amount
  /** Being liquidated. */
  readonly flagged: Set<Account>
  /** Between which prices no account can be lost. */
  readonly watch: Levels<Account>
  /** Limit orders and guards, by the price that they wait for. */
  readonly triggers: Levels<Order>
  /** Orders by the second at which something is due to happen to them. */
  readonly due: Heap<Order>
  /** Everybody in turn, however calm it is. */
  readonly round: { readonly accounts: Account[]; next: number; owed: number }
  nextOrderId: number
}
