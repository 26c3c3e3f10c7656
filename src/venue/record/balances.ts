import type { Amount } from '../amount.ts'
import type { FailedPart, Unusable } from './lacking.ts'
import type { Wallet } from '../wallet.ts'

/** All that a wallet holds at a venue beside its positions. */
export interface BalancesAnswer {
  spot: readonly SpotBalance[]
  vaults: readonly VaultDeposit[]
  /** Null: none. */
  staking: Staking | null
  subAccounts: readonly SubAccountBalance[]
  unusable: readonly Unusable[]
  /** `spot`, `vaults`, `staking` or `sub-accounts`, as far as they could not be read: they are not empty. */
  failedParts: readonly FailedPart[]
  /** Venues that show no balances. Left out by a venue that stands alone. */
  absent?: readonly string[]
}

export interface SpotBalance {
  token: string
  amount: Amount
  /** At the venue's price; null if that is unknown. */
  usd: Amount | null
  /** The equity of the perpetuals has it already: it must not be counted twice. */
  isCollateral: boolean
}

export interface VaultDeposit {
  vault: Wallet
  /** Null if the venue does not say. */
  name: string | null
  equityUsd: Amount
  /** Wall time until which it cannot be taken out; null if it can be. */
  lockedUntil: number | null
}

export interface Staking {
  token: string
  /** Delegated to validators, and in the staking account but not delegated. */
  staked: Amount
  /** On its way out. */
  leaving: Amount
  /** All of it; null if the price is unknown. */
  usd: Amount | null
}

/** Another wallet of the same trader, which holds positions of its own. */
export interface SubAccountBalance {
  wallet: Wallet
  name: string | null
  /** Null if the venue does not say. */
  equityUsd: Amount | null
  /** The number of its open positions. */
  positions: number
}
