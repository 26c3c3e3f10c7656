import type { Amount } from '../amount.ts'
import type { FailedPart, Unusable } from './lacking.ts'
import type { Wallet } from '../wallet.ts'

/** All that a wallet holds at a venue beside its positions. */
export interface BalancesAnswer {
  /** Each account of perpetuals with equity of its own, also without a position. Empty where spot has their collateral. */
  perps: readonly PerpsEquity[]
  spot: readonly SpotBalance[]
  vaults: readonly VaultDeposit[]
  /** Null: none. */
  staking: Staking | null
  subAccounts: readonly SubAccountBalance[]
  unusable: readonly Unusable[]
  /** Each `BalancePart` that could not be read, or not wholly: they are not empty. */
  failedParts: readonly FailedPart[]
  /** Venues that show no balances. Left out by a venue that stands alone. */
  absent?: readonly string[]
}

/** A part that may fail alone. `prices` are those of tokens. */
export type BalancePart = 'perps' | 'spot' | 'prices' | 'vaults' | 'staking' | 'sub-accounts'

export interface PerpsEquity {
  accountId: string
  equityUsd: Amount
}

export interface SpotBalance {
  token: string
  amount: Amount
  /** At the venue's price; null if that is unknown. */
  usd: Amount | null
  /** The pool of accounts whose equity has it already: it must not be counted twice. Null: none has it. */
  pool: string | null
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
  /** Its tokens that this equity leaves out, because their price is unknown. */
  unpriced: readonly string[]
  /** The number of its open positions. */
  positions: number
}
