import { type Amount, divide, magnitude, multiply, ONE, toNumber } from '../../../venue/amount.ts'

/** A position with all that decides its margin. USD, base units and fractions of the notional. */
export interface Margined {
  /** Signed. */
  size: Amount
  mark: Amount
  /** The market's maintenance margin. */
  maintenance: Amount
}

/** The equity that covers the cross positions of an account, and those positions, all at the same marks. */
interface Pool {
  equity: Amount
  held: readonly Margined[]
}

/** The maintenance margin of a position, USD. */
function maintenanceOf({ size, mark, maintenance }: Margined): Amount {
  return multiply(multiply(magnitude(size), mark), maintenance)
}

export function maintenanceOfAll(held: readonly Margined[]): Amount {
  return held.reduce((sum, each) => sum + maintenanceOf(each), 0n)
}

/**
 * The price at which a cross position's account is at its maintenance margin while all other prices stay. Null if
 * no price is. A recorded account shows that the venue names this price, by the mark.
 */
export function crossLiquidation(position: Margined, pool: Pool): Amount | null {
  const others = maintenanceOfAll(pool.held) - maintenanceOf(position)
  // equity + size·(x − mark) = others + |size|·x·maintenance
  return priceOf(position, others - pool.equity + multiply(position.size, position.mark))
}

/** The same for an isolated position: its own collateral with its gains covers it alone. */
export function isolatedLiquidation(position: Margined, equity: Amount): Amount | null {
  return priceOf(position, multiply(position.size, position.mark) - equity)
}

function priceOf({ size, maintenance }: Margined, needed: Amount): Amount | null {
  const slope = size - multiply(magnitude(size), maintenance)
  if (slope === 0n) return null
  const price = divide(needed, slope)
  return price > 0n ? price : null
}

/** Maintenance margin over equity; from 1 on the venue liquidates. */
export function ratioOf(maintenance: Amount, equity: Amount): number {
  if (maintenance <= 0n) return 0
  // Nothing is left to cover the positions: the ratio is at its end.
  return equity <= 0n ? 1 : toNumber(divide(maintenance, equity))
}

/** The gain of a position if its mark moves so. */
export function gainOf(size: Amount, from: Amount, to: Amount): Amount {
  return multiply(size, to - from)
}

/** Two prices that differ by less than this fraction are one price. */
export function isWithin(a: Amount, b: Amount, fraction: Amount): boolean {
  return magnitude(a - b) * ONE <= magnitude(b) * fraction
}
