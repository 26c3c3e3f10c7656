import { toNumber } from '../../venue/amount.ts'
import type { Known } from '../recording/wallet-series.ts'
import type { Held } from './position-timeline.ts'
import type { Course, Span } from './price-series.ts'

/** The size of a position from this wall time on: base units, signed, 0 where it was not there. */
export interface SizeStep {
  at: number
  size: number
}

/** The PnL of the positions in one market by its prices, in USD: zero at the first time. */
interface MarketDay {
  times: number[]
  pnl: number[]
  /** By the rates that were seen; negative was paid. */
  funding: number
}

type Prices = Pick<Course, 'times' | 'prices' | 'rates' | 'coarse'>

const DAY_MS = 86_400_000
/** A wallet is read this long after a gap at the latest: what has changed by then may have changed within it. */
const READ_AGAIN_MS = 120_000
/** So many samples between two looks at whether others wait. */
const AT_ONCE = 5_000

/** The sizes of a position as they were seen. */
export function sizesOf(held: readonly Held<Known>[]): SizeStep[] {
  const steps: SizeStep[] = []
  for (const { at, known } of held) {
    const size = known ? toNumber(known.size) : 0
    if (steps.at(-1)?.size !== size) steps.push({ at, size })
  }
  return steps
}

/**
 * The sizes that may be counted. Nobody knows when a size has changed that was another one after a gap: nothing of the
 * position counts within that gap. `isWhole`: there was no such change after `since`.
 */
export function countedSizes(
  seen: readonly SizeStep[],
  gaps: readonly Span[],
  since: number,
): { steps: SizeStep[]; isWhole: boolean } {
  const steps: SizeStep[] = []
  let isWhole = true
  for (const step of seen) {
    const before = steps.at(-1)
    const gap =
      before &&
      gaps.find((one) => one.since < step.at && step.at <= one.until + READ_AGAIN_MS && before.at < one.until)
    if (gap) {
      isWhole &&= step.at <= since
      steps.push({ at: Math.max(gap.since, before.at), size: 0 })
    }
    steps.push(step)
  }
  return { steps, isWhole }
}

/** When a position was held, also where that is not certain. */
export function openSpans(seen: readonly SizeStep[], until: number): Span[] {
  return seen.flatMap(({ at, size }, place) =>
    size === 0 ? [] : [{ since: at, until: seen[place + 1]?.at ?? until }],
  )
}

export function overlap(a: Span, b: Span): boolean {
  return a.since < b.until && b.since < a.until
}

/**
 * Adds up size × change of the price, sample by sample. So neither an opening nor a closing makes a jump, and what a
 * closed position has brought stays. A move across a gap of the market counts for what was the same before and after it.
 * Funding counts outside of gaps. `gaps`: in the order of time.
 */
export function* marketDay(
  { times, prices, rates, coarse }: Prices,
  positions: readonly (readonly SizeStep[])[],
  gaps: readonly Span[],
  { since, until }: Span,
): Generator<void, MarketDay> {
  const changes = positions
    .flatMap((steps) =>
      steps.map(({ at, size: now }, place) => ({ at, by: now - (steps[place - 1]?.size ?? 0) })),
    )
    .toSorted((a, b) => a.at - b.at)
  const day: MarketDay = { times: [], pnl: [], funding: 0 }
  let [size, pnl, nextChange, nextGap] = [0, 0, 0, 0]
  const passTo = (time: number) => {
    for (let change = changes[nextChange]; change && change.at <= time; change = changes[++nextChange])
      size += change.by
  }
  for (let place = 0; place < times.length; place++) {
    if (place % AT_ONCE === 0) yield
    const time = times[place] ?? 0
    if (time < since) continue
    if (time > until) break
    const price = prices[place] ?? 0
    const before = place > 0 ? (times[place - 1] ?? 0) : time
    const last = place > 0 ? (prices[place - 1] ?? 0) : price
    const rate = place > 0 ? (rates[place - 1] ?? 0) : 0
    const from = Math.max(before, since)
    while ((gaps[nextGap]?.until ?? Infinity) <= from) nextGap++
    const gap = gaps[nextGap]
    const isUnseen = gap !== undefined && gap.since < time
    passTo(from)
    const sizeBefore = size
    for (let at = from; at < time;) {
      const end = Math.min(changes[nextChange]?.at ?? time, time)
      if (!isUnseen) day.funding -= size * last * rate * ((end - at) / DAY_MS)
      if (end < time) passTo(end)
      at = end
    }
    // Nobody knows the price at the beginning where that lies within a gap.
    const isBegun = from < time && !(isUnseen && gap.since <= since)
    if (isBegun && before < since) note(day, since, 0)
    // The last minute of a market is no price at an opening, which alone has single prices recorded from then on.
    const isOpening = coarse[place - 1] === 1 && coarse[place] === 0
    if (isBegun) pnl += (isOpening ? sizeBefore : size) * (price - last)
    note(day, time, pnl)
  }
  return day
}

function note({ times, pnl }: MarketDay, at: number, usd: number): void {
  times.push(at)
  pnl.push(usd)
}

/** The sum of all markets at each time of any of them. */
export function sumOf(all: readonly { times: readonly number[]; pnl: readonly number[] }[]): {
  times: number[]
  pnl: number[]
} {
  const moves = all
    .flatMap(({ times, pnl }) =>
      times.map((at, place) => ({ at, by: (pnl[place] ?? 0) - (pnl[place - 1] ?? 0) })),
    )
    .toSorted((a, b) => a.at - b.at)
  const sum = { times: [] as number[], pnl: [] as number[] }
  let now = 0
  for (const { at, by } of moves) {
    now += by
    if (sum.times.at(-1) === at) {
      sum.times.pop()
      sum.pnl.pop()
    }
    sum.times.push(at)
    // A sum that has come back to nothing must not be nearly nothing.
    sum.pnl.push(Math.round(now * 1e6) / 1e6)
  }
  return sum
}
