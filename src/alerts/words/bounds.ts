import type { Until } from '../../alert.ts'

/** The nearest bounds around the price; touching one is reason enough to judge again. */
export function between(price: number, bounds: readonly number[]): Until {
  const below = Math.max(...bounds.filter((bound) => bound <= price))
  const above = Math.min(...bounds.filter((bound) => bound >= price))
  return {
    of: 'price',
    ...(below > -Infinity ? { below } : {}),
    ...(above < Infinity ? { above } : {}),
  }
}
