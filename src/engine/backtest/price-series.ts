import { unpack } from '../../lib/data/packed.ts'
import { readable } from '../recording/hour.ts'

/**
 * The prices of a market as they were seen: wall times, prices, and funding as fractions per day, in the
 * order of time.
 */
export interface Course {
  times: Float64Array
  prices: Float64Array
  rates: Float64Array
  /** 1 where only the minute is known in which it was so. */
  coarse: Uint8Array
  /** When it was not seen, in the order of time; each is noticed so long after it has begun. */
  dark: readonly Dark[]
}

/** Wall times. */
export interface Span {
  since: number
  until: number
}

interface Dark extends Span {
  noticedMs: number
}

const MINUTE_MS = 60_000
/** Bars follow each other a minute later than prices do, at the most. */
export const coarseStaleMs = (staleMs: number) => staleMs + MINUTE_MS
/** Where in its minute the four prices of a bar are put. */
const PLACES = [7_500, 22_500, 37_500, 52_500] as const

/** The same times as one after the other: what was noticed in two ways is one. */
export function oneByOne(gaps: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const { since, until } of gaps.toSorted((a, b) => a.since - b.since)) {
    const last = all.at(-1)
    if (last && since <= last.until) last.until = Math.max(last.until, until)
    else all.push({ since, until })
  }
  return all
}

type Chunk = Omit<Course, 'dark'>

/**
 * Joins the records of a market: single prices where they were kept, elsewhere the bars. Nobody knows whether
 * a bar's highest or lowest price came first: the one that it moved away from is put first.
 */
export function* courseOf(
  kept: { prices: readonly Uint8Array[]; bars: readonly Uint8Array[]; dark: readonly Uint8Array[] },
  { until, staleMs, holeMs }: { until: number; staleMs: number; holeMs: number },
): Generator<void, Course> {
  const close = (yield* columnsOf(kept.prices)).map(chunkOf)
  const spans = close.map(({ times }) => ({ since: times[0] ?? 0, until: times.at(-1) ?? 0 }))
  const isKnown = (minute: number) =>
    spans.some((span) => minute < span.until && minute + MINUTE_MS > span.since)
  const coarse: Chunk[] = []
  for (const bytes of kept.bars) {
    yield
    coarse.push(...barChunks(readable(bytes, unpack) ?? [], isKnown))
  }
  const joined = yield* join([...close, ...coarse], until)
  const holes = (yield* columnsOf(kept.dark)).flatMap(
    ([since = new Float64Array(), end = new Float64Array()]) => {
      return [...since].map((at, index): Dark => ({ since: at, until: end[index] ?? at, noticedMs: holeMs }))
    },
  )
  const dark = [...holes, ...gapsIn(joined, staleMs)].toSorted((a, b) => a.since - b.since)
  return { ...joined, dark }
}

function* columnsOf(all: readonly Uint8Array[]): Generator<void, Float64Array[][]> {
  const columns: Float64Array[][] = []
  for (const bytes of all) {
    yield
    columns.push(readable(bytes, unpack) ?? [])
  }
  return columns
}

function chunkOf([times, prices, rates]: Float64Array[]): Chunk {
  const none = new Float64Array()
  const coarse = new Uint8Array(times?.length ?? 0)
  return { times: times ?? none, prices: prices ?? none, rates: rates ?? none, coarse }
}

/** Leaves out the minutes whose single prices are known; minutes that follow each other are one chunk. */
function barChunks(columns: Float64Array[], isKnown: (minute: number) => boolean): Chunk[] {
  const [minutes, first, highest, lowest, last, rates] = columns
  const all: number[][][] = []
  let open: number[][] | null = null
  for (const [index, minute] of (minutes ?? []).entries()) {
    if (isKnown(minute)) {
      open = null
      continue
    }
    if (open === null) all.push((open = [[], [], []]))
    const [times = [], prices = [], paid = []] = open
    const [from = 0, top = 0, bottom = 0, to = 0] = [first, highest, lowest, last].map((one) => one?.[index])
    const order = to >= from ? [from, bottom, top, to] : [from, top, bottom, to]
    for (const [place, price] of order.entries()) {
      times.push(minute + (PLACES[place] ?? 0))
      prices.push(price)
      paid.push(rates?.[index] ?? 0)
    }
  }
  return all.map((one) => {
    const chunk = chunkOf(one.map((column) => Float64Array.from(column)))
    return { ...chunk, coarse: chunk.coarse.fill(1) }
  })
}

/** In the order of time, also where a wall clock was set back or something was kept twice. */
function* join(chunks: readonly Chunk[], until: number): Generator<void, Chunk> {
  const most = chunks.reduce((sum, { times }) => sum + times.length, 0)
  const all: Chunk = {
    times: new Float64Array(most),
    prices: new Float64Array(most),
    rates: new Float64Array(most),
    coarse: new Uint8Array(most),
  }
  let length = 0
  for (const one of chunks.toSorted((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0))) {
    yield
    for (let index = 0; index < one.times.length; index++) {
      const time = one.times[index] ?? 0
      if (time > until || (length > 0 && time <= (all.times[length - 1] ?? 0))) continue
      all.times[length] = time
      all.prices[length] = one.prices[index] ?? 0
      all.rates[length] = one.rates[index] ?? 0
      all.coarse[length] = one.coarse[index] ?? 0
      length++
    }
  }
  const { times, prices, rates, coarse } = all
  return {
    times: times.subarray(0, length),
    prices: prices.subarray(0, length),
    rates: rates.subarray(0, length),
    coarse: coarse.subarray(0, length),
  }
}

function gapsIn({ times, coarse }: Chunk, staleMs: number): Dark[] {
  const gaps: Dark[] = []
  for (let index = 1; index < times.length; index++) {
    const [since = 0, until = 0] = [times[index - 1], times[index]]
    const noticedMs = coarse[index] || coarse[index - 1] ? coarseStaleMs(staleMs) : staleMs
    if (until - since > noticedMs) gaps.push({ since, until, noticedMs })
  }
  return gaps
}
