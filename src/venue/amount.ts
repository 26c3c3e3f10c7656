/** An exact quantity: a signed integer that counts 10^-18 units (of a base asset, of USD, of USD per unit). */
export type Amount = bigint

export const ONE: Amount = 10n ** 18n

/**
 * Reads the venue's fixed-point text: a decimal integer that is already the value × 10^18. Drops a fractional
 * tail below 10^-18 (`"85398783236400345424.00"`, seen on open interest). Returns null for any other text,
 * the empty string included: never a silent zero.
 */
export function parseFixed(text: string): Amount | null {
  const match = /^(-?\d+)(?:\.\d*)?$/.exec(text)
  return match?.[1] === undefined ? null : BigInt(match[1])
}

/**
 * Reads a decimal as people and JSON write it: `2751.2151`, `8.847e-7`, `-3`. Exact up to 18 decimals; cuts
 * further digits. Returns null if the text is no decimal, or if its exponent is beyond any price.
 */
export function parseDecimal(text: string): Amount | null {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  const shift = Number(exponent) + 18
  if (Math.abs(shift) > 120) return null
  const digits = whole + fraction
  const point = whole.length + shift
  const kept = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const amount = BigInt(kept)
  return sign === '-' ? -amount : amount
}

/** Turns a JSON number into an Amount by its shortest decimal text, so that `0.1` is exactly 10^17. */
export function fromNumber(value: number): Amount | null {
  return Number.isFinite(value) ? parseDecimal(String(value)) : null
}

/** The nearest double, for ratios, thresholds and display; relative error below 3e-16. */
export function toNumber(amount: Amount): number {
  return Number(amount) / 1e18
}

/** The exact decimal text, without trailing zeros: `formatDecimal(15n * 10n ** 17n)` is `1.5`. */
export function formatDecimal(amount: Amount): string {
  const digits = magnitude(amount).toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -18)}${fraction === '' ? '' : `.${fraction}`}`
}

/** Product of two Amounts, truncated toward zero as the venue's contracts do. */
export function multiply(a: Amount, b: Amount): Amount {
  return (a * b) / ONE
}

/** Quotient of two Amounts, truncated toward zero. Throws a RangeError when `b` is zero. */
export function divide(a: Amount, b: Amount): Amount {
  return (a * ONE) / b
}

export function magnitude(amount: Amount): Amount {
  return amount < 0n ? -amount : amount
}
