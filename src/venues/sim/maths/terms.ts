import { type Amount, ONE } from '../../../venue/amount.ts'
import type { KeeperTerms, MarginTerms } from './liquidation.ts'

/** The fixed terms of a market. Amounts have 18 decimals; sizes are base units, ratios fractions of one. */
export interface MarketTerms extends MarginTerms {
  id: string
  symbol: string
  makerFee: Amount
  takerFee: Amount
  /** Fees of limit orders: one that rested, and one that could have filled when it was placed. */
  limitMakerFee: Amount
  limitTakerFee: Amount
  /** Per day and day, at a skew of the whole scale. */
  maxFundingVelocity: Amount
  /** The chain's seconds in a day of rates and of volumes. Prices that move faster than real leave a day as long as it is. */
  daySeconds?: bigint
  /** Base units that one side may hold. */
  maxMarketSize: Amount
  /** USD that one side may hold at the index price; 0 is no limit. */
  maxMarketValue: Amount
  flagRewardRatio: Amount
  liquidationWindowSeconds: number
  liquidationWindowMultiplier: Amount
  /**
   * While the skew is a smaller share of its scale, a full window does not delay liquidations; 0 is never.
   */
  maxLiquidationPd: Amount
}

/** The fixed terms of the venue. */
export interface VenueTerms extends KeeperTerms {
  /** USD. */
  flagExecutionCost: Amount
  liquidateExecutionCost: Amount
  collateralLiquidateRewardRatio: Amount
  /** USD for settling an order, on top of its fee. */
  settlementRewardUsd: Amount
  /** From the placing of an order to its commit. */
  commitDelaySeconds: number
  /** From the commit to the first second of settlement, and how long settlement may be tried. */
  settlementDelaySeconds: number
  settlementWindowSeconds: number
  /**
   * The keeper looks at every account within this time, however calm its markets are. Funding can hide a
   * liquidation for no longer.
   */
  roundSeconds: number
}

// The real venue does not show these through its API: the simulated venue chooses its own.

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

/** Leverage of at most 50 in every market, large or small. Maintenance is half of the initial margin. */
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
