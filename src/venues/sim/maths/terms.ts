import { type Amount, ONE } from '../../../venue/amount.ts'
import type { KeeperTerms, MarginTerms } from './liquidation.ts'

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

// What a venue does not show through its API: the simulated venue's own choice.

const cents = (hundredths: number) => (BigInt(hundredths) * ONE) / 100n
const basisPoints = (number: number) => (BigInt(number) * ONE) / 10_000n

export const STANDARD_VENUE: VenueTerms = {
  minKeeperRewardUsd: cents(100),
  minKeeperProfitRatio: cents(30),
  maxKeeperRewardUsd: cents(50_000),
  maxKeeperScalingRatio: cents(10),
  flagExecutionCost: cents(10),
  liquidateExecutionCost: cents(10),
  collateralLiquidateRewardRatio: basisPoints(3),
  settlementRewardUsd: cents(11),
  ...{ commitDelaySeconds: 1, settlementDelaySeconds: 1, settlementWindowSeconds: 60, roundSeconds: 3_600 },
}

/** Fifty-fold at most, half of that is kept: what is at stake is the same in every market, whatever its size. */
export const STANDARD_MARGIN = {
  initialMarginRatio: 2n * ONE,
  minimumInitialMarginRatio: cents(2),
  maintenanceMarginScalar: cents(50),
  minimumPositionMargin: cents(100),
  flagRewardRatio: basisPoints(3),
  liquidationWindowSeconds: 30,
  liquidationWindowMultiplier: ONE,
  maxLiquidationPd: 0n,
} as const satisfies Partial<MarketTerms>
