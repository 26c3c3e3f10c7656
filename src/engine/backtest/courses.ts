import type { Course, Holdings } from '../../chat/holdings.ts'
import { inOrder } from '../../lib/flow/in-order.ts'
import { type Clock, createYield } from '../../runtime/clock.ts'
import type { RecordingStore } from '../../store/store.ts'
import { toNumber } from '../../venue/amount.ts'
import { symbolOf } from '../memory/markets.ts'
import type { Memory } from '../memory/memory.ts'
import { MARKETS_OUTAGE_MS } from '../monitors/context.ts'
import { createArchive, slowly } from './archive.ts'
import { type Course as Recorded, coarseStaleMs, oneByOne, type Span } from './price-series.ts'

const DAY_MS = 86_400_000
const SPAN_MS = { least: 60_000, most: 8 * DAY_MS }
const COLUMNS = { least: 16, most: 2_000 }
/** How long the others wait for their turn while a long course is read. */
const SLICE_MS = 2
/** So many samples are looked at between two of these turns. */
const AT_ONCE = 5_000
/** A page asks again after a while. */
const MOST_WAITING = 30

type Known = Pick<Memory, 'rules' | 'wallets' | 'markets' | 'recording'>

interface Courses {
  /** For a page: null for a market in which the person has neither a position nor a rule. */
  own(personId: number, ...asked: Tail<Parameters<Holdings['course']>>): ReturnType<Holdings['course']>
  /** For a picture of any market. */
  any(...asked: Tail<Parameters<Holdings['course']>>): Promise<Course | 'busy'>
}

/** Reads the recorded prices of markets, one after the other, and lets others have the loop. */
export function createCourses(world: {
  drawers: Known
  recording: Pick<RecordingStore, 'blocks'>
  clock: Clock
  marketPollMs: number
}): Courses {
  const { drawers, recording, clock, marketPollMs } = world
  // As for a backtest: prices that are too old, and a time without any, are a gap.
  const [staleMs, holeMs] = [marketPollMs + MARKETS_OUTAGE_MS, 2 * marketPollMs]
  const archive = createArchive(recording, drawers.recording, { staleMs, holeMs })
  const next = inOrder()
  let waiting = 0

  async function read(market: string, from: number, columns: number): Promise<Course> {
    const until = clock.now()
    const since = between(from, until - SPAN_MS.most, until - SPAN_MS.least)
    const breathe = createYield(clock, SLICE_MS)
    const recorded = await archive.course(market, { since, until }, breathe)
    const newest = drawers.markets.readings.get(market)
    const seen = newest
      ? withNewest(recorded, { at: newest.at, price: toNumber(newest.value.price) }, { until, staleMs })
      : recorded
    const most = between(Math.round(columns), COLUMNS.least, COLUMNS.most)
    return {
      ...{ market, symbol: symbolOf(drawers, market), since, until },
      ...(await slowly(thinned(seen, { since, until, columns: most }), breathe)),
      gaps: gapsOf(seen, { since, until, staleMs }),
    }
  }

  async function any(market: string, since: number, columns: number): Promise<Course | 'busy'> {
    if (waiting >= MOST_WAITING) return 'busy'
    waiting++
    return next('course', () => read(market, since, columns)).finally(() => waiting--)
  }
  return {
    any,
    own: async (personId, market, since, columns) =>
      isOwn(drawers, personId, market) ? any(market, since, columns) : null,
  }
}

type Tail<T> = T extends [unknown, ...infer Rest] ? Rest : never

/** Whether the person holds a position in this market, or has named it in a rule. */
function isOwn({ rules, wallets }: Known, personId: number, market: string): boolean {
  for (const rule of rules.rulesOf.valuesOf(personId)) if (rule.market?.id === market) return true
  for (const wallet of rules.watchesOf.keysOf(personId))
    for (const { position } of wallets.views.get(wallet)?.held.values() ?? [])
      if (position.marketId === market) return true
  return false
}

