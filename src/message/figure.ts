import { type Measure, LARGEST_FIGURE } from '../lib/text/format.ts'

/** A number with its unit, written where the reader's style of numbers is known. Finite, so that JSON holds it. */
export interface Figure {
  figure: number
  as: Measure
}

/** JSON knows nothing infinite: that reads as more than anything real. What is no number at all is not known. */
const measured =
  (as: Measure) =>
  (value: number): Figure | '?' => {
    if (Number.isNaN(value)) return '?'
    // JSON has no zero below zero.
    return { figure: (Number.isFinite(value) ? value : Math.sign(value) * LARGEST_FIGURE) + 0, as }
  }

/** Of one unit, to five or six figures: `$97,678`, `$0.3372`. */
export const price = measured('price')
export const shortPrice = measured('short-price')
/** `$157.8k`, `$3.90`, `-$0.42`. */
export const usd = measured('usd')
export const signedUsd = measured('signed-usd')
/** Base units: `1.5`, `12.4k`. */
export const quantity = measured('quantity')
/** Of a fraction: `4.8 %`. */
export const percent = measured('percent')
export const signedPercent = measured('signed-percent')
/** Of a fraction, for a narrow column: `4.8`. */
export const shortPercent = measured('short-percent')
export const signedShortPercent = measured('signed-short-percent')
/** A fraction as it was set, to its last digit: `2.5 %`. */
export const threshold = measured('threshold')
/** The same without the sign of per cent: `2.5`. */
export const points = measured('points')
/** A fraction of the price, to liquidation: `4.8 %`, `far` where it would be absurd. */
export const percentAway = measured('distance')
/** Whatever it is a number of: `0.25`. */
export const plain = measured('plain')
/** Milliseconds: `3.0 s`, `3 h 20 min`. */
export const age = measured('age')
/** Milliseconds: `just now`, `7 min ago`. */
export const ago = measured('ago')
