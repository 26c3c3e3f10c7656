import type { Recorded } from '../wire/record.ts'

/** A span of wall time, both ends included. */
export interface Span {
  from: number
  to: number
}

/** One list of the venue, as far as it was read. */
export interface Shelf {
  /** The oldest first. */
  elements: readonly Recorded[]
  /** The spans that were read, ascending and apart from each other. */
  read: readonly Span[]
  /** From this time on the venue has the list, as far as is known. */
  from: number
}

export const EMPTY: Shelf = { elements: [], read: [], from: 0 }

/** The newest part of the span that was not read; null if all of it was. */
export function newestGap({ read, from }: Shelf, span: Span): Span | null {
  let to = span.to
  const least = Math.max(span.from, from)
  for (const one of read.toReversed()) {
    if (one.to < to) return to < least ? null : { from: Math.max(least, one.to + 1), to }
    if (one.from <= to) to = one.from - 1
  }
  return to < least ? null : { from: least, to }
}

/** Replaces the elements of a span by those that the venue has sent for it. */
export function put(shelf: Shelf, span: Span, sent: readonly Recorded[]): Shelf {
  const isIn = ({ at }: Recorded) => at >= span.from && at <= span.to
  const elements = [...shelf.elements.filter((one) => !isIn(one)), ...sent.filter(isIn)]
  return { ...shelf, elements: elements.toSorted((a, b) => a.at - b.at), read: joined([...shelf.read, span]) }
}

/** Forgets everything outside of the span. */
export function within(shelf: Shelf, span: Span): Shelf {
  const read = shelf.read.flatMap(({ from, to }) => {
    const cut = { from: Math.max(from, span.from), to: Math.min(to, span.to) }
    return cut.from > cut.to ? [] : [cut]
  })
  return { ...shelf, read, elements: shelf.elements.filter(({ at }) => at >= span.from && at <= span.to) }
}

/** From when on everything up to this time was read; null if that time was not. */
export function wholeFrom({ read }: Shelf, to: number): number | null {
  return read.find((one) => one.from <= to && one.to >= to)?.from ?? null
}

/** How many elements there are from this time on. */
export function countFrom({ elements }: Shelf, from: number): number {
  const first = elements.findIndex(({ at }) => at >= from)
  return first < 0 ? 0 : elements.length - first
}

function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && span.from <= last.to + 1) last.to = Math.max(last.to, span.to)
    else all.push({ ...span })
  }
  return all
}
