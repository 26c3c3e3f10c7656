import type { Style, Tone } from './style.ts'
import { element, type Fitted, fitted, stroked, written } from './markup.ts'
import type { Plot } from './plot.ts'
import type { Scale } from './scale.ts'

/** A price in its box, beside the chart. */
interface Tag {
  label: Fitted
  /** The middle of the box, and the height that it names. */
  y: number
  to: number
  width: number
  fill: string
  ink: string
  /** The colour of the line from that height to the box; null for none. */
  leader: string | null
}

/** A distance beside its dotted line. */
interface TierLabel {
  label: Fitted
  y: number
}

/** Wider tags would leave too little for the line of prices. */
const MOST_OF_WIDTH = 0.66
/** On both sides of the text, as a fraction of its size. */
const PADDING = 0.4

/** Both tags, in one size of type, pushed apart so far that they don't touch. */
export function tagsOf(plot: Plot, style: Style, scale: Scale, tone: Tone): Tag[] {
  const { palette, sizes } = style
  const { tagHalf, bottom, unit, liquidation, isNear, isDangerAbove } = scale
  const texts = {
    price: plot.text.price,
    liquidation: (isNear ? '' : isDangerAbove ? '↑ ' : '↓ ') + plot.text.liquidation,
  }
  const fit = (text: string, size: number) => fitted(text, size, 700, roomOf(style), style)
  const shown = [plot.price !== null && texts.price, liquidation !== null && texts.liquidation]
  const size = Math.min(...shown.map((text) => (text ? fit(text, sizes.tag).size : sizes.tag)))
  const tag = (text: string, to: number, fill: string, ink: string, leader: string | null): Tag => {
    const label = fit(text, size)
    const width = label.width + 2 * PADDING * sizes.tag
    return { label, y: between(to, tagHalf, bottom - tagHalf), to, width, fill, ink, leader }
  }

  const price =
    plot.price === null
      ? null
      : tag(texts.price, scale.y(plot.price), palette.text, palette.onTag, palette.text)
  const [fill, ink, line] =
    tone === 'calm'
      ? [palette.panel, palette.text, palette.secondary]
      : [palette[tone], palette.onTag, palette[tone]]
  const danger =
    liquidation === null ? null : tag(texts.liquidation, liquidation, fill, ink, isNear ? line : null)
  if (!price || !danger) return [price, danger].filter((one) => one !== null)

  const apart = 2 * (tagHalf + unit)
  if (Math.abs(price.y - danger.y) < apart) {
    const isPriceAbove = price.to === danger.to ? !isDangerAbove : price.to < danger.to
    const middle = between((price.y + danger.y) / 2, tagHalf + apart / 2, bottom - tagHalf - apart / 2)
    price.y = middle + (isPriceAbove ? -apart : apart) / 2
    danger.y = middle + (isPriceAbove ? apart : -apart) / 2
  }
  return [price, danger]
}

function roomOf({ width, inset, sizes }: Style): number {
  return (width - 2 * inset) * MOST_OF_WIDTH - 2 * PADDING * sizes.tag
}

function between(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), least)
}

/** The tiers' labels that touch neither a tag nor another label. The tag of liquidation always covers its line. */
export function tierLabels(
  lines: readonly { y: number; text: string }[],
  tags: readonly Tag[],
  style: Style,
  { tagHalf, unit, bottom }: Scale,
): TierLabel[] {
  const half = style.sizes.label * 0.6
  const taken = tags.map(({ y }) => ({ y, half: tagHalf }))
  return lines.flatMap(({ y, text }) => {
    const isOutside = y < half || y > bottom - half
    if (isOutside || taken.some((other) => Math.abs(other.y - y) < other.half + half + unit)) return []
    taken.push({ y, half })
    return [{ label: fitted(text, style.sizes.label, 500, roomOf(style), style), y }]
  })
}

/** A tag from `x` on. `from`: the end of the line of prices. */
export function drawnTag(tag: Tag, from: number, x: number, style: Style, { tagHalf, unit }: Scale): string {
  const { label, y, to, width, fill, ink, leader } = tag
  return [
    leader && stroked(['M', from, to, 'L', x, y], leader, 1.7 * unit),
    element('rect', { x, y: y - tagHalf, width, height: 2 * tagHalf, rx: 3 * unit, fill }),
    written(label, { x: x + PADDING * style.sizes.tag, y }, ink),
  ].join('')
}
