import { type Amount, magnitude, multiply, ONE } from '../../../venue/amount.ts'

/** From this notional on, this leverage is the most. The first begins at 0. */
export interface MarginTier {
  lowerBound: Amount
  maxLeverage: number
}

/** A position's margin as the venue computes it. Size signed, in the base asset; USD elsewhere. */
export interface Margined {
  size: Amount
  /** Mildest notional first, never empty. */
  tiers: readonly MarginTier[]
  /** What covers it. Isolated: its own bucket. Cross: the account's value, and what its other positions need. */
  by:
    | { is: 'isolated'; rawUsd: Amount }
    | { is: 'cross'; accountValue: Amount; maintenanceOfOthers: Amount; mark: Amount }
}

/** USD that a position of this size must be covered by at this price: half of the initial margin at the most leverage. */
export function maintenance(size: Amount, price: Amount, tiers: readonly MarginTier[]): Amount {
  const notional = multiply(magnitude(size), price)
  const stair = stairs(tiers).findLast(({ lowerBound }) => notional >= lowerBound)
  return stair ? notional / BigInt(2 * stair.maxLeverage) - stair.deduction : 0n
}

/**
 * The price at which what covers a position is what it must be covered by, all others unchanged; null when there is none
 * above zero. (https://hyperliquid.gitbook.io/hyperliquid-docs/trading/liquidations; solved for each tier, because the
 * tier that counts is that of the notional there.)
 */
export function liquidationPrice({ size, tiers, by }: Margined): Amount | null {
  const covered =
    by.is === 'isolated' ? -by.rawUsd : by.maintenanceOfOthers - by.accountValue + multiply(size, by.mark)
  const all = stairs(tiers)
  const found = all.flatMap(({ lowerBound, maxLeverage, deduction }, index) => {
    const twice = BigInt(2 * maxLeverage)
    // covered + size·x = |size|·x / (2·leverage) − deduction, both sides times 2·leverage.
    const slope = size * twice - magnitude(size)
    if (slope === 0n) return []
    const price = ((covered - deduction) * twice * ONE) / slope
    const notional = multiply(magnitude(size), price)
    const next = all[index + 1]?.lowerBound
    return price > 0n && notional >= lowerBound && (next === undefined || notional < next) ? [price] : []
  })
  return nearest(found, size)
}

/** Where several tiers have a root, the first that the price comes to on its way. */
function nearest(found: readonly Amount[], size: Amount): Amount | null {
  const [first] = found.toSorted((a, b) => (a === b ? 0 : a > b === size > 0n ? -1 : 1))
  return first ?? null
}

interface Stair extends MarginTier {
  /** Keeps the sum steady from tier to tier. */
  deduction: Amount
}

function stairs(tiers: readonly MarginTier[]): Stair[] {
  const all: Stair[] = []
  for (const tier of tiers) {
    const before = all.at(-1)
    const rise = before
      ? tier.lowerBound / BigInt(2 * tier.maxLeverage) - tier.lowerBound / BigInt(2 * before.maxLeverage)
      : 0n
    all.push({ ...tier, deduction: (before?.deduction ?? 0n) + rise })
  }
  return all
}
