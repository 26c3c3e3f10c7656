// Numbers as a tired person reads them on a phone. A no-break space would be prettier before units, but breaks
// searching and copying in chats; a plain one is used throughout.

/** No real figure is larger. Larger ones are not spelt out, as nobody reads sixteen digits. */
export const LARGEST_FIGURE = 1e15

/** The measures that a figure may have, and how each is written in the style `1,234.5`. */
const WRITTEN = {
  price,
  /** Five figures at most, for narrow columns. */
  'short-price': shortPrice,
  usd,
  'signed-usd': signed(usd),
  quantity,
  percent,
  'signed-percent': signed(percent),
  /** For narrow columns, without the sign of per cent. */
  'short-percent': shortPercent,
  'signed-short-percent': signed(shortPercent),
  threshold: (fraction: number) => `${points(fraction)}%`,
  /** The same without the sign of per cent, for lists. */
  points,
  distance,
  /** A plain number without a unit. */
  plain: String,
  age: ageText,
  ago: agoText,
} satisfies Record<string, (value: number) => string>

export type Measure = keyof typeof WRITTEN

/** Writes a figure in a number style. Its length is the same in every style. */
export function figureText(value: number, as: Measure, style: NumberStyle): string {
  const usual = usualText(value, as)
  if (style === USUAL_STYLE) return usual
  const { group: thousands, decimal } = STYLE_MARKS[style]
  return usual.replace(/[.,]/g, (mark) => (mark === ',' ? thousands : decimal))
}

/** By measure, the figures that were written last: a crash writes the same prices and lines again and again. */
const lately = new Map<Measure, Map<number, string>>()
const MOST_KEPT = 500

function usualText(value: number, as: Measure): string {
  const known = lately.get(as) ?? new Map<number, string>()
  const before = known.get(value)
  if (before !== undefined) return before
  const written = WRITTEN[as](value)
  if (known.size >= MOST_KEPT) known.clear()
  known.set(value, written)
  lately.set(as, known)
  return written
}

/** A gain shows that it is one; the minus is in front of the currency. */
function signed(write: (value: number) => string): (value: number) => string {
  return (value) => `${value > 0 ? '+' : ''}${write(value)}`
}

/** `$157.8k`, `$3.90`; the sign goes in front of the currency: `-$0.42`. */
function usd(value: number): string {
  const sign = value < 0 ? '-' : ''
  const size = Math.abs(value)
  if (size >= LARGEST_FIGURE) return `${sign}>$1,000,000B`
  if (size >= 999_950_000) return `${sign}$${trim(size / 1e9, 2)}B`
  if (size >= 999_950) return `${sign}$${trim(size / 1e6, size >= 99_995_000 ? 0 : 1)}M`
  if (size >= 9_999.5) return `${sign}$${trim(size / 1e3, 1)}k`
  if (size >= 100) return `${sign}$${group(Math.round(size).toString())}`
  return size > 0 && size < 0.005 ? `${sign}<$0.01` : `${sign}$${size.toFixed(2)}`
}

/**
 * A price, to five or six figures, never in exponents: `$97,678`, `$2,634.97`, `$9.995`, `$0.3372`, `$0.0000010412`. No
 * venue known to us quotes more figures below $10,000, and a stop at $9.995 is not one at $9.99.
 */
function price(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '-' : ''
  if (size >= LARGEST_FIGURE) return `${sign}>$1,000,000B`
  if (size >= 10_000) return `${sign}$${group(Math.round(size).toString())}`
  if (size >= 1) return `${sign}$${group(cents(size.toFixed(size >= 100 ? 2 : size >= 10 ? 3 : 4)))}`
  if (size === 0) return '$0'
  const decimals = Math.min(Math.ceil(-Math.log10(size)) + 4, 18)
  return `${sign}$${trim(size, decimals)}`
}

/** Keeps two decimals, and further ones only if they are not zero. */
function cents(text: string): string {
  if (!text.endsWith('0')) return text
  return text.replace(/(\.\d\d\d*?)0+$/, '$1')
}

