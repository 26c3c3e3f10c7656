import type { Amount } from '../../../venue/amount.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Market } from './market.ts'
import type { ProtectiveOrder, Order } from './order.ts'

/**
 * The collateral and the debt of an account, without the gains of its positions. One of the two is always 0.
 */
export interface Balance {
  /** USD. */
  collateralUsd: Amount
  debtUsd: Amount
}

/** A size in a market, without its account. */
export interface Held {
  readonly market: Market
  /** Base units, > 0 is long, never 0. */
  size: Amount
  /** USD per unit, of the last fill. The gains since then are not part of the collateral. */
  latestInteractionPrice: Amount
  /** The market's funding value at the last fill. */
  fundingValue: Amount
}

/** A position with its history since it was opened or turned round. */
export interface Figures extends Held {
  /** USD per unit. */
  avgEntryPrice: Amount
  enteredAtSeconds: number
  /** USD, > 0 was received. */
  realisedFundingUsd: Amount
  /** USD that its fills have moved to the collateral, without funding and fees. */
  realisedPnlUsd: Amount
  /** USD, with settlement rewards. */
  feesUsd: Amount
  volumeUsd: Amount
}

export interface Position extends Figures {
  protectiveOrder: ProtectiveOrder | null
  /** The slot of the position in the exchange's `watch`. */
  slot: number
}

/** Uses cross margin: all its collateral covers all its positions. */
export interface Account extends Balance {
  readonly id: string
  readonly wallet: Wallet
  positions: Position[]
  /** Open orders, and the last ended ones. */
  orders: Order[]
  /**
   * The account is in liquidation: it has lost its collateral, and the windows limit how fast its positions
   * go.
   */
  isFlagged: boolean
}

export function positionIn(account: Account, market: Market): Position | undefined {
  return account.positions.find((held) => held.market === market)
}

/**
 * Credits USD, or takes them when negative. A credit pays the debt first; a charge beyond the collateral
 * becomes debt.
 */
export function charged({ collateralUsd, debtUsd }: Balance, amountUsd: Amount): Balance {
  const net = collateralUsd - debtUsd + amountUsd
  return net < 0n ? { collateralUsd: 0n, debtUsd: -net } : { collateralUsd: net, debtUsd: 0n }
}
