import { type Amount, fromNumber, ONE, parseDecimal, parseFixed } from '../../../venue/amount.ts'
import { isName } from '../../http/reply.ts'

/**
 * Longer than any figure of the venue (2^255 has 77 digits). A longer text is no figure, and costly to read.
 */
const LONGEST_FIGURE = 96

/** From 10^11 on an instant counts milliseconds (March 1973), below it seconds (until the year 5138). */
const MILLISECONDS_FROM = 1e11

/** The last instant that a Date can hold (https://tc39.es/ecma262/#sec-time-values-and-time-range). */
const LAST_INSTANT = 8.64e15

const WHOLE = /^-?\d+$/
const FRACTION = /\.0*[1-9]/
/** Some serializers write large integers so: `2.6e+21`. */
const EXPONENT = /e/i

/**
 * Reads a figure written as an integer × 10^18. Null if it cannot be read, never a silent zero. A JSON number
 * counts only up to 2^53: beyond that its digits are already lost.
 */
export function fixed(value: unknown): Amount | null {
  if (typeof value === 'string') {
    if (value.length > LONGEST_FIGURE) return null
    if (WHOLE.test(value)) return BigInt(value)
    return EXPONENT.test(value) ? wholeOf(parseDecimal(value)) : parseFixed(value)
  }
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null
}

/** The integer; null for a fraction. */
function wholeOf(amount: Amount | null): Amount | null {
  return amount !== null && amount % ONE === 0n ? amount / ONE : null
}

/**
 * Reads like `fixed`, but refuses a fraction other than zero: `"1.5"` is an unscaled figure, not one and a
 * half 10^-18.
 */
export function exactFixed(value: unknown): Amount | null {
  const isUnscaled = typeof value === 'string' && FRACTION.test(value) && !EXPONENT.test(value)
  return isUnscaled ? null : fixed(value)
}

/**
 * Reads a price like `exactFixed`, and a JSON number of any size: the digits that it has lost are beyond those
 * of a double, in which prices are compared.
 */
export function fixedPrice(value: unknown): Amount | null {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : exactFixed(value)
}

/** Reads a figure that the venue writes unscaled, as a JSON number or as the same decimal in quotes. */
export function decimal(value: unknown): Amount | null {
  if (typeof value === 'number') return fromNumber(value)
  return typeof value === 'string' && value.length <= LONGEST_FIGURE ? parseDecimal(value) : null
}

/** Reads an unscaled ratio (health, percent) for display. */
export function ratio(value: unknown): number | null {
  const amount = decimal(value)
  return amount === null ? null : Number(value)
}

/** Reads a count: a whole number from 0 on. */
export function count(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/**
 * Reads an instant in seconds or milliseconds, told apart by magnitude, as Unix milliseconds. Zero is no
 * instant.
 */
export function instant(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null
  const milliseconds = Math.round(number >= MILLISECONDS_FROM ? number : number * 1000)
  return milliseconds <= LAST_INSTANT ? milliseconds : null
}

/** Reads an identifier: text as it is, or a JSON number with all its digits (account ids have 39 of them). */
export function identifier(value: unknown): string | null {
  if (typeof value === 'string') return isName(value) ? value : null
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : null
}

/** Reads a chain; null if the record has none. */
export function chain(value: unknown): number | null {
  return count(value)
}
