import type { Amount } from './amount.ts'
import type { Wallet } from './wallet.ts'

/** A wallet's account at a venue, in USD, without its positions. Null: the venue does not say. */
export interface Account {
  wallet: Wallet
  /** The same id as in the account's positions. */
  accountId: string
  /**
   * Accounts that share collateral have the same pool: the id of the first of them. Without sharing, the
   * account's own id.
   */
  pool: string
  /** `unified`: the venue also counts collateral from outside of the account. */
  mode: 'single' | 'unified' | 'portfolio'
  equityUsd: Amount | null
  maintenanceUsd: Amount | null
  /** Maintenance margin over equity, for the shared margin. From 1 on the venue liquidates the account. */
  marginRatio: number | null
  withdrawableUsd: Amount | null
}
