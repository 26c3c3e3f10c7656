import { type Measure, LARGEST_FIGURE } from '../lib/text/format.ts'

/**
 * A number with its unit. It is formatted once the reader's number style is known. Finite, so that JSON can
 * hold it.
 */
export interface Figure {
  figure: number
  as: Measure
}

/** JSON has no infinity, so the largest figure stands for it. NaN reads as unknown. */
const measured =
  (as: Measure) =>
  (value: number): Figure | '?' => {
    if (Number.isNaN(value)) return '?'
    // JSON has no negative zero.
    return { figure: (Number.isFinite(value) ? value : Math.sign(value) * LARGEST_FIGURE) + 0, as }
  }

/** USD per unit, to five or six figures: `$97,678`, `$0.3372`. */
export const price = measured('price')
export const shortPrice = measured('short-price')
/** `$157.8k`, `$3.90`, `-$0.42`. */
export const usd = measured('usd')
export const signedUsd = measured('signed-usd')
/** Base units: `1.5`, `12.4k`. */
export const quantity = measured('quantity')
/** A fraction: `4.8%`. */
export const percent = measured('percent')
export const signedPercent = measured('signed-percent')
/** A fraction for a narrow column: `4.8`. */
export const shortPercent = measured('short-percent')
export const signedShortPercent = measured('signed-short-percent')
/** A fraction as a person set it, to its last digit: `2.5%`. */
export const threshold = measured('threshold')
/** The same without the percent sign: `2.5`. */
export const points = measured('points')
/** A distance to liquidation as a fraction of the price: `4.8%`, or `far` if the figure would be absurd. */
export const percentAway = measured('distance')
/** A number without a unit: `0.25`. */
export const plain = measured('plain')
/** Milliseconds: `3.0 s`, `3 h 20 min`. */
export const age = measured('age')
/** Milliseconds: `just now`, `7 min ago`. */
export const ago = measured('ago')
