import { type Frame, type FrameStyle, framed } from './frame/frame.ts'
import { stroked } from './markup.ts'
import { bar, below, labelled, type Row } from './bars.ts'
import type { Style } from './style.ts'

/** The funding of the positions that somebody holds. Words and figures come ready in the reader's language. */
export interface Funding extends Frame {
  /** Not empty. */
  positions: readonly Payment[]
  /** `and 4 more`; null: those are all. */
  more: string | null
  text: { paid: string; received: string }
}

interface Payment extends Row {
  /** USD in a day; negative is paid. */
  perDay: number
}

/** The SVG of funding: a bar to the left for each position that pays, and to the right for each that receives. */
export function funding({ positions, more, text, ...frame }: Funding, style: FrameStyle): string {
  const { has } = style
  const shown = positions.map((one) => ({ ...one, name: has(one.name) ? one.name.trim() : '' }))
  // The label of a fact may hold the name of a market.
  const facts = frame.facts.filter(({ label }) => has(label))
  return framed({ ...frame, facts }, style, (place) => body(shown, more, text, place))
}

function body(
  positions: readonly Payment[],
  more: string | null,
  { paid, received }: Funding['text'],
  style: Style,
): string {
  const { palette, sizes } = style
  const { bars, labels } = labelled(positions, more, style)
  const { left, right, bottom, ys, height } = bars
  const all = positions.map(({ perDay }) => perDay)
  const [most, least] = [Math.max(0, ...all), Math.min(0, ...all)]
  // With both parts, a unit is as long on both sides.
  const zero = most === least ? left : left + (right - left) * (-least / (most - least))
  const x = (perDay: number) => zero + ((right - left) * perDay) / (most - least || 1)
  return [
    ...positions.map(({ perDay }, at) =>
      perDay === 0
        ? ''
        : bar(zero, x(perDay), ys[at] ?? 0, height, perDay < 0 ? palette.text : palette.secondary),
    ),
    stroked(['M', zero, 0, 'V', bottom], palette.secondary, sizes.label / 12),
    labels,
    below(
      [
        ...(least < 0 ? [{ text: paid, x: (left + zero) / 2 }] : []),
        ...(most > 0 ? [{ text: received, x: (zero + right) / 2 }] : []),
      ],
      bars,
      style,
    ),
  ].join('')
}
