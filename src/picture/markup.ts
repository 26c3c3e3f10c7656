import type { Style, Weight } from './style.ts'

/** The value of an attribute: a text, a number, or both in a row, as for the `d` of a path. */
type Value = string | number | readonly Value[]
type Attributes = Readonly<Record<string, Value>>

/** An SVG element. Numbers are rounded to a tenth, because nobody sees less; text is escaped. `inner`: markup. */
export function element(name: string, attributes: Attributes, inner = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${valueText(value)}"`)
  return `<${name}${written.join('')}${inner ? `>${inner}</${name}>` : '/>'}`
}

/** A path that is a stroke. `d`: commands and coordinates. */
export function stroked(d: readonly Value[], stroke: string, width: number, more: Attributes = {}): string {
  return element('path', { d, stroke, 'stroke-width': width, ...more })
}

/** The texture of danger, as a pattern of that id. `unit`: a twelfth of the size of labels. */
export function hatch(id: string, colour: string, ground: string, unit: number): string {
  const side = 7.3 * unit
  const filled = (width: number, fill: string, opacity: string) =>
    element('rect', { width, height: side, fill, 'fill-opacity': opacity })
  const tile = { width: side, height: side, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }
  return element(
    'pattern',
    { id, ...tile },
    filled(side, ground, '1') + filled(side, colour, '.14') + filled(2.3 * unit, colour, '.5'),
  )
}

/** Fields of dots, where nothing was seen. However narrow, each has a column of them. */
export function dots(
  fields: readonly { from: number; to: number }[],
  { top, bottom }: { top: number; bottom: number },
  stroke: string,
  unit: number,
): string {
  const step = 6.7 * unit
  const columns = fields.flatMap(({ from, to }) => {
    const count = Math.max(Math.floor((to - from) / step), 1)
    return Array.from({ length: count }, (_, index) => from + ((index + 0.5) * (to - from)) / count)
  })
  const d = columns.flatMap((x) => ['M', x, top + step / 2, 'V', bottom])
  const round = { 'stroke-linecap': 'round', 'stroke-dasharray': [0.1, step] }
  return d.length > 0 ? stroked(d, stroke, 1.7 * unit, round) : ''
}

function valueText(value: Value): string {
  if (typeof value === 'string') return escaped(value)
  return typeof value === 'number' ? String(Math.round(value * 10) / 10 || 0) : value.map(valueText).join(' ')
}

/** Takes out characters as well that XML can't hold. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** A text as wide as it will be. */
export interface Fitted {
  text: string
  size: number
  weight: Weight
  width: number
}

/** Shrinks a text to at most this width, as far as it stays legible. Longer text is cut. */
export function fitted(text: string, size: number, weight: Weight, room: number, style: Style): Fitted {
  const width = style.measure(text, size, weight)
  if (width <= room) return { text, size, weight, width }
  const smaller = Math.max(Math.floor((size * room * 10) / width) / 10, leastSize(style))
  let left = [...text]
  for (let cut = text; ; cut = `${left.join('')}…`) {
    const now = style.measure(cut, smaller, weight)
    if (now <= room || left.length === 0) return { text: cut, size: smaller, weight, width: now }
    left = left.slice(0, Math.min(left.length - 1, MOST_CHARACTERS))
  }
}

const MOST_CHARACTERS = 100

/** No text is smaller. */
export function leastSize({ sizes }: Style): number {
  return Math.min(sizes.tag, (sizes.label * 11) / 12)
}

/** `at`: by its anchor, and by its middle from top to bottom. */
export function written(
  { text, size, weight }: Fitted,
  at: { x: number; y: number; anchor?: 'start' | 'middle' | 'end' },
  fill: string,
): string {
  return element(
    'text',
    {
      x: at.x,
      // Capitals and figures are 0.72 of the size high.
      y: at.y + size * 0.36,
      'font-size': size,
      'font-weight': weight,
      fill,
      ...(at.anchor && { 'text-anchor': at.anchor }),
    },
    escaped(text),
  )
}
