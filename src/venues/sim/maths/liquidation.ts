import { type Amount, divide, magnitude, multiply, ONE } from '../../../venue/amount.ts'
import { pnl } from './amm.ts'

// When an account is liquidated, at which cost and how fast. The same exact arithmetic, after
// PerpsMarketConfiguration.sol, PerpsAccount.sol and GlobalPerpsMarketConfiguration.sol. The contracts have
// no liquidation price: it is derived.

export interface MarginTerms {
  skewScale: Amount
  initialMarginRatio: Amount
  minimumInitialMarginRatio: Amount
  maintenanceMarginScalar: Amount
  /** USD. */
  minimumPositionMargin: Amount
}

/** USD that a position needs to open, and to stay open. */
export function margins(held: MarginTerms & { size: Amount; price: Amount }): {
  initialMargin: Amount
  maintenanceMargin: Amount
} {
  const { size, minimumPositionMargin } = held
  if (size === 0n) return { initialMargin: 0n, maintenanceMargin: 0n }
  const ratios = marginRatios(held)
  const notional = multiply(magnitude(size), held.price)
  return {
    initialMargin: multiply(notional, ratios.initial) + minimumPositionMargin,
    maintenanceMargin: multiply(notional, ratios.maintenance) + minimumPositionMargin,
  }
}

/** Fractions of the position's value. They grow with its size beside the market's skew scale. */
function marginRatios(held: MarginTerms & { size: Amount }): { initial: Amount; maintenance: Amount } {
  const { size, skewScale } = held
  const share = skewScale === 0n ? 0n : divide(magnitude(size), skewScale)
  const initial = multiply(share, held.initialMarginRatio) + held.minimumInitialMarginRatio
  return { initial, maintenance: multiply(initial, held.maintenanceMarginScalar) }
}

/** Whether the margin covers the maintenance margin and the cost of a liquidation. */
export function isLiquidatable(account: {
  availableMargin: Amount
  maintenanceMargin: Amount
  liquidationReward: Amount
}): boolean {
  return account.maintenanceMargin + account.liquidationReward > account.availableMargin
}

export interface KeeperTerms {
  minKeeperRewardUsd: Amount
  minKeeperProfitRatio: Amount
  maxKeeperRewardUsd: Amount
  maxKeeperScalingRatio: Amount
}

/**
 * USD for the keeper: the flag reward and the execution cost. At least the cost with a profit, at most a
 * share of the collateral.
 */
export function liquidationReward(
  seized: KeeperTerms & {
    flagReward: Amount
    /** USD × 10^18, despite its name in the contracts. */
    executionCostWei: Amount
    /** 0 leaves the maximum unscaled. */
    seizedCollateralUsd: Amount
  },
): Amount {
  const { flagReward, executionCostWei: cost, seizedCollateralUsd: margin } = seized
  const least = larger(cost + seized.minKeeperRewardUsd, multiply(cost, ONE + seized.minKeeperProfitRatio))
  const scaled = multiply(margin, seized.maxKeeperScalingRatio)
  const most = margin === 0n ? seized.maxKeeperRewardUsd : smaller(scaled, seized.maxKeeperRewardUsd)
  return smaller(larger(least, flagReward + cost), most)
}

/** USD for the liquidation of an account: for its flag, and for each further window. */
export function accountLiquidationReward(account: LiquidationTerms & { flagReward: Amount }): Amount {
  const { collateralUsd, windows, flagExecutionCost, liquidateExecutionCost } = account
  const ofCollateral = multiply(collateralUsd, account.collateralLiquidateRewardRatio)
  const first = liquidationReward({
    ...account,
    flagReward: larger(account.flagReward, ofCollateral),
    executionCostWei: flagExecutionCost + liquidateExecutionCost,
    seizedCollateralUsd: collateralUsd,
  })
  const further = { flagReward: 0n, executionCostWei: liquidateExecutionCost, seizedCollateralUsd: 0n }
  return windows <= 1n ? first : first + (windows - 1n) * liquidationReward({ ...account, ...further })
}

