// Figures as people type them. Null means "this is not one": the caller has the sentence.

/** `5%`, `5`, `2.5 %`, `,5%` are fractions of one: 0.05, 0.05, 0.025, 0.005. */
export function parsePercent(text: string): number | null {
  const match = /^([+-]?\d*[.,]?\d+|\d+[.,])\s*%?$/.exec(text.trim())
  if (!match?.[1]) return null
  // Through the decimal text, so that 2.5 is 0.025 and not its neighbour.
  const value = Number(`${match[1].replace(',', '.')}e-2`)
  return Number.isFinite(value) ? value : null
}

const SCALES: Record<string, number> = { '': 0, k: 3, m: 6, b: 9 }

/**
 * `1.5k`, `70k`, `-2`, `1,000.5`, `2m`: the exact decimal text of it, `1500`; null when it is no figure. A comma is a
 * decimal point only where it cannot be a thousands mark.
 */
export function parseFigure(text: string): string | null {
  const match = /^([+-]?)(\d[\d,]*(?:\.\d*)?|\.\d+)([kmb]?)$/i.exec(text.trim())
  if (!match) return null
  const [, sign = '', digits = '', scale = ''] = match
  const plain = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(digits)
    ? digits.replaceAll(',', '')
    : digits.replace(',', '.')
  if (!/^\d*\.?\d*$/.test(plain)) return null
  const [whole = '', fraction = ''] = plain.split('.')
  const shift = SCALES[scale.toLowerCase()] ?? 0
  const moved = fraction.padEnd(shift, '0')
  const rest = moved.slice(shift)
  const figure = `${whole}${moved.slice(0, shift)}`.replace(/^0+(?=\d)/, '') || '0'
  return `${sign === '-' ? '-' : ''}${figure}${rest === '' ? '' : `.${rest}`}`
}
