import { alike, inkOf } from './frame/type.ts'
import { element, fitted, stroked, written } from './markup.ts'
import type { Style, Tone } from './style.ts'

/** The words beside a bar: `−4.2%`, and below it `BTC long · main`. */
export interface Row {
  figure: string
  /** A name from people and venues: left empty where the font lacks it, and cut where it finds no room. */
  name: string
  /** The colour of the figure. */
  tone: Tone
}

/** A text below the bars, by its middle. */
export interface Below {
  text: string
  x: number
}

/** Where the bars of a picture stand, in the units of `Style`. */
interface Bars {
  left: number
  right: number
  /** Their lower end. Texts stand below. */
  bottom: number
  /** The middle of each. */
  ys: readonly number[]
  height: number
}

/** The height of a row, in sizes of a label, at most. */
const MOST_ROW = 12
/** How much of its row a bar fills. The rest keeps the bars apart. */
const THICK = 0.6
const BELOW = 1.75
/** Wider labels would leave too little for the bars. */
const MOST_OF_WIDTH = 0.5

/**
 * Lays out bars from the left to a column of labels. `more` stands below the column: `and 4 more`. Returns their places,
 * and the markup of the labels.
 */
export function labelled(
  rows: readonly Row[],
  more: string | null,
  style: Style,
): { bars: Bars; labels: string } {
  const { width, height, inset, palette, sizes } = style
  const room = (width - 2 * inset) * MOST_OF_WIDTH
  const figures = alike(
    rows.map(({ figure }) => figure),
    sizes.tag,
    700,
    room,
    style,
  )
  const names = rows.map(({ name }) => fitted(name, sizes.label, 500, room, style))
  const last = fitted(more ?? '', sizes.label, 500, room, style)
  const column = Math.max(...[...figures, ...names, last].map((text) => text.width))
  const beside = width - inset - column

  const each = Math.min((height - BELOW * sizes.label) / rows.length, MOST_ROW * sizes.label)
  const bottom = each * rows.length
  const ys = rows.map((_, at) => (at + 0.5) * each)
  const labels = rows.flatMap(({ tone }, at) => {
    const [figure, name, y] = [figures[at], names[at], ys[at] ?? 0]
    if (!figure || !name) return []
    const isAlone = name.text === ''
    return [
      written(figure, { x: beside, y: isAlone ? y : y - sizes.label * 0.55 }, inkOf(tone, palette)),
      isAlone ? '' : written(name, { x: beside, y: y + sizes.label * 0.65 }, palette.secondary),
    ]
  })
  const belowAll =
    last.text === '' ? '' : written(last, { x: beside, y: textBelow(bottom, style) }, palette.secondary)
  return {
    bars: { left: inset, right: beside - sizes.label, bottom, ys, height: each * THICK },
    labels: labels.join('') + belowAll,
  }
}

/** Texts below the bars, the first ones first: those that would touch another one are left out. */
export function below(all: readonly Below[], { left, right, bottom }: Bars, style: Style): string {
  const { palette, sizes } = style
  const taken: { from: number; to: number }[] = []
  return all
    .flatMap(({ text, x }) => {
      const one = fitted(text, sizes.label, 500, right - left, style)
      const from = Math.min(Math.max(x - one.width / 2, left), right - one.width)
      const to = from + one.width
      const apart = sizes.label / 2
      if (taken.some((other) => from < other.to + apart && to > other.from - apart)) return []
      taken.push({ from, to })
      return [written(one, { x: from, y: textBelow(bottom, style) }, palette.secondary)]
    })
    .join('')
}

function textBelow(bottom: number, { sizes }: Style): number {
  return bottom + sizes.label
}

/** A bar between two places. However short, it is seen. */
export function bar(
  from: number,
  to: number,
  y: number,
  height: number,
  fill: string,
  opacity = '1',
): string {
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  const box = { x: left, y: y - height / 2, width: Math.max(right - left, 3), height }
  return element('rect', { ...box, fill, 'fill-opacity': opacity })
}

/** A dotted line across all bars. */
export function dotted(x: number, { bottom }: Bars, { palette, sizes }: Style): string {
  const unit = sizes.label / 12
  return stroked(['M', x, 0, 'V', bottom], palette.secondary, unit, {
    'stroke-opacity': '.6',
    'stroke-dasharray': [unit, 4 * unit],
  })
}
