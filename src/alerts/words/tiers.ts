import type { Severity } from '../../alert.ts'
import { points } from '../../figure.ts'
import { joined, text } from '../../message.ts'
import type { Text } from '../../message.ts'

/** Percentages, the mildest first, with how loud each is: `30 / 20 % info, 10 % warning, 5 / 2.5 % critical`. */
export function byLoudness(tiers: readonly number[], severityOf: (tier: number) => Severity): Text {
  const loud = [...new Set(tiers.map(severityOf))]
  const groups = loud.map((severity) => {
    const figures = tiers.filter((tier) => severityOf(tier) === severity).map(points)
    return text`${joined(figures, ' / ')} % ${severity}`
  })
  return joined(groups, ', ')
}
