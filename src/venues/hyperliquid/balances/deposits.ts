import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import { parseWallet, type Wallet } from '../../../venue/wallet.ts'
import { unreadable, wordOf } from '../../http/reply.ts'
import { figure, whole } from '../../http/shape.ts'

/** A deposit in a vault. */
export interface Deposit {
  vault: Wallet
  equity: Amount
  /** Unix milliseconds; null if the venue does not say. */
  lockedUntil: number | null
}

const deposits = z.array(
  z.object({
    vaultAddress: z.string(),
    equity: figure,
    lockedUntilTimestamp: z.number().int().nonnegative().nullish(),
  }),
)

/** Reads the answer of `userVaultEquities`. */
export function readDeposits(body: unknown): Deposit[] {
  return whole(deposits, body, 'the vaults')
    .filter(({ equity }) => equity !== 0n)
    .map(({ vaultAddress, equity, lockedUntilTimestamp }) => {
      const parsed = parseWallet(vaultAddress)
      if (!parsed.ok) throw unreadable('a vault is no address')
      return { vault: parsed.wallet, equity, lockedUntil: lockedUntilTimestamp ?? null }
    })
}

const details = z.object({ name: z.unknown() }).nullable()

/** Reads the name in the answer of `vaultDetails`; null if there is no such vault, or no legible name. */
export function readVaultName(body: unknown): string | null {
  return wordOf(whole(details, body, 'the vault')?.name)
}

/** HYPE in staking. */
export interface Stakes {
  staked: Amount
  leaving: Amount
}

const summary = z.object({ delegated: figure, undelegated: figure, totalPendingWithdrawal: figure })

/** Reads the answer of `delegatorSummary`. */
export function readStakes(body: unknown): Stakes {
  const { delegated, undelegated, totalPendingWithdrawal } = whole(summary, body, 'the stakes')
  return { staked: delegated + undelegated, leaving: totalPendingWithdrawal }
}