/** Base units: `1.5`, `0.0003`, `12.4k`, `1.2M`. */
function quantity(value: number): string {
  const sign = value < 0 ? '-' : ''
  const size = Math.abs(value)
  if (size >= LARGEST_FIGURE) return `${sign}>1,000T`
  if (size >= 999_950_000_000) return `${sign}${trim(size / 1e12, 1)}T`
  if (size >= 999_950_000) return `${sign}${trim(size / 1e9, 1)}B`
  if (size >= 999_950) return `${sign}${trim(size / 1e6, 1)}M`
  if (size >= 1e4) return `${sign}${trim(size / 1e3, 1)}k`
  if (size >= 1) return `${sign}${trim(size, 4)}`
  if (size === 0) return '0'
  return `${sign}${trim(size, Math.min(Math.ceil(-Math.log10(size)) + 3, 18))}`
}

/** A fraction as a percentage: `4.8%`, `0.021%`, `12%`. */
function percent(fraction: number): string {
  const value = fraction * 100
  const size = Math.abs(value)
  if (size === 0) return '0%'
  if (size >= LARGEST_FIGURE) return `${value < 0 ? '-' : ''}>${group(LARGEST_FIGURE.toFixed(0))}%`
  if (size >= 100) return `${group(value.toFixed(0))}%`
  if (size >= 1) return `${trim(value, 1)}%`
  return `${trim(value, Math.min(Math.ceil(-Math.log10(size)) + 1, 18))}%`
}

/** With all the digits that a person has set: `2.5`. */
function points(fraction: number): string {
  const value = Number((fraction * 100).toPrecision(12))
  return Math.abs(value) < 1e-6 ? trim(value, 18) : String(value)
}

/** `1.2`, `-12`. */
function shortPercent(fraction: number): string {
  const value = fraction * 100
  return Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toFixed(1)
}

/** With a symbol and another figure, a row fits 28 columns. */
const SHORT_PRICE = 11

function shortPrice(value: number): string {
  if (value === 0) return '0'
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10(value)) + 3, 0), 18)
  const text =
    value >= 10_000
      ? Math.round(value).toString()
      : value >= 1
        ? value.toPrecision(5)
        : value.toFixed(decimals)
  return text.length > SHORT_PRICE ? value.toExponential(2) : text
}

/** `3 s ago`; a time that lies ahead reads as now. */
export function agoText(ms: number): string {
  return ms < 1_000 ? 'just now' : `${ageText(ms)} ago`
}

/** `0.2 s`, `45 s`, `7 min`, `3 h 20 min`, `2 d 4 h`. */
export function ageText(ms: number): string {
  const seconds = Math.max(ms, 0) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Dust can have a liquidation price a hundred times its entry price: such a distance is of no use to anybody. */
export const FARTHEST = 110
/** Stands for an absurd distance, until the reader's language is known. */
export const FAR = 'far'

/** A distance to liquidation: one decimal, `far` where the figure would be absurd. */
function distance(fraction: number): string {
  if (fraction >= FARTHEST) return FAR
  const text = (Math.max(fraction, -FARTHEST) * 100).toFixed(1)
  return `${text === '-0.0' ? '0.0' : text}%`
}

function trim(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  const trimmed = decimals > 0 && text.endsWith('0') ? text.replace(/\.?0+$/, '') : text
  return trimmed === '-0' ? '0' : group(trimmed)
}

function group(text: string): string {
  const point = text.indexOf('.')
  if ((point < 0 ? text.length : point) <= 3) return text
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** How a thousand two hundred thirty-four and a half reads. */
export const NUMBER_STYLES = ['1,234.5', '1.234,5', '1 234,5'] as const
export type NumberStyle = (typeof NUMBER_STYLES)[number]

/** The style of people who have not chosen one. */
export const USUAL_STYLE: NumberStyle = '1,234.5'

/** The marks between thousands and before decimals. */
export const STYLE_MARKS: Record<NumberStyle, { group: string; decimal: string }> = {
  '1,234.5': { group: ',', decimal: '.' },
  '1.234,5': { group: '.', decimal: ',' },
  '1 234,5': { group: ' ', decimal: ',' },
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })
const ORDINAL_ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** Returns `first`, `second`, `third`, then `4th`, `21st`, `22nd`. */
export function ordinal(count: number): string {
  return (
    ['first', 'second', 'third'][count - 1] ?? `${count}${ORDINAL_ENDINGS[ORDINALS.select(count)] ?? 'th'}`
  )
}