/** No number at all counts as the least. */
function between(value: number, least: number, most: number): number {
  return Number.isNaN(value) ? least : Math.min(Math.max(value, least), most)
}

interface Samples extends Pick<Recorded, 'times' | 'prices' | 'coarse'> {
  dark: readonly Span[]
}

/** The minute that goes on is no bar yet: the last figures of memory end the course. */
export function withNewest(
  recorded: Samples,
  newest: { at: number; price: number },
  { until, staleMs }: { until: number; staleMs: number },
): Samples {
  const { times, prices, coarse, dark } = recorded
  const lastAt = times.at(-1)
  if (newest.at > until || (lastAt !== undefined && newest.at <= lastAt)) return recorded
  const isDark = lastAt !== undefined && newest.at - lastAt > patienceMs(coarse, staleMs)
  return {
    times: longer(times, new Float64Array(times.length + 1), newest.at),
    prices: longer(prices, new Float64Array(times.length + 1), newest.price),
    coarse: longer(coarse, new Uint8Array(times.length + 1), 0),
    dark: isDark ? [...dark, { since: lastAt, until: newest.at }] : dark,
  }
}

function longer<T extends Float64Array | Uint8Array>(all: T, room: T, last: number): T {
  room.set(all)
  room[all.length] = last
  return room
}

/** How long after its last sample a market counts as unseen. */
function patienceMs(coarse: Uint8Array, staleMs: number): number {
  return coarse.at(-1) === 1 ? coarseStaleMs(staleMs) : staleMs
}

/**
 * Keeps the first, lowest, highest and last price of each column of pixels, in the order of time. A record that began
 * within the span has all columns for itself: it is drawn as wide.
 */
export function* thinned(
  { times, prices }: Pick<Samples, 'times' | 'prices'>,
  { since, until, columns }: Span & { columns: number },
): Generator<void, Pick<Course, 'times' | 'prices'>> {
  const kept: number[] = []
  const begin = Math.max(times[0] ?? since, since)
  let column = -1
  let [first, lowest, highest, last] = [-1, -1, -1, -1]
  const endColumn = () => {
    if (first >= 0) kept.push(...new Set([first, ...[lowest, highest].sort((a, b) => a - b), last]))
  }
  for (let place = 0; place < times.length; place++) {
    if (place % AT_ONCE === 0) yield
    const time = times[place] ?? 0
    if (time < since || time > until) continue
    const at = Math.min(Math.floor(((time - begin) / (until - begin || 1)) * columns), columns - 1)
    if (at !== column) {
      endColumn()
      column = at
      first = lowest = highest = place
    }
    const price = prices[place] ?? 0
    if (price < (prices[lowest] ?? 0)) lowest = place
    if (price > (prices[highest] ?? 0)) highest = place
    last = place
  }
  endColumn()
  return { times: kept.map((place) => times[place] ?? 0), prices: kept.map((place) => prices[place] ?? 0) }
}

/** The times within the span in which nothing was seen, also before its first and after its last price. */
export function gapsOf(
  { times, coarse, dark }: Omit<Samples, 'prices'>,
  { since, until, staleMs }: Span & { staleMs: number },
): Span[] {
  const first = times[0] ?? until
  const last = times.at(-1) ?? since
  const ends: Span[] = [
    ...(first - since > staleMs ? [{ since, until: first }] : []),
    ...(until - last > patienceMs(coarse, staleMs) ? [{ since: last, until }] : []),
  ]
  return gapsWithin([...dark, ...ends], { since, until })
}

/** As much of these gaps as lies within the span, one after the other. */
export function gapsWithin(gaps: readonly Span[], { since, until }: Span): Span[] {
  const cut = gaps.map((gap) => ({ since: Math.max(gap.since, since), until: Math.min(gap.until, until) }))
  return oneByOne(cut).filter((gap) => gap.since < gap.until)
}
