import type { Amount } from './amount.ts'
import type { Wallet } from './wallet.ts'

/** What an owner has in one account of a venue, in USD, beside its positions. Null is what the venue does not say. */
export interface Account {
  wallet: Wallet
  /** That of its positions. */
  accountId: string
  /** Accounts that share collateral have the same: the id of the first of them; its own where nothing is shared. */
  pool: string
  /** `unified`: the venue counts collateral from outside of it as well. */
  mode: 'single' | 'unified' | 'portfolio'
  equityUsd: Amount | null
  maintenanceUsd: Amount | null
  /** Maintenance margin over equity, of what is shared: from 1 on the account is liquidated. */
  marginRatio: number | null
  withdrawableUsd: Amount | null
}
