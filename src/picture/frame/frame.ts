import { element, fitted, written } from '../markup.ts'
import { PALETTES, type Style } from '../style.ts'
import { type Fact, facts, foot } from './facts.ts'
import { type Head, head, shortHead } from './head.ts'
import { INSET, MIDDLE, ACROSS, SMALL, WIDTH } from './type.ts'

/** All that stands around the body of a picture. Words and figures come ready in the reader's language. */
export interface Frame extends Head {
  /** The words of the bar across the top; null for a real venue. */
  simulated: string | null
  /** A strip leaves them out. */
  facts: readonly Fact[]
  /** When it was: `25 Nov 19:35 · mark price`. */
  foot: string
  maker: string
}

export interface FrameStyle {
  /** `card` fills a phone without being cropped, `strip` stands in lists. */
  format: keyof typeof FORMATS
  theme: keyof typeof PALETTES
  font: string
  measure: Style['measure']
  /** Whether the font can show each character of the text. Names that it cannot show are left out. */
  has: (text: string) => boolean
}

const BAR = 66

/**
 * Where parts stand, as pixels below the bar: the top of the body, and its end above the lower edge. Without a bar all
 * moves up, and the body grows by that.
 */
const FORMATS = {
  card: { height: 1350, body: { top: 450, bottom: 221 } },
  strip: { height: 720, body: { top: 256, bottom: 80 } },
}

/**
 * The SVG of a picture, 1080 pixels wide. `body` draws what stands between the head and the facts, in a box as large as
 * its style says, whose upper left corner is zero.
 */
export function framed(data: Frame, style: FrameStyle, body: (style: Style) => string): string {
  const { theme, format } = style
  const { height, body: place } = FORMATS[format]
  const palette = PALETTES[theme]
  const begin = data.simulated === null ? 0 : BAR
  const top = begin + place.top
  const set: Style = {
    ...{ width: WIDTH, height: height - top - place.bottom, inset: INSET },
    ...{ palette, sizes: { label: SMALL, tag: MIDDLE }, font: style.font, measure: style.measure },
  }
  const shown = legible(data, style)
  const told = data.facts.map((fact) => ({ ...fact, name: knownName(fact.name ?? '', style) }))
  const content = [
    element('rect', { width: WIDTH, height, fill: palette.ground }),
    data.simulated !== null && bar(data.simulated, set),
    ...(format === 'card' ? head(shown, set, begin) : shortHead(shown, set, begin)),
    element('g', { transform: `translate(0 ${top})` }, body(set)),
    ...(format === 'card' ? facts(told, set, height - 200) : []),
    ...foot(data.foot, data.maker, set, height - 28),
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
function legible({ title, about, near }: Head, style: FrameStyle): Head {
  return {
    title: { ...title, name: knownName(title.name, style) },
    about: {
      parts: about.parts.map(({ figure, name = '' }) => ({ figure, name: knownName(name, style) })),
      label: knownName(about.label, style),
    },
    near,
  }
}

/** A name without the spaces around it; empty where the font cannot show it. */
export function knownName(name: string, { has }: Pick<FrameStyle, 'has'>): string {
  return has(name) ? name.trim() : ''
}

function bar(words: string, style: Style): string {
  const { palette } = style
  const text = fitted(words, SMALL, 700, ACROSS, style)
  return (
    element('rect', { width: WIDTH, height: BAR, fill: palette.secondary }) +
    written(text, { x: WIDTH / 2, y: BAR / 2, anchor: 'middle' }, palette.onTag)
  )
}
