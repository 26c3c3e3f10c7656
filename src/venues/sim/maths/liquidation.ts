import { type Amount, divide, magnitude, multiply, ONE } from '../../../venue/amount.ts'
import { pnl } from './amm.ts'

// When an account goes, what that costs, and how fast: the same exact arithmetic, after PerpsMarketConfiguration.sol,
// PerpsAccount.sol and GlobalPerpsMarketConfiguration.sol. The liquidation price has no source there: it is derived.

export interface MarginTerms {
  skewScale: Amount
  initialMarginRatio: Amount
  minimumInitialMarginRatio: Amount
  maintenanceMarginScalar: Amount
  /** USD. */
  minimumPositionMargin: Amount
}

/** USD that a position needs to be opened, and to be kept. */
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

/** Fractions of what the position is worth: the larger it is beside the market, the more. */
function marginRatios(held: MarginTerms & { size: Amount }): { initial: Amount; maintenance: Amount } {
  const { size, skewScale } = held
  const share = skewScale === 0n ? 0n : divide(magnitude(size), skewScale)
  const initial = multiply(share, held.initialMarginRatio) + held.minimumInitialMarginRatio
  return { initial, maintenance: multiply(initial, held.maintenanceMarginScalar) }
}

/** What an account has against what it needs: what is asked of it includes what its liquidation would cost. */
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

/** USD for whoever liquidates: the flag's reward and the cost, at least with a profit, at most what the collateral allows. */
export function liquidationReward(
  seized: KeeperTerms & {
    flagReward: Amount
    /** USD × 10^18, whatever its name says. */
    executionCostWei: Amount
    /** 0 where it is not asked: the cap is then not scaled. */
    seizedCollateralUsd: Amount
  },
): Amount {
  const { flagReward, executionCostWei: cost, seizedCollateralUsd: margin } = seized
  const least = larger(cost + seized.minKeeperRewardUsd, multiply(cost, ONE + seized.minKeeperProfitRatio))
  const scaled = multiply(margin, seized.maxKeeperScalingRatio)
  const most = margin === 0n ? seized.maxKeeperRewardUsd : smaller(scaled, seized.maxKeeperRewardUsd)
  return smaller(larger(least, flagReward + cost), most)
}

/** USD for the liquidation of an account: its flag, and each further window that it takes. */
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
  /** Of which each may liquidate so much; of the position that needs most of them. */
  windows: bigint
}

/** Base units that may be liquidated within one window. */
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

/** Base units that may be liquidated at this moment: what the window leaves. */
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
  /** In this market before, of whomever. */
  done: readonly { atSeconds: bigint; size: Amount }[]
}

interface Threatened extends MarginTerms, LiquidationTerms {
  size: Amount
  /** Where the search begins: the price of now, or better a guess. */
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
 * USD per unit of this market at which the account becomes liquidatable, all other prices and sizes as they are; one unit of the last
 * place before it, it is not yet. Null where no price above zero does it, or every one.
 */
export function liquidationPrice(account: Threatened): Amount | null {
  const { size, price: start } = account
  if (size === 0n) return null
  const isGone = (price: Amount) => isLiquidatable(marginsAt(account, price))
  // A rise is bad for a long as well when it adds more to what the long must have than to what it gains.
  const isLostByFall = size > 0n && marginRatios(account).maintenance < ONE
  const [worse, better] = isLostByFall ? [-1n, 1n] : [1n, -1n]
  let first = start
  let second = start
  const startsGone = isGone(start)
  // From the start on in ever longer steps, until it turns.
  for (let reach = 1n; isGone(second) === startsGone; reach *= 2n) {
    if (second === 1n || reach > FARTHEST) return null
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

/** USD per unit × 10^18: what has not turned so far away stays as it is at any price. The least short that a fortune guards does. */
const FARTHEST = 10n ** 80n

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
