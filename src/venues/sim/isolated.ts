/**
 * Isolated margin, one position by itself: liquidated when `margin + size·(price − entry)` no longer covers
 * `|size|·price·MAINTENANCE + LIQUIDATION_REWARD_USD`. Funding is shown but does not eat margin here.
 */
export interface Isolated {
  /** Signed base asset. */
  size: number
  entryPrice: number
  marginUsd: number
}

const MAINTENANCE = 0.005
const LIQUIDATION_REWARD_USD = 1

/** Null when no price above zero liquidates. Twelve significant digits, as a venue that computes in doubles sends. */
export function liquidationPrice({ size, entryPrice, marginUsd }: Isolated): number | null {
  const price =
    (size * entryPrice + LIQUIDATION_REWARD_USD - marginUsd) / (size - Math.abs(size) * MAINTENANCE)
  return price > 0 ? Number(price.toPrecision(12)) : null
}

/** The margin with which a position is liquidated at `price`: `liquidationPrice` backwards. */
export function marginFor(size: number, entryPrice: number, price: number): number {
  return size * entryPrice + LIQUIDATION_REWARD_USD - price * (size - Math.abs(size) * MAINTENANCE)
}

export function maintenanceUsd(size: number, price: number): number {
  return size === 0 ? 0 : Math.abs(size) * price * MAINTENANCE + LIQUIDATION_REWARD_USD
}

/** What is left of the margin at this price. */
export function equityUsd({ size, entryPrice, marginUsd }: Isolated, price: number): number {
  return marginUsd + size * (price - entryPrice)
}
