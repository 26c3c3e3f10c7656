import { fitted, leastSize } from '../markup.ts'
import type { Style, Tone } from '../style.ts'
import { alike, APART, HUGE, INSET, inkOf, LARGE, MIDDLE, put, ACROSS, SMALL, WIDTH } from './type.ts'

/** The upper part: the thing itself, and how near danger is. Names come from people and venues: those that the font lacks are left out. */
export interface Head {
  title: Title
  /** Below it: `1.5` with the name `BTC`, `$142k`, and the name that a person gave its wallet. */
  about: { parts: readonly { figure: string; name?: string }[]; label: string }
  /** `2.8`, `%`, and one or two lines: `from liquidation`, `$2,671 away`. */
  near: {
    figure: string
    unit: string
    lines: readonly string[]
    /** Instead of the lines where there is room for words before the figure alone: `to liquidation`. */
    before?: string
    tone: Tone
  }
}

/** `BTC` and `long`, or `If`, `BTC` and `−8%`. The name gives way to the words around it. */
interface Title {
  before?: string
  name: string
  behind: string
  /** Forms for less room, the longest first. */
  shorter?: readonly { name: string; behind: string }[]
}

export function head(data: Head, style: Style, top: number): string[] {
  const { near } = data
  const { palette } = style
  const colour = inkOf(near.tone, palette)
  // The widest that the lines beside the figure need at their smallest.
  const least = Math.max(0, ...near.lines.map((line) => style.measure(line, leastSize(style), 500)))
  const unit = fitted(near.unit, LARGE, 700, ACROSS, style)
  const gap = least > 0 ? APART : 0
  const figure = fitted(near.figure, HUGE, 700, ACROSS - least - unit.width - gap - 1, style)
  const base = top + 384
  const beside = INSET + figure.width + unit.width + APART
  const lines = alike(near.lines, MIDDLE, 500, WIDTH - INSET - beside, style)
  return [
    title(data.title, style, top + 100, ACROSS),
    about(data.about, style, top + 168, MIDDLE, ACROSS),
    // Large figures have their own margin to the left.
    put(figure, INSET - figure.size * 0.04, base, colour),
    put(unit, INSET + figure.width, base, colour),
    ...lines.map((line, at) =>
      put(line, beside, base - (lines.length - 1 - at) * 62, at === 0 ? palette.text : palette.secondary),
    ),
  ]
}

/** The head of a strip: the figure stands to the right of the names. */
export function shortHead(data: Head, style: Style, top: number): string[] {
  const { near } = data
  const { palette } = style
  const colour = inkOf(near.tone, palette)
  const unit = fitted(near.unit, LARGE, 700, ACROSS, style)
  const figure = fitted(near.figure, HUGE, 700, ACROSS * 0.6 - unit.width, style)
  const end = WIDTH - INSET - unit.width
  const room = end - figure.width - APART - INSET
  const { before = near.lines[0] ?? '' } = near
  return [
    title(data.title, style, top + 92, room),
    about(data.about, style, top + 150, SMALL, room),
    put(fitted(before, SMALL, 500, room, style), INSET + room, top + 204, palette.text, 'end'),
    put(figure, end, top + 204, colour, 'end'),
    put(unit, WIDTH - INSET, top + 204, colour, 'end'),
  ]
}

/** Takes the first form that fits whole. The name in the last one gives way: `BTC long`, `VERYLO… long`. */
function title(
  { before = '', name, behind, shorter = [] }: Title,
  style: Style,
  base: number,
  room: number,
): string {
  const whole = (form: { name: string; behind: string }) =>
    [before, form.name, form.behind].filter(Boolean).join(' ')
  const forms = [{ name, behind }, ...shorter]
  const fits = forms.find((form) => fitted(whole(form), LARGE, 700, room, style).text === whole(form))
  const form = fits ?? forms.at(-1) ?? { name, behind }
  const size = fitted(whole(form), LARGE, 700, room, style).size
  const rest = style.measure(whole({ ...form, name: 'x' }), size, 700) - style.measure('x', size, 700)
  const first = fitted(form.name, size, 700, Math.max(room - rest, 0), style)
  const text = fitted(whole({ ...form, name: first.text }), first.size, 700, room, style)
  return put(text, INSET, base, style.palette.text)
}

/** `1.5 BTC · $142k · main`. The name of the wallet gives way first. A figure is never cut, but left out. */
function about(
  { parts, label }: Head['about'],
  style: Style,
  base: number,
  most: number,
  room: number,
): string {
  const figures = parts.map(({ figure, name = '' }) => {
    const named = fitted(name, leastSize(style), 500, room / 2, style).text
    return [figure, figure && named].filter(Boolean).join(' ')
  })
  const line = (texts: readonly string[]) => texts.filter(Boolean).join(SEPARATOR)
  const lines = [[...figures, label], ...figures.map((_, at) => figures.slice(0, figures.length - at))]
    .map(line)
    .concat('')
  const fits = lines.map((text) => fitted(text, most, 500, room, style))
  const least = line([...figures, 'x']).length - 1 + LEAST_OF_LABEL
  const found = fits.find(({ text }, at) => text === lines[at] || (at === 0 && text.length > least))
  return found ? put(found, INSET, base, style.palette.secondary) : ''
}

const SEPARATOR = ' · '
/** A name that is cut shorter says nothing. */
const LEAST_OF_LABEL = 3
