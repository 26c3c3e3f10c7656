import type { Severity, Bounds } from '../../alert/alert.ts'
import { points } from '../../message/figure.ts'
import { joined, type Text, text } from '../../message/message.ts'

/** Percentages grouped by severity, mildest first: `30 / 20 % info, 10 % warning, 5 / 2.5 % critical`. */
export function byLoudness(tiers: readonly number[], severityOf: (tier: number) => Severity): Text {
  const loud = [...new Set(tiers.map(severityOf))]
  const groups = loud.map((severity) => {
    const figures = tiers.filter((tier) => severityOf(tier) === severity).map(points)
    return text`${joined(figures, ' / ')} % ${severity}`
  })
  return joined(groups, ', ')
}

/** The nearest bounds around the price. Touching one is enough to judge again. */
export function between(price: number, bounds: readonly number[]): Bounds {
  const below = Math.max(...bounds.filter((bound) => bound <= price))
  const above = Math.min(...bounds.filter((bound) => bound >= price))
  return {
    of: 'price',
    ...(below > -Infinity ? { below } : {}),
    ...(above < Infinity ? { above } : {}),
  }
}
