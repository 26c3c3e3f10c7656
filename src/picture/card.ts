import { chart, toneOfPlot } from './chart.ts'
import { element, type Fitted, fitted, leastSize, written } from './markup.ts'
import type { Plot } from './plot.ts'
import { PALETTES, type Style, type Weight } from './style.ts'

/** A picture of one position or market as data: words and figures come ready in the reader's language. */
export interface Card {
  /** The words of the bar across the top; null for a real venue. */
  simulated: string | null
  /** `BTC` and `long`. The name comes from a venue, so the font may lack its characters. */
  name: string
  side: string
  /** Below it: `1.5`, `BTC`, `$142k`, and the name that a person gave its wallet. */
  about: { size: string; value: string; label: string }
  /** `2.8`, `%`, and one or two lines: `from liquidation`, `$2,671 away`. */
  near: { figure: string; unit: string; lines: readonly string[] }
  plot: Plot
  /** `PnL` and `-$4,496`. A strip leaves them out. */
  facts: readonly { label: string; figure: string }[]
  /** When it was: `25 Nov 19:35 · mark price`. */
  foot: string
  maker: string
}

export interface CardStyle {
  /** `card` fills a phone without being cropped, `strip` stands in lists. */
  format: keyof typeof FORMATS
  theme: keyof typeof PALETTES
  font: string
  measure: Style['measure']
  /** Whether the font can show each character of the text. Names that it cannot show are left out. */
  has: (text: string) => boolean
}

/** The sizes of type, in pixels. Text that finds no room shrinks down to eleven twelfths of the smallest. */
const SMALL = 36
const MIDDLE = 48
const LARGE = 72
const HUGE = 232

const WIDTH = 1080
const INSET = 60
const ROOM = WIDTH - 2 * INSET
const BAR = 66
/** Between texts beside each other. */
const APART = 30

/**
 * Where parts stand, as pixels below the bar: the lowest points of capitals, and the top of the chart. Without a bar all
 * moves up, and the chart grows by that.
 */
const FORMATS = {
  card: { height: 1350, chart: { top: 450, bottom: 221 } },
  strip: { height: 720, chart: { top: 256, bottom: 80 } },
}

/** The SVG of a card, 1080 pixels wide. The same data give the same SVG. */
export function card(data: Card, style: CardStyle): string {
  const { theme, format } = style
  const { height, chart: place } = FORMATS[format]
  const palette = PALETTES[theme]
  const begin = data.simulated === null ? 0 : BAR
  const top = begin + place.top
  const set: Style = {
    ...{ width: WIDTH, height: height - top - place.bottom, inset: INSET },
    ...{ palette, sizes: { label: SMALL, tag: MIDDLE }, font: style.font, measure: style.measure },
  }
  const shown = { ...data, ...legible(data, style) }
  const content = [
    element('rect', { width: WIDTH, height, fill: palette.ground }),
    data.simulated !== null && bar(data.simulated, set),
    ...(format === 'card' ? head(shown, set, begin) : shortHead(shown, set, begin)),
    element('g', { transform: `translate(0 ${top})` }, chart(data.plot, set, 'chart')),
    ...(format === 'card' ? facts(data.facts, set, height - 200) : []),
    ...foot(shown, set, height - 28),
  ]
  return element(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height },
      ...{ viewBox: `0 0 ${WIDTH} ${height}`, 'font-family': style.font },
      // With kerning, a text may be wider than the sum of its characters, by which it was laid out.
      style: 'font-kerning:none',
    },
    content.filter(Boolean).join(''),
  )
}

/** The names that people and venues gave, as far as the font can show them. */
function legible({ name, about }: Card, { has }: CardStyle): Pick<Card, 'name' | 'about'> {
  const known = (text: string) => (has(text) ? text.trim() : '')
  return { name: known(name), about: { ...about, label: known(about.label) } }
}

/** A text by the lowest point of its capitals. */
function put(text: Fitted, x: number, base: number, fill: string, anchor: 'start' | 'end' = 'start'): string {
  return text.text === ''
    ? ''
    : written(text, { x, y: base - text.size * 0.36, ...(anchor === 'end' && { anchor }) }, fill)
}

function bar(words: string, style: Style): string {
  const { palette } = style
  const text = fitted(words, SMALL, 700, ROOM, style)
  return (
    element('rect', { width: WIDTH, height: BAR, fill: palette.secondary }) +
    written(text, { x: WIDTH / 2, y: BAR / 2, anchor: 'middle' }, palette.onTag)
  )
}

function head(data: Card, style: Style, top: number): string[] {
  const { near, plot } = data
  const { palette } = style
  const colour = nearColour(plot, palette)
  // The widest that the lines beside the figure need at their smallest.
  const least = Math.max(0, ...near.lines.map((line) => style.measure(line, leastSize(style), 500)))
  const unit = fitted(near.unit, LARGE, 700, ROOM, style)
  const gap = least > 0 ? APART : 0
  const figure = fitted(near.figure, HUGE, 700, ROOM - least - unit.width - gap - 1, style)
  const base = top + 384
  const beside = INSET + figure.width + unit.width + APART
  const lines = alike(near.lines, MIDDLE, 500, WIDTH - INSET - beside, style)
  return [
    title(data, style, top + 100, ROOM),
    about(data, style, top + 168, MIDDLE, ROOM),
    // Large figures have their own margin to the left.
    put(figure, INSET - figure.size * 0.04, base, colour),
    put(unit, INSET + figure.width, base, colour),
    ...lines.map((line, at) =>
      put(line, beside, base - (lines.length - 1 - at) * 62, at === 0 ? palette.text : palette.secondary),
    ),
  ]
}

