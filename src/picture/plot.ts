import type { Severity } from '../alert/alert.ts'

/**
 * The chart of one position as data: `chart(plot, style, id)` of chart.ts draws it. Times are wall times, prices are
 * USD per unit. Words and figures come ready in the reader's language: drawing writes them as they are.
 */
export interface Plot {
  side: 'long' | 'short'
  /** In the order of time, thinned already: at most four for a pixel column. */
  times: readonly number[]
  prices: readonly number[]
  /** When nothing was seen. The line is cut there. */
  gaps: readonly { since: number; until: number }[]
  /** The times at the left edge and at the last point. Samples outside are left out. */
  since: number
  until: number
  /** At `until`. Null while the market cannot be seen. */
  price: number | null
  /** When the price was, where that was before `until`. */
  priceAt?: number
  liquidation: number | null
  /** The figures are no prices, but amounts above and below zero, which has a line. They span at least so much. */
  zero?: { text: string; leastSpan: number }
  /** Where the position was entered, with the word beside its line. Left out: it has no line. */
  entry?: { price: number; text: string }
  tiers: readonly TierLine[]
  /** When alerts about the position began. */
  marks: readonly Mark[]
  text: {
    /** Beside the last point. Left out where `price` is null. */
    price: string
    /** Beside its line. Left out where `liquidation` is null. */
    liquidation: string
    since: string
    until: string
    /** Below a gap: `not seen`. */
    notSeen: string
  }
}

interface TierLine {
  /** The distance, a fraction of the price. */
  at: number
  severity: Severity
  /** `5%` */
  text: string
}

export interface Mark {
  at: number
  severity: Severity
  /** `19:32` */
  text: string
}
