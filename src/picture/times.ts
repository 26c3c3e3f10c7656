import { type Fitted, fitted, written } from './markup.ts'
import type { Mark, Plot } from './plot.ts'
import type { Style, Weight } from './style.ts'

interface Span {
  from: number
  to: number
}

/** How much of a text stands left of its anchor. */
const LEFT = { start: 0, middle: 0.5, end: 1 }
/** Coordinates are written to a tenth. */
const ROUNDING = 0.1

/**
 * The times below a chart, and the words below its gaps. The last time and the words of the widest gap always stand
 * there, the rest where they find room. `end`: where the line ends.
 */
export function times(
  { text }: Plot,
  gaps: readonly Span[],
  marks: readonly (Mark & { x: number })[],
  end: number,
  y: number,
  style: Style,
): string {
  const { palette, inset, sizes, width } = style
  const [whole, apart] = [width - 2 * inset, sizes.label / 2]
  const set = (one: string, weight: Weight) => fitted(one, sizes.label, weight, whole, style)
  const [since, until, words] = [set(text.since, 500), set(text.until, 500), set(text.notSeen, 700)]
  const [widest, ...others] = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))

  // The last time stands below the last point, or farther right where the others need the room.
  const all = since.width + apart + until.width + (widest ? apart + words.width : 0)
  const last = Math.min(Math.max(end, inset + all), inset + whole)
  const taken: Span[] = []
  const put = (one: Fitted, x: number, anchor: keyof typeof LEFT, fill: string): string => {
    const from = x - one.width * LEFT[anchor]
    const to = from + one.width
    const isFree = taken.every(
      (other) => to + apart <= other.from + ROUNDING || from + ROUNDING >= other.to + apart,
    )
    if (!isFree || from + ROUNDING < inset || to > last + ROUNDING) return ''
    taken.push({ from, to })
    return written(one, { x, y, anchor }, fill)
  }
  const wordsAt = (gap: Span | undefined, least: number, most: number) =>
    gap ? put(words, Math.max(Math.min(middle(gap), most), least), 'middle', palette.text) : ''

  const isRoomForAll = all <= last - inset + ROUNDING
  const least = inset + words.width / 2 + (isRoomForAll ? since.width + apart : 0)
  const told = new Set([text.since, text.until])
  return [
    put(until, last, 'end', palette.secondary),
    wordsAt(widest, least, last - until.width - apart - words.width / 2),
    put(since, inset, 'start', palette.secondary),
    ...marks.map((mark) => {
      if (told.has(mark.text)) return ''
      told.add(mark.text)
      return put(set(mark.text, 700), mark.x, 'middle', severityColour(mark.severity, palette))
    }),
    ...others.map((gap) => wordsAt(gap, 0, width)),
  ].join('')
}

function middle({ from, to }: Span): number {
  return (from + to) / 2
}

export function severityColour(severity: Mark['severity'], palette: Style['palette']): string {
  return severity === 'critical' ? palette.red : severity === 'warning' ? palette.amber : palette.secondary
}
