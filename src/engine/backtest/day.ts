import { remember } from '../../lib/data/remember.ts'
import { inOrder } from '../../lib/flow/in-order.ts'
import { type Clock, createYield } from '../../runtime/clock.ts'
import type { RecordingStore } from '../../store/store.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { recordId } from '../memory/recording.ts'
import { MARKETS_OUTAGE_MS } from '../monitors/context.ts'
import { createArchive, slowly } from './archive.ts'
import { gapsOf, gapsWithin, thinned, withNewest } from './courses.ts'
import { countedSizes, openSpans, marketDay, overlap, type SizeStep, sizesOf, sumOf } from './day-pnl.ts'
import { suppressedIn, unreadIn } from './position-timeline.ts'
import { oneByOne, type Span } from './price-series.ts'

/** The PnL of some wallets by prices, from zero on: USD. */
export interface Day extends Span {
  times: readonly number[]
  usd: readonly number[]
  /** When some of it was not seen. */
  gaps: readonly Span[]
  /** The last of it; null where it was not seen to the end. */
  pnl: number | null
  /** By the rates that were seen; negative was paid. */
  funding: number
  /** The most that the positions were worth, at their last prices. */
  worth: number
  /** Whether all positions count all of the time. */
  isWhole: boolean
}

export interface DaySpan extends Span {
  wallets: readonly Wallet[]
}

/** Wider than a picture. Where many markets are added up, each has fewer columns. */
const COLUMNS = { all: 1_080, least: 120 }
/** How long the others wait for their turn while a day is read. */
const SLICE_MS = 2
/** Beyond these a sum would take too long, and a part of it would be no truth. */
const MOST_MARKETS = 100
/** Digests of very many are due at the same time. Those who wait for longer than this get no picture. */
const LONGEST_WAIT_MS = 60_000
/** A day is read when its picture is made, and again when that is drawn. */
const MOST_KEPT = 50

/** Reads the PnL by prices, one day after the other, and lets others have the loop. */
export function createDays(world: {
  drawers: Pick<Memory, 'markets' | 'recording' | 'wallets'>
  recording: Pick<RecordingStore, 'blocks'>
  clock: Clock
  marketPollMs: number
  /** Aborted: no further day is read. */
  signal: AbortSignal
}): { read(span: DaySpan): Promise<Day | null> } {
  const { drawers, recording, clock, marketPollMs, signal } = world
  const [staleMs, holeMs] = [marketPollMs + MARKETS_OUTAGE_MS, 2 * marketPollMs]
  const archive = createArchive(recording, drawers.recording, { staleMs, holeMs })
  const next = inOrder()
  const kept = new Map<string, Promise<Day | null>>()

  async function read({ wallets, since, until }: DaySpan): Promise<Day | null> {
    const breathe = createYield(clock, SLICE_MS)
    const { positions, unread, first } = await sizesIn(wallets, since, breathe)
    const span = { since: Math.max(since, first), until }
    const held = positions.filter(({ spans }) => spans.some((one) => overlap(one, span)))
    const markets = Map.groupBy(held, ({ market }) => market)
    if (markets.size === 0 || markets.size > MOST_MARKETS) return null
    const day = { funding: 0, worth: 0, isWhole: true }
    const gaps = [...unread]
    const courses: { times: readonly number[]; pnl: readonly number[] }[] = []
    const columns = Math.max(Math.floor(COLUMNS.all / markets.size), COLUMNS.least)
    for (const [market, own] of markets) {
      const seen = await pricesOf(market, span, breathe)
      const last = seen.prices.at(-1)
      if (last === undefined) {
        day.isWhole = false
        continue
      }
      const dark = gapsOf(seen, { ...span, staleMs })
      gaps.push(...dark.filter((gap) => own.some(({ spans }) => spans.some((one) => overlap(one, gap)))))
      const counted = own.map(({ sizes }) => countedSizes(sizes, oneByOne([...dark, ...unread]), span.since))
      const steps = counted.map((one) => one.steps)
      const { times, pnl, funding } = await slowly(marketDay(seen, steps, dark, span), breathe)
      const course = await slowly(
        thinned({ times: Float64Array.from(times), prices: Float64Array.from(pnl) }, { ...span, columns }),
        breathe,
      )
      courses.push({ times: course.times, pnl: course.prices })
      day.funding += funding
      day.worth += last * own.reduce((sum, { sizes }) => sum + largestOf(sizes), 0)
      day.isWhole &&= counted.every(({ isWhole }) => isWhole)
    }
    const { times, pnl } = sumOf(courses)
    if (times.length === 0) return null
    const unseen = gapsWithin(gaps, span)
    const isSeen = unseen.at(-1)?.until !== until
    return { ...day, ...span, times, usd: pnl, gaps: unseen, pnl: isSeen ? (pnl.at(-1) ?? 0) : null }
  }

  /** The positions of these wallets, the times when one of them could not be read, and when their record begins. */
  async function sizesIn(wallets: readonly Wallet[], since: number, breathe: () => Promise<void>) {
    const positions: { market: string; sizes: SizeStep[]; spans: Span[] }[] = []
    const unread: Span[] = []
    let first = Infinity
    const now = clock.now()
    const { venues } = drawers.wallets.views
    for (const id of wallets.flatMap((wallet) => venues.map((venue) => recordId(wallet, venue)))) {
      const rows = await archive.rows(id, since, breathe)
      first = Math.min(first, rows[0]?.at ?? Infinity)
      unread.push(...unreadIn(rows, now))
      for (const held of (await slowly(suppressedIn(rows), breathe)).values()) {
        const sizes = sizesOf(held)
        const market = held.find(({ known }) => known !== null)?.known?.marketId
        if (market !== undefined) positions.push({ market, sizes, spans: openSpans(sizes, now) })
      }
    }
    return { positions, unread: oneByOne(unread), first }
  }

  async function pricesOf(market: string, { since, until }: Span, breathe: () => Promise<void>) {
    const recorded = await archive.course(market, { since, until }, breathe)
    const newest = drawers.markets.readings.get(market)
    if (!newest) return recorded
    const { value, at } = newest
    const longer = withNewest(recorded, { at, price: toNumber(value.price) }, { until, staleMs })
    return { ...longer, rates: recorded.rates }
  }

  return {
    read(span) {
      const key = JSON.stringify(span)
      const before = kept.get(key)
      if (before) return before
      const asked = clock.monotonic()
      const isLate = () => clock.monotonic() - asked > LONGEST_WAIT_MS
      const day = next('day', async () => (isLate() || signal.aborted ? null : read(span)))
      remember(kept, key, day, MOST_KEPT)
      // A read that failed is tried anew.
      day.catch(() => kept.delete(key))
      return day
    },
  }
}

function largestOf(sizes: readonly SizeStep[]): number {
  return Math.max(0, ...sizes.map(({ size }) => Math.abs(size)))
}
