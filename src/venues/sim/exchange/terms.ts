import type { Amount } from '../../../amount.ts'
import type { KeeperTerms, MarginTerms } from '../liquidation.ts'

/** What is fixed of a market. Amounts have 18 decimals; sizes are base units, ratios fractions of one. */
export interface MarketTerms extends MarginTerms {
  id: string
  symbol: string
  makerFee: Amount
  takerFee: Amount
  /** Of orders that fill at their own price: one that rested, and one that could have filled when it came. */
  limitMakerFee: Amount
  limitTakerFee: Amount
  /** Per day, in a day, at a skew of the whole scale. */
  maxFundingVelocity: Amount
  /** Base units that one side may hold. */
  maxMarketSize: Amount
  /** USD that one side may hold at the index price; 0 is without limit. */
  maxMarketValue: Amount
  flagRewardRatio: Amount
  liquidationWindowSeconds: number
  liquidationWindowMultiplier: Amount
  /** While the skew is a smaller share of its scale than this, a full window does not hold liquidations up; 0 is never. */
  maxLiquidationPd: Amount
}

/** What is fixed of the venue. */
export interface VenueTerms extends KeeperTerms {
  /** USD. */
  flagExecutionCost: Amount
  liquidateExecutionCost: Amount
  collateralLiquidateRewardRatio: Amount
  /** USD for whoever settles an order, on top of its fee. */
  settlementRewardUsd: Amount
  /** From the order's arrival until it is on the chain. */
  commitDelaySeconds: number
  /** From there until it may be settled, and for how long. */
  settlementDelaySeconds: number
  settlementWindowSeconds: number
  /** In this time the keeper looks at every account, whatever its markets do: what funding alone can hide, and no longer. */
  roundSeconds: number
}
