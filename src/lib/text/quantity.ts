import { NUMBER_STYLES, type NumberStyle, STYLE_MARKS } from './format.ts'

// Figures as people type them, in the style of numbers that they have chosen.

/** The typed figure as exact decimals. `two`: it fits two other number styles, but not the reader's own. */
export type Typed =
  | { is: 'one'; decimal: string }
  | { is: 'two'; decimals: readonly string[] }
  | { is: 'none' }

const NONE: Typed = { is: 'none' }

/** `5%`, `5`, `2.5 %`, `,5%`: of a fraction of one, so that 2.5 is 0.025 and not its neighbour. */
export function parsePercent(text: string, style: NumberStyle): Typed {
  const typed = text.trim()
  const match = /^([+-]?)([\d.,\s]+)$/.exec(typed.endsWith('%') ? typed.slice(0, -1).trimEnd() : typed)
  if (!match) return NONE
  const [, sign = '', digits = ''] = match
  return each(parseDigits(digits, style), (decimal) => `${sign}${decimal}`)
}

/** Converts percent to a fraction; null if it is not finite. */
export function fractionOf(percent: string): number | null {
  const value = Number(`${percent}e-2`)
  return Number.isFinite(value) ? value : null
}

/** `2.400`: who writes a point before decimals writes no naught behind them, and who writes it between thousands does. */
const MAYBE_THOUSANDS = /^[1-9]\d{0,2}\.\d{2}0$/

/** The usual style is the default, so it says nothing about what this person means. */
function thousandsOf(digits: string, style: NumberStyle): Typed | null {
  if (style !== NUMBER_STYLES[0] || !MAYBE_THOUSANDS.test(digits)) return null
  return { is: 'two', decimals: [digits.replace(/\.?0+$/, ''), digits.replace('.', '')] }
}

/** `9.21e-6`, as calculators and explorers write a small price. */
const SCIENTIFIC = /^([+-]?)(\d{1,20})(?:\.(\d{1,20}))?e(-\d{1,2})$/i

function scientific(text: string): string | null {
  const [, sign = '', whole = '', fraction = '', exponent] = SCIENTIFIC.exec(text) ?? []
  if (exponent === undefined) return null
  const point = whole.length + Number(exponent)
  const digits = `${whole}${fraction}`.padStart(whole.length + fraction.length + Math.max(-point, 0), '0')
  const start = Math.max(point, 0)
  const figure =
    digits
      .slice(0, start)
      .padEnd(start, '0')
      .replace(/^0+(?=\d)/, '') || '0'
  const rest = digits.slice(start).replace(/0+$/, '')
  return `${sign === '-' ? '-' : ''}${figure}${rest === '' ? '' : `.${rest}`}`
}

const SCALES: Record<string, number> = { '': 0, k: 3, m: 6, b: 9 }

/** `1.5k`, `70k`, `-2`, `1,000.5`, `2m`: the exact decimal text of it, `1500`. */
export function parseFigure(text: string, style: NumberStyle): Typed {
  const match = /^([+-]?)([\d.,\s'’]+)([kmb]?)$/i.exec(text.trim())
  const decimal = match ? null : scientific(text.trim())
  if (decimal !== null) return { is: 'one', decimal }
  if (!match) return NONE
  const [, sign = '', digits = '', scale = ''] = match
  const shift = SCALES[scale.toLowerCase()] ?? 0
  const typed = shift === 0 ? thousandsOf(digits, style) : null
  return each(typed ?? parseDigits(digits, style), (decimal) => {
    const [whole = '', fraction = ''] = decimal.split('.')
    const moved = fraction.padEnd(shift, '0')
    const rest = moved.slice(shift)
    const figure = `${whole}${moved.slice(0, shift)}`.replace(/^0+(?=\d)/, '') || '0'
    return `${sign === '-' ? '-' : ''}${figure}${rest === '' ? '' : `.${rest}`}`
  })
}

function each(typed: Typed, change: (decimal: string) => string): Typed {
  if (typed.is === 'one') return { is: 'one', decimal: change(typed.decimal) }
  return typed.is === 'two' ? { is: 'two', decimals: typed.decimals.map(change) } : typed
}

/** `2'400` is unambiguous. */
const SWISS = /(?<=\d)['’](?=\d{3}(?!\d))/g

/** Reads digits in the person's own style. If they do not fit it, tries the other styles. */
function parseDigits(text: string, style: NumberStyle): Typed {
  const digits = text.replace(/\s/g, ' ').replace(SWISS, '')
  const own = inStyle(digits, style)
  if (own !== null) return { is: 'one', decimal: own }
  const others = [...new Set(NUMBER_STYLES.flatMap((other) => inStyle(digits, other) ?? []))]
  const [decimal] = others
  if (decimal === undefined) return NONE
  return others.length === 1 ? { is: 'one', decimal } : { is: 'two', decimals: others }
}

/** A plain decimal; null when the digits are not written in this style. Thousands never begin with a zero. */
function inStyle(digits: string, style: NumberStyle): string | null {
  const { group, decimal } = STYLE_MARKS[style]
  const [whole = '', fraction = '', ...more] = digits.split(decimal)
  if (more.length > 0 || !/^\d*$/.test(fraction) || whole + fraction === '') return null
  const [first = '', ...thousands] = whole.split(group)
  const grouped = /^[1-9]\d{0,2}$/.test(first) && thousands.every((three) => /^\d{3}$/.test(three))
  if (thousands.length > 0 ? !grouped : !/^\d*$/.test(whole)) return null
  return `${first}${thousands.join('')}${fraction === '' ? '' : `.${fraction}`}`
}

/** Whether a word says the same in every style: one point at most, and not where thousands could end. */
export function readsTheSame(word: string): boolean {
  return !/[,\s]|\..*\./.test(word) && !/(?<!\d)[1-9]\d{0,2}\.\d{3}(?!\d)/.test(word)
}

/** Writes a decimal that reads the same in all styles: `2.125` could mean thousands, so it becomes `2.1250`. */
export function forEveryStyle(decimal: string): string {
  return readsTheSame(decimal) ? decimal : `${decimal}0`
}

/** Writes a fraction as a percentage that reads the same in all styles, exact to the last bit: `2.5%`. */
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
  return `${sign}${forEveryStyle(`${before}${after === '' ? '' : `.${after}`}`)}%`
}
