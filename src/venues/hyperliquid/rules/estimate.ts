import { type Amount, divide, magnitude, multiply } from '../../../venue/amount.ts'
import { liquidationPrice, maintenance, type MarginTier } from '../wire/margin.ts'
import type { Level } from '../wire/trading.ts'

/**
 * A position with everything that decides its liquidation price. Size zero is a position that is not open
 * yet.
 */
export interface Stand {
  size: Amount
  mark: Amount
  tiers: readonly MarginTier[]
  leverage: number
  /**
   * Its cover. Cross: the account's value beyond the needs of its other positions, at this mark. Isolated:
   * its own bucket.
   */
  by: { is: 'cross'; cover: Amount } | { is: 'isolated'; rawUsd: Amount }
}

/** The average price at which an order would fill; null when the visible order book is too thin. */
export function fillPriceOf(sizeDelta: Amount, levels: readonly Level[]): Amount | null {
  let left = magnitude(sizeDelta)
  let paid = 0n
  for (const { price, size } of levels) {
    const taken = size < left ? size : left
    paid += multiply(taken, price)
    left -= taken
    if (left === 0n) return divide(paid, magnitude(sizeDelta))
  }
  return null
}

/**
 * Works out the cover of a cross position from the liquidation price that the venue sends. The venue counts
 * collateral that the answer about a dex does not show. Without an order this gives that same price again.
 */
export function coverOf(size: Amount, mark: Amount, sent: Amount, tiers: readonly MarginTier[]): Amount {
  return maintenance(size, sent, tiers) - multiply(size, sent - mark)
}

/** The position after an order that fills at this price for this fee. */
export function afterOrder(stand: Stand, sizeDelta: Amount, fill: Amount, fee: Amount): Stand {
  const size = stand.size + sizeDelta
  const { by, mark } = stand
  if (by.is === 'cross') {
    const cover = by.cover + multiply(sizeDelta, mark - fill) - fee
    return { ...stand, size, by: { is: 'cross', cover } }
  }
  return { ...stand, size, by: { is: 'isolated', rawUsd: bucketAfter(stand, by.rawUsd, sizeDelta, fill) } }
}

/** An opening order adds its initial margin to the bucket; a closing one takes its share away. */
function bucketAfter({ size, leverage }: Stand, rawUsd: Amount, sizeDelta: Amount, fill: Amount): Amount {
  const opens = size === 0n || size > 0n === sizeDelta > 0n
  if (opens) return rawUsd + brought(sizeDelta, fill, leverage)
  const left = magnitude(size) - magnitude(sizeDelta)
  return left >= 0n ? (rawUsd * left) / magnitude(size) : brought(size + sizeDelta, fill, leverage)
}

function brought(size: Amount, fill: Amount, leverage: number): Amount {
  return initialMargin(size, fill, leverage) - multiply(size, fill)
}

export function initialMargin(size: Amount, price: Amount, leverage: number): Amount {
  const notional = multiply(magnitude(size), price)
  return (notional * 1_000_000n) / BigInt(Math.round(leverage * 1_000_000))
}

export function liquidationOf({ size, tiers, mark, by }: Stand): Amount | null {
  if (size === 0n) return null
  return liquidationPrice({
    size,
    tiers,
    by:
      by.is === 'cross'
        ? { is: 'cross', accountValue: by.cover, maintenanceOfOthers: 0n, mark }
        : { is: 'isolated', rawUsd: by.rawUsd },
  })
}
