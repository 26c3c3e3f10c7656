import type { Style } from './style.ts'
import { type Fitted, fitted, written } from './markup.ts'
import type { Mark, Plot } from './plot.ts'

interface Span {
  from: number
  to: number
}

/**
 * The times below a chart, and the words below its gaps. The last time and the words of the widest gap always stand
 * there, the rest where they find room. `end`: where the line ends.
 */
export function times(
  plot: Plot,
  gaps: readonly Span[],
  marks: readonly (Mark & { x: number })[],
  end: number,
  y: number,
  style: Style,
): string {
  const { palette, inset } = style
  const [whole, apart] = [style.width - 2 * inset, style.sizes.label / 2]
  const set = (text: string, weight: 500 | 700) => fitted(text, style.sizes.label, weight, whole, style)
  const [since, until, words] = [
    set(plot.text.since, 500),
    set(plot.text.until, 500),
    set(plot.text.notSeen, 700),
  ]
  const [widest, ...others] = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))

  const all = since.width + apart + until.width + (widest ? words.width + apart : 0)
  const last = Math.min(Math.max(end, inset + all), inset + whole)
  const taken: Span[] = [{ from: last - until.width, to: last }]
  const out = [written(until, { x: last, y, anchor: 'end' }, palette.secondary)]

  const isFree = ({ from, to }: Span) =>
    from >= inset - 0.1 &&
    to <= last + 0.1 &&
    taken.every((other) => to + apart <= other.from + 0.1 || from >= other.to + apart - 0.1)
  const put = (text: Fitted, middle: number, fill: string) => {
    const span = { from: middle - text.width / 2, to: middle + text.width / 2 }
    if (!isFree(span)) return
    taken.push(span)
    out.push(written(text, { x: middle, y, anchor: 'middle' }, fill))
  }

  const most = last - until.width - apart - words.width / 2
  const isRoomForBoth = all <= last - inset + 0.1
  const least = inset + words.width / 2 + (isRoomForBoth ? since.width + apart : 0)
  if (widest) put(words, Math.max(Math.min((widest.from + widest.to) / 2, most), least), palette.text)
  const start = { from: inset, to: inset + since.width }
  if (isFree(start)) {
    taken.push(start)
    out.push(written(since, { x: inset, y }, palette.secondary))
  }
  const told = new Set([plot.text.since, plot.text.until])
  for (const { text, x, severity } of marks) {
    if (told.has(text)) continue
    told.add(text)
    put(set(text, 700), x, severityColour(severity, palette))
  }
  for (const { from, to } of others) put(words, (from + to) / 2, palette.text)
  return out.join('')
}

export function severityColour(severity: Mark['severity'], palette: Style['palette']): string {
  return severity === 'critical' ? palette.red : severity === 'warning' ? palette.amber : palette.secondary
}
