import type { Severity } from '../alert/alert.ts'

/** How a chart styles. Lengths are in the SVG's own units: pixels, where its view box is as large as its box. */
export interface Style {
  width: number
  /** With the row of times below. Both tags of prices must find room above each other. */
  height: number
  /** How far labels stay away from the left and the right edge. The line and the ground run to the edges. */
  inset: number
  palette: Palette
  sizes: {
    /** The size of times and tiers. Strokes and distances grow with it. */
    label: number
    /** The size of the two prices. They shrink to nearly `label` where they find no room. */
    tag: number
  }
  font: string
  /** The width of a text set in `font`. */
  measure: (text: string, size: number, weight: Weight) => number
}

export type Weight = 500 | 700

/** Colours of SVG attributes, such as `#0B0D12`. */
interface Palette {
  /** The surface on which the chart stands. */
  ground: string
  text: string
  secondary: string
  /** Behind the tag of a liquidation price that is no danger; `text` stands on it. */
  panel: string
  amber: string
  red: string
  /** Text on amber, on red and on `text`. */
  onTag: string
}

/** Contrast by WCAG on the ground: `text` 18, `secondary` at least 6.6, `red` 5.7, `amber` 6.0. */
export const PALETTES = {
  dark: {
    ground: '#0B0D12',
    text: '#F5F7FA',
    secondary: '#A9B2C0',
    panel: '#2A303B',
    amber: '#FFB020',
    red: '#FF5B4F',
    onTag: '#0B0D12',
  },
  light: {
    ground: '#FFFFFF',
    text: '#12151B',
    secondary: '#555E6B',
    panel: '#E3E7ED',
    amber: '#8F5600',
    red: '#C81E1A',
    onTag: '#FFFFFF',
  },
} satisfies Record<string, Palette>

/** Where no rule stands guard. */
const USUAL = [
  { at: 0.1, severity: 'warning' },
  { at: 0.05, severity: 'critical' },
] as const

/** Amber and red mean that the distance is within a tier of a warning or a critical alert. */
export type Tone = 'calm' | 'amber' | 'red'

/** The colour of a position at this distance from liquidation. `distance`: a fraction of the price; null: none. */
export function toneOf(distance: number | null, tiers: readonly { at: number; severity: Severity }[]): Tone {
  if (distance === null) return 'calm'
  if (distance <= 0) return 'red'
  const within = (tiers.length > 0 ? tiers : USUAL).filter(({ at }) => distance <= at)
  if (within.some(({ severity }) => severity === 'critical')) return 'red'
  return within.some(({ severity }) => severity === 'warning') ? 'amber' : 'calm'
}
