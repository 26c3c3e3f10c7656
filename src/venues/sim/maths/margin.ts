import { type Amount, magnitude, multiply } from '../../../venue/amount.ts'
import type { Held, Balance } from '../exchange/account.ts'
import { fundingAt, type Market } from '../exchange/market.ts'
import { pnl } from './amm.ts'
import { accountLiquidationReward, isLiquidatable, margins } from './liquidation.ts'
import type { VenueTerms } from './terms.ts'

/** A balance with positions: an account as it is, or as it would be after a fill. */
export interface Holder extends Balance {
  readonly positions: readonly Held[]
}

/** The margins of an account, in USD. */
export interface Standing {
  /** Collateral less debt, with the gains of its positions, funding included. */
  availableMargin: Amount
  initialMargin: Amount
  maintenanceMargin: Amount
  liquidationReward: Amount
  isLiquidatable: boolean
}

export function standing(venue: VenueTerms, holder: Holder, nowSeconds: number): Standing {
  const { collateralUsd, debtUsd, positions } = holder
  let availableMargin = collateralUsd - debtUsd
  let [initialMargin, maintenanceMargin] = [0n, 0n]
  for (const held of positions) {
    const { market, size } = held
    const gained = gainedBy(held, market.indexPrice, nowSeconds)
    availableMargin += gained.priceUsd + gained.fundingUsd
    const needed = margins({ ...market.terms, size, price: market.indexPrice })
    initialMargin += needed.initialMargin
    maintenanceMargin += needed.maintenanceMargin
  }
  const asked = { availableMargin, initialMargin, maintenanceMargin }
  if (positions.length === 0) return { ...asked, liquidationReward: 0n, isLiquidatable: false }
  const liquidationReward = rewardOf(venue, collateralUsd, positions.map(keeperWork))
  return { ...asked, liquidationReward, isLiquidatable: isLiquidatable({ ...asked, liquidationReward }) }
}

/** USD that may leave the account: 0 with a debt, and never a part of the initial margin. */
export function withdrawable(venue: VenueTerms, holder: Holder, nowSeconds: number): Amount {
  const { collateralUsd, debtUsd } = holder
  if (debtUsd > 0n) return 0n
  const free = freeOf(standing(venue, holder, nowSeconds))
  if (free < collateralUsd) return free > 0n ? free : 0n
  // Collateral caps the keeper's reward. Without any collateral, that reward may exceed the gains.
  const without = freeOf(standing(venue, { ...holder, collateralUsd: 0n }, nowSeconds))
  return without < 0n ? collateralUsd - 1n : collateralUsd
}

function freeOf({ availableMargin, initialMargin, liquidationReward }: Standing): Amount {
  return availableMargin - initialMargin - liquidationReward
}

/** USD since the last fill: by the price, at this price of the market, and by funding. */
export function gainedBy(held: Held, price: Amount, nowSeconds: number) {
  const { market, size, latestInteractionPrice, fundingValue } = held
  return {
    priceUsd: pnl({ size, price, latestInteractionPrice, accruedFunding: 0n, interest: 0n }),
    fundingUsd: multiply(size, fundingAt(market, nowSeconds).value - fundingValue),
  }
}

/** A position's part in the reward for the liquidation of its account. */
export interface KeeperWork {
  /** USD. */
  flagReward: Amount
  windows: bigint
}

export function keeperWork({ market, size }: Held): KeeperWork {
  return keeperWorkAt(market, size, market.indexPrice)
}

export function keeperWorkAt(market: Market, size: Amount, price: Amount): KeeperWork {
  const { windowCapacity, terms } = market
  const windows = windowCapacity === 0n ? 0n : (magnitude(size) + windowCapacity - 1n) / windowCapacity
  return { flagReward: multiply(multiply(magnitude(size), price), terms.flagRewardRatio), windows }
}

/** USD for the liquidation of these positions with this collateral. */
export function rewardOf(venue: VenueTerms, collateralUsd: Amount, work: readonly KeeperWork[]): Amount {
  const flagReward = work.reduce((sum, one) => sum + one.flagReward, 0n)
  const windows = work.reduce((most, one) => (one.windows > most ? one.windows : most), 0n)
  return accountLiquidationReward({ ...venue, collateralUsd, flagReward, windows })
}
