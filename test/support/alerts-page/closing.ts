import { fixed, type StageOrder } from '../stage.ts'

// What the venue answers about closing a part, so that the quotes on the page follow from the position's own figures.

/** The maintenance margin as a fraction of the notional: the same that the margin to add is estimated with. */
const MAINTENANCE = 0.025
/** Of a market that says none. */
const TAKER_FEE = 0.0005

/**
 * The fee, and the liquidation price of the rest. The margin of the account loses the fee, and what the closed part
 * has gained by its fill becomes balance; all else stays.
 *
 * At a liquidation price L, all margin but size × price is −k·L, with k = size − |size| × maintenance. An order of Δ that
 * fills at F takes Δ·F and its fee from it.
 */
export function closing({ market, position, sizeDelta, fill }: StageOrder): Record<string, unknown> {
  const { size, liquidation } = position
  const fee = Math.abs(sizeDelta) * fill * (market.takerFee ?? TAKER_FEE)
  const rest = weight(size + sizeDelta)
  const moved = rest === 0 ? 0 : (weight(size) * liquidation + sizeDelta * fill + fee) / rest
  return {
    totalFees: fixed(fee),
    ammFees: fixed(fee),
    settlementReward: fixed(0),
    liquidationPrice: fixed(liquidation === 0 ? 0 : Math.max(0, moved)),
  }
}

function weight(size: number): number {
  return size - Math.abs(size) * MAINTENANCE
}
