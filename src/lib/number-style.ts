/** How a thousand two hundred thirty-four and a half reads. */
export const NUMBER_STYLES = ['1,234.5', '1.234,5', '1 234,5'] as const
export type NumberStyle = (typeof NUMBER_STYLES)[number]

/** Where nobody has said otherwise. */
export const USUAL_STYLE: NumberStyle = '1,234.5'

/** What stands between thousands, and before decimals. */
export const STYLE_MARKS: Record<NumberStyle, { group: string; decimal: string }> = {
  '1,234.5': { group: ',', decimal: '.' },
  '1.234,5': { group: '.', decimal: ',' },
  '1 234,5': { group: ' ', decimal: ',' },
}
