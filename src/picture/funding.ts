import { type Frame, type FrameStyle, framed, knownName } from './frame/frame.ts'
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

/** A share of the width. */
const LEAST_SIDE = 0.3
/** Less would be no finite number of units. */
const LEAST_USD = 1e-12

/** The SVG of funding: a bar to the left for each position that pays, and to the right for each that receives. */
export function funding({ positions, more, text, ...frame }: Funding, style: FrameStyle): string {
  const shown = positions.map((one) => ({ ...one, name: knownName(one.name, style) }))
  // The label of a fact may hold the name of a market.
  const facts = frame.facts.filter(({ label }) => style.has(label))
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
  const width = right - left
  const share = most === least ? 0 : -least / (most - least)
  // With both sides, the word below each finds room there.
  const isBoth = least < 0 && most > 0
  const zero = left + width * (isBoth ? Math.min(Math.max(share, LEAST_SIDE), 1 - LEAST_SIDE) : share)
  // A dollar is as long on both sides.
  const usdPerUnit = Math.max(
    least < 0 ? -least / (zero - left) : 0,
    most > 0 ? most / (right - zero) : 0,
    LEAST_USD,
  )
  const x = (perDay: number) => zero + perDay / usdPerUnit
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
