import { element, fitted, leastSize } from '../markup.ts'
import type { Style, Tone } from '../style.ts'
import { APART, INSET, inkOf, MIDDLE, put, ACROSS, SMALL, WIDTH } from './type.ts'

/** `PnL` and `-$4,496`. */
export interface Fact {
  label: string
  /** Behind the label; cut where it finds no room. */
  name?: string
  figure: string
  tone?: Tone
}

/** A name that is cut shorter says nothing. */
const LEAST_OF_NAME = 3

/**
 * Three figures below the body, each below a line. Columns are equal, unless a figure needs more. A figure is never cut:
 * the last ones are left out where all together are too wide.
 */
export function facts(all: readonly Fact[], style: Style, top: number): string[] {
  const { palette } = style
  const room = ACROSS - APART * (all.length - 1)
  const smallest = leastSize(style)
  const needs = all.map(({ label, figure }) =>
    Math.ceil(Math.max(style.measure(label, smallest, 500), style.measure(figure, smallest, 700)) + 1),
  )
  if (needs.reduce((sum, need) => sum + need, 0) > room) return facts(all.slice(0, -1), style, top)
  const widths = columns(needs, room)
  const labels = all.map(({ label, name = '' }, at) => {
    const width = widths[at] ?? 0
    const named = fitted(name === '' ? label : `${label} ${name}`, SMALL, 500, width, style)
    const isTold = named.text.length > label.length + LEAST_OF_NAME
    return isTold ? named : fitted(label, SMALL, 500, width, style)
  })
  const size = Math.min(
    ...all.map(({ figure }, at) => fitted(figure, MIDDLE, 700, widths[at] ?? 0, style).size),
  )
  let x = INSET
  return all.flatMap(({ figure, tone = 'calm' }, at) => {
    const [label, width] = [labels[at], widths[at] ?? 0]
    const left = x
    x += width + APART
    return [
      element('rect', { x: left, y: top, width, height: 4, fill: palette.panel }),
      label ? put(label, left, top + 50, palette.secondary) : '',
      put(fitted(figure, size, 700, width, style), left, top + 104, inkOf(tone, palette)),
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

/** The last line: when it was to the left, and who made it to the right. */
export function foot(words: string, maker: string, style: Style, base: number): string[] {
  const { secondary } = style.palette
  const last = fitted(maker, SMALL, 700, ACROSS, style)
  return [
    put(fitted(words, SMALL, 500, ACROSS - last.width - APART, style), INSET, base, secondary),
    put(last, WIDTH - INSET, base, secondary, 'end'),
  ]
}
