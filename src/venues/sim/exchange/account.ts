import type { Amount } from '../../../venue/amount.ts'
import type { Wallet as Owner } from '../../../venue/wallet.ts'
import type { Market } from './market.ts'
import type { Guard, Order } from './order.ts'

/** What an account has of its own, without what its positions are worth. Never both at once. */
export interface Wallet {
  /** USD. */
  collateralUsd: Amount
  debtUsd: Amount
}

/** What is held, whoever holds it. */
export interface Held {
  readonly market: Market
  /** Base units, > 0 is long, never 0. */
  size: Amount
  /** USD per unit, of its last fill: what it has gained since is not in the collateral yet. */
  latestInteractionPrice: Amount
  /** The market's at that time. */
  fundingValue: Amount
}

/** With its history, since it was opened or turned round. */
export interface Figures extends Held {
  /** USD per unit. */
  avgEntryPrice: Amount
  enteredAtSeconds: number
  /** USD, + is received. */
  realisedFundingUsd: Amount
  /** USD that its fills have moved to the collateral, without funding and fees. */
  realisedPnlUsd: Amount
  /** USD, with settlement rewards. */
  feesUsd: Amount
  volumeUsd: Amount
}

export interface Position extends Figures {
  guard: Guard | null
  /** Where the keeper has it on watch. */
  slot: number
}

/** Cross margin: all that it has stands for all that it holds. */
export interface Account extends Wallet {
  readonly id: string
  readonly owner: Owner
  positions: Position[]
  /** Under way, resting, and the last ones that ended. */
  orders: Order[]
  /** Being liquidated: it has lost its collateral, and its positions go as the windows allow. */
  isFlagged: boolean
}

export function positionIn(account: Account, market: Market): Position | undefined {
  return account.positions.find((held) => held.market === market)
}

/** After USD were credited, or taken when negative: a debt is paid first, what the collateral cannot pay is owed. */
export function charged({ collateralUsd, debtUsd }: Wallet, amountUsd: Amount): Wallet {
  const net = collateralUsd - debtUsd + amountUsd
  return net < 0n ? { collateralUsd: 0n, debtUsd: -net } : { collateralUsd: net, debtUsd: 0n }
}
