import { ONE } from '../../amount.ts'
import type { MarketTerms, VenueTerms } from './exchange/terms.ts'

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