export interface LiquidationTerms extends KeeperTerms {
  collateralUsd: Amount
  collateralLiquidateRewardRatio: Amount
  /** USD. */
  flagExecutionCost: Amount
  liquidateExecutionCost: Amount
  /** The windows that its largest liquidation takes. */
  windows: bigint
}

/** Base units that one window may liquidate. */
export function maxLiquidationAmountInWindow(market: {
  makerFee: Amount
  takerFee: Amount
  skewScale: Amount
  multiplier: Amount
  windowSeconds: bigint
}): Amount {
  const perSecond = multiply(multiply(market.makerFee + market.takerFee, market.skewScale), market.multiplier)
  return perSecond * market.windowSeconds
}

/** Base units that the current window still allows. */
export function liquidatableNow({ size, capacity, windowSeconds, nowSeconds, done }: Liquidating): Amount {
  const recent = done.filter(({ atSeconds }) => nowSeconds - atSeconds < windowSeconds)
  const left = capacity - recent.reduce((sum, one) => sum + one.size, 0n)
  return smaller(magnitude(size), larger(left, 0n))
}

interface Liquidating {
  size: Amount
  capacity: Amount
  windowSeconds: bigint
  nowSeconds: bigint
  /** Earlier liquidations of any account in this market. */
  done: readonly { atSeconds: bigint; size: Amount }[]
}

interface Threatened extends MarginTerms, LiquidationTerms {
  size: Amount
  /** Where the search begins: the current price, or a better guess. */
  price: Amount
  latestInteractionPrice: Amount
  accruedFunding: Amount
  interest: Amount
  flagRewardRatio: Amount
  /** Collateral less debt, with the gains of its other positions. */
  otherAvailableMargin: Amount
  otherMaintenanceMargin: Amount
  otherFlagReward: Amount
}

/**
 * USD per unit at which the account becomes liquidatable, all other prices and sizes unchanged. One unit of
 * the last decimal place earlier it is still safe. Null if no price above zero does it, or every one does.
 */
export function liquidationPrice(account: Threatened): Amount | null {
  const { size, price: start } = account
  if (size === 0n) return null
  const isGone = (price: Amount) => isLiquidatable(marginsAt(account, price))
  // A rise also hurts a long if it adds more to the maintenance margin than to the gain.
  const isLostByFall = size > 0n && marginRatios(account).maintenance < ONE
  const [worse, better] = isLostByFall ? [-1n, 1n] : [1n, -1n]
  let first = start
  let second = start
  const startsGone = isGone(start)
  // Search in ever longer steps until the answer changes.
  for (let reach = 1n; isGone(second) === startsGone; reach *= 2n) {
    if (second === 1n || reach > FARTHEST_SEARCHED_PRICE) return null
    first = second
    second = larger(start + reach * (startsGone ? better : worse), 1n)
  }
  let [gone, safe] = startsGone ? [first, second] : [second, first]
  while (magnitude(safe - gone) > 1n) {
    const middle = (safe + gone) / 2n
    if (isGone(middle)) gone = middle
    else safe = middle
  }
  return gone
}

/**
 * USD per unit × 10^18. If the answer has not changed by then, it never does. This is far enough even for the
 * smallest short with a fortune as collateral.
 */
const FARTHEST_SEARCHED_PRICE = 10n ** 80n

function marginsAt(account: Threatened, price: Amount) {
  const notional = multiply(magnitude(account.size), price)
  const flagReward = account.otherFlagReward + multiply(notional, account.flagRewardRatio)
  return {
    availableMargin: account.otherAvailableMargin + pnl({ ...account, price }),
    maintenanceMargin: account.otherMaintenanceMargin + margins({ ...account, price }).maintenanceMargin,
    liquidationReward: accountLiquidationReward({ ...account, flagReward }),
  }
}

function larger(a: Amount, b: Amount): Amount {
  return a > b ? a : b
}

function smaller(a: Amount, b: Amount): Amount {
  return a < b ? a : b
}
