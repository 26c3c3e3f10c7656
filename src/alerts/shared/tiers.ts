import type { Bounds, Severity, Verdict } from '../../alert/alert.ts'
import { threshold } from '../../message/figure.ts'
import { joined, type Text, words } from '../../message/message.ts'

/** Percentages grouped by severity, mildest first: `30%, 20% (info) · 10% (warning) · 5%, 2.5% (critical)`. */
export function byLoudness(tiers: readonly number[], severityOf: (tier: number) => Severity): Text {
  const loud = [...new Set(tiers.map(severityOf))]
  const groups = loud.map((severity) => {
    const figures = tiers.filter((tier) => severityOf(tier) === severity).map(threshold)
    return words('kind.loudness', { figures: joined(figures, ', '), severity })
  })
  return joined(groups, ' · ')
}

/**
 * The nearest bounds around a figure. Touching one is enough to judge again. Lists are taken as they are: a list of all
 * for each position of each answer is much garbage.
 */
export function between(
  figure: number,
  bounds: readonly (number | readonly number[])[],
  of: Bounds['of'] = 'price',
): Bounds {
  let [below, above] = [-Infinity, Infinity]
  for (const some of bounds)
    for (const bound of typeof some === 'number' ? [some] : some) {
      if (bound <= figure && bound > below) below = bound
      if (bound >= figure && bound < above) above = bound
    }
  const nearest: Bounds = { of }
  if (below > -Infinity) nearest.below = below
  if (above < Infinity) nearest.above = above
  return nearest
}

export const WAYS = ['above', 'below'] as const
export type Way = (typeof WAYS)[number]

/** A figure that is exactly at a line is neither above nor below it. */
export function isBeyond(way: Way, figure: number, line: number): boolean {
  return way === 'above' ? figure > line : figure < line
}

/** Where an alert of a line clears that has a band like this. */
export function clearAt(way: Way, line: number, band: number): number {
  return way === 'above' ? line - band : line + band
}

/** Judges a figure of a market by one line. */
export function judgeLine(way: Way, line: number, band: number, figure: number, of: Bounds['of']): Verdict {
  const clear = clearAt(way, line, band)
  const sure = clearAt(way, line, -band)
  const passed = (bound: number) => (isBeyond(way, figure, bound) ? 1 : 0)
  return {
    enter: passed(line),
    stay: passed(clear),
    beyond: passed(sure),
    value: figure,
    stableWithin: between(figure, [line, clear, sure], of),
    stableWithinAt: (tier) => between(figure, [tier === 0 ? line : clear], of),
  }
}
