// Numbers as a tired person reads them on a phone. A no-break space would be prettier before units, but breaks
// searching and copying in chats; a plain one is used throughout.

/** Nothing real is larger; what is, is not spelt out: sixteen digits say nothing to anybody. */
const MOST = 1e15

/** `$157.8k`, `$3.90`; the sign goes in front of the currency: `-$0.42`. */
export function usd(value: number): string {
  const sign = value < 0 ? '-' : ''
  const size = Math.abs(value)
  if (size >= MOST) return `${sign}>$1,000,000B`
  if (size >= 999_950_000) return `${sign}$${trim(size / 1e9, 2)}B`
  if (size >= 999_950) return `${sign}$${trim(size / 1e6, size >= 99_995_000 ? 0 : 1)}M`
  if (size >= 9_999.5) return `${sign}$${trim(size / 1e3, 1)}k`
  if (size >= 100) return `${sign}$${group(Math.round(size).toString())}`
  return size > 0 && size < 0.005 ? `${sign}<$0.01` : `${sign}$${size.toFixed(2)}`
}

/** A price, to five or six figures, never in exponents: `$97,678`, `$2,634.97`, `$0.3372`, `$0.0000010412`. */
export function price(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '-' : ''
  if (size >= MOST) return `${sign}>$1,000,000B`
  if (size >= 10_000) return `${sign}$${group(Math.round(size).toString())}`
  if (size >= 1) return `${sign}$${group(size.toFixed(2))}`
  if (size === 0) return '$0'
  const decimals = Math.min(Math.ceil(-Math.log10(size)) + 4, 18)
  return `${sign}$${trim(size, decimals)}`
}

/** Base units: `1.5`, `0.0003`, `12.4k`, `1.2M`. */
export function quantity(value: number): string {
  const sign = value < 0 ? '-' : ''
  const size = Math.abs(value)
  if (size >= MOST) return `${sign}>1,000T`
  if (size >= 999_950_000_000) return `${sign}${trim(size / 1e12, 1)}T`
  if (size >= 999_950_000) return `${sign}${trim(size / 1e9, 1)}B`
  if (size >= 999_950) return `${sign}${trim(size / 1e6, 1)}M`
  if (size >= 1e4) return `${sign}${trim(size / 1e3, 1)}k`
  if (size >= 1) return `${sign}${trim(size, 4)}`
  if (size === 0) return '0'
  return `${sign}${trim(size, Math.min(Math.ceil(-Math.log10(size)) + 3, 18))}`
}

/** A fraction as a percentage: `4.8 %`, `0.021 %`, `12 %`. */
export function percent(fraction: number): string {
  const value = fraction * 100
  const size = Math.abs(value)
  if (size === 0) return '0 %'
  if (size >= MOST) return `${value < 0 ? '-' : ''}>${group(MOST.toFixed(0))} %`
  if (size >= 100) return `${group(value.toFixed(0))} %`
  if (size >= 1) return `${trim(value, 1)} %`
  return `${trim(value, Math.min(Math.ceil(-Math.log10(size)) + 1, 18))} %`
}

/** A threshold as it was set, with as many digits as it has: `2.5 %`. */
export function threshold(fraction: number): string {
  const value = Number((fraction * 100).toPrecision(12))
  return `${Math.abs(value) < 1e-6 ? trim(value, 18) : value} %`
}

/** A fraction as it is typed, to the last bit: `2.5%`. */
export function percentTyped(fraction: number): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(fraction))
  if (!match) return '0%'
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = match
  // The decimal point of the shortest text, moved: no arithmetic that could round.
  const point = whole.length + Number(exponent) + 2
  const digits = `${whole}${decimals}`.padStart(whole.length + decimals.length + Math.max(-point, 0), '0')
  const start = Math.max(point, 0)
  const before =
    digits
      .slice(0, start)
      .padEnd(start, '0')
      .replace(/^0+(?=\d)/, '') || '0'
  const after = digits.slice(start).replace(/0+$/, '')
  return `${sign}${before}${after === '' ? '' : `.${after}`}%`
}

/** Beyond this a distance is of no use to anybody: venue-facts trap 16. */
const FAR = 110

/** A distance to liquidation: one decimal, `far` where the figure would be absurd. */
export function distanceText(fraction: number): string {
  if (fraction >= FAR) return 'far'
  const text = (Math.max(fraction, -FAR) * 100).toFixed(1)
  return `${text === '-0.0' ? '0.0' : text} %`
}

function trim(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return group((text.includes('.') ? text.replace(/\.?0+$/, '') : text).replace(/^-0$/, '0'))
}

function group(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
