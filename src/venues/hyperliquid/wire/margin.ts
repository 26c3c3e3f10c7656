import { type Amount, magnitude, multiply, ONE } from '../../../venue/amount.ts'

/** The highest leverage from this notional on. The first tier begins at 0. */
export interface MarginTier {
  lowerBound: Amount
  maxLeverage: number
}

/** A position with all that decides its margin. The size is signed and in the base asset; all else is USD. */
export interface Margined {
  size: Amount
  /** In rising order of notional, never empty. */
  tiers: readonly MarginTier[]
  /**
   * Its cover. Isolated: its own bucket. Cross: the account's value, less the maintenance of its other
   * positions.
   */
  by:
    | { is: 'isolated'; rawUsd: Amount }
    | { is: 'cross'; accountValue: Amount; maintenanceOfOthers: Amount; mark: Amount }
}

/**
 * The maintenance margin (USD) of this size at this price: half of the initial margin at the highest
 * leverage.
 */
export function maintenance(size: Amount, price: Amount, tiers: readonly MarginTier[]): Amount {
  const notional = multiply(magnitude(size), price)
  const stair = stairs(tiers).findLast(({ lowerBound }) => notional >= lowerBound)
  return stair ? notional / BigInt(2 * stair.maxLeverage) - stair.deduction : 0n
}

/**
 * The price at which the cover equals the maintenance margin while all other prices stay; null if it is not
 * above zero. Solved for each tier, because the notional at that price decides the tier
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/trading/liquidations).
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

/** If several tiers have a root, the moving price reaches this one first. */
function nearest(found: readonly Amount[], size: Amount): Amount | null {
  const [first] = found.toSorted((a, b) => (a === b ? 0 : a > b === size > 0n ? -1 : 1))
  return first ?? null
}

interface Stair extends MarginTier {
  /** Keeps the maintenance margin continuous from tier to tier. */
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
