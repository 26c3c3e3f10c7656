/** From this notional on, what is added needs margin at this leverage. Mildest first, the first from 0. */
export interface Tier {
  from: number
  leverage: number
}

/**
 * USD that a position must be covered by: each slice of its notional by the rate of its own tier, which is half of the
 * initial margin at the most leverage. The same as the venue's rate and deduction, summed another way.
 */
export function maintenance(notional: number, tiers: readonly Tier[]): number {
  return tiers.reduce((sum, { from, leverage }, index) => {
    const to = tiers[index + 1]?.from ?? Infinity
    return notional > from ? sum + (Math.min(notional, to) - from) / (2 * leverage) : sum
  }, 0)
}

interface Leg {
  /** Signed. */
  szi: number
  mark: number
  tiers: readonly Tier[]
}

/**
 * The mark price at which nothing is to spare any more, all other prices unchanged; null when that is not above zero.
 * `spare` is what is to spare now: equity minus all maintenance, this leg's included. What is to spare is a chain of
 * straight lines over the price, with a corner where the leg's notional changes its tier: the chain is walked from a price
 * of zero upwards.
 */
export function liquidationPx(spare: number, { szi, mark, tiers }: Leg): number | null {
  const size = Math.abs(szi)
  if (size === 0) return null
  const needed = maintenance(size * mark, tiers)
  const spareAt = (price: number) =>
    spare + szi * (price - mark) - (maintenance(size * price, tiers) - needed)
  if (szi > 0 ? spareAt(0) >= 0 : spareAt(0) <= 0) return null
  for (const [index, { from, leverage }] of tiers.entries()) {
    const corner = from / size
    const next = (tiers[index + 1]?.from ?? Infinity) / size
    const slope = szi - size / (2 * leverage)
    const price = corner - spareAt(corner) / slope
    if (price >= corner && price <= next) return price
  }
  return null
}