/** The head of a strip: the figure stands to the right of the names. */
function shortHead(data: Card, style: Style, top: number): string[] {
  const { near, plot } = data
  const { palette } = style
  const colour = nearColour(plot, palette)
  const unit = fitted(near.unit, LARGE, 700, ROOM, style)
  const figure = fitted(near.figure, HUGE, 700, ROOM * 0.6 - unit.width, style)
  const end = WIDTH - INSET - unit.width
  const room = end - figure.width - APART - INSET
  const [line = ''] = near.lines
  return [
    title(data, style, top + 92, room),
    about(data, style, top + 150, SMALL, room),
    put(fitted(line, SMALL, 500, room, style), INSET, top + 204, palette.text),
    put(figure, end, top + 204, colour, 'end'),
    put(unit, WIDTH - INSET, top + 204, colour, 'end'),
  ]
}

function nearColour(plot: Plot, palette: Style['palette']): string {
  const tone = toneOfPlot(plot)
  return tone === 'calm' ? palette.text : palette[tone]
}

/** The name gives way to the side: `BTC long`, `VERYLO… long`. */
function title({ name, side }: Card, style: Style, base: number, room: number): string {
  const behind = name === '' || side === '' ? side : ` ${side}`
  const size = fitted(name + behind, LARGE, 700, room, style).size
  const rest = style.measure(behind, size, 700)
  const first = fitted(name, size, 700, Math.max(room - rest, 0), style)
  return put(fitted(first.text + behind, first.size, 700, room, style), INSET, base, style.palette.text)
}

/** `1.5 BTC · $142k · main`. The name of the wallet gives way first. A figure is never cut, but left out. */
function about({ name, about: parts }: Card, style: Style, base: number, most: number, room: number): string {
  const symbol = fitted(name, leastSize(style), 500, room / 2, style).text
  const size = [parts.size, parts.size && symbol].filter(Boolean).join(' ')
  const figures = [size, parts.value].filter(Boolean)
  const line = (texts: readonly string[]) => texts.join(SEPARATOR)
  const lines = [line([...figures, parts.label].filter(Boolean)), line(figures), size]
  const fits = lines.map((text) => fitted(text, most, 500, room, style))
  const least = line([...figures, '']).length + LEAST_OF_LABEL
  const found = fits.find(({ text }, at) => text === lines[at] || (at === 0 && text.length > least))
  return found ? put(found, INSET, base, style.palette.secondary) : ''
}

const SEPARATOR = ' · '
/** A name that is cut shorter says nothing. */
const LEAST_OF_LABEL = 3

/**
 * Three figures below the chart, each below a line. Columns are equal, unless a figure needs more. A figure is never cut:
 * the last ones are left out where all together are too wide.
 */
function facts(all: Card['facts'], style: Style, top: number): string[] {
  const { palette } = style
  const room = ROOM - APART * (all.length - 1)
  const smallest = leastSize(style)
  const needs = all.map(({ label, figure }) =>
    Math.ceil(Math.max(style.measure(label, smallest, 500), style.measure(figure, smallest, 700)) + 1),
  )
  if (needs.reduce((sum, need) => sum + need, 0) > room) return facts(all.slice(0, -1), style, top)
  const widths = columns(needs, room)
  const labels = all.map(({ label }, at) => fitted(label, SMALL, 500, widths[at] ?? 0, style))
  const size = Math.min(
    ...all.map(({ figure }, at) => fitted(figure, MIDDLE, 700, widths[at] ?? 0, style).size),
  )
  let x = INSET
  return all.flatMap(({ figure }, at) => {
    const [label, width] = [labels[at], widths[at] ?? 0]
    const left = x
    x += width + APART
    return [
      element('rect', { x: left, y: top, width, height: 4, fill: palette.panel }),
      label ? put(label, left, top + 50, palette.secondary) : '',
      put(fitted(figure, size, 700, width, style), left, top + 104, palette.text),
    ]
  })
}

/** Shares the room equally among those that no more than that satisfies. */
function columns(needs: readonly number[], room: number): number[] {
  let [left, count] = [room, needs.length]
  const given = new Map<number, number>()
  for (const [at, need] of [...needs.entries()].toSorted(([, a], [, b]) => b - a)) {
    const width = Math.min(Math.max(need, left / count), left)
    given.set(at, width)
    left -= width
    count -= 1
  }
  return needs.map((_, at) => given.get(at) ?? 0)
}

function foot({ foot: words, maker }: Card, style: Style, base: number): string[] {
  const { secondary } = style.palette
  const last = fitted(maker, SMALL, 700, ROOM, style)
  return [
    put(fitted(words, SMALL, 500, ROOM - last.width - APART, style), INSET, base, secondary),
    put(last, WIDTH - INSET, base, secondary, 'end'),
  ]
}

/** Texts of one size, that of the longest. */
function alike(all: readonly string[], size: number, weight: Weight, room: number, style: Style): Fitted[] {
  const least = Math.min(size, ...all.map((text) => fitted(text, size, weight, room, style).size))
  return all.map((text) => fitted(text, least, weight, room, style))
}
