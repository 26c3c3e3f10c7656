import { z } from 'zod'

import type { Occurrence, Bounds } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { MarketSubject, PriceRange } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { durationText } from '../../lib/text/duration.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { age, percent, price as priceFigure, threshold } from '../../message/figure.ts'
import { type Item, item, words } from '../../message/message.ts'
import { marketLines } from '../shared/lines.ts'

const MINUTE_MS = 60_000
const LONGEST_MS = 24 * 60 * MINUTE_MS
/** A move of 5% can alert again once less than 3.75% of it was left. */
const REARM_SHARE = 0.75
/** If more of the time has no readings, the price does not count as calm. */
const MAX_UNSEEN_SHARE = 0.1

const WAYS = ['up', 'down'] as const
type Way = (typeof WAYS)[number]
const WAY_WORDS: ReadonlyMap<string, Way> = new Map([
  ...['rise', 'rises', 'climbs', 'jumps', 'pumps'].map((word) => [word, 'up'] as const),
  ...['fall', 'falls', 'drop', 'drops', 'crashes', 'dumps'].map((word) => [word, 'down'] as const),
])

/**
 * For each direction: calm, one reading beyond the threshold, or alerted (at which price). One reading alone
 * may be an error of the venue. `seenSince`: it is the first reading since an earlier run ended then. States from before
 * the price was stored lack it.
 */
type Leg = 'calm' | 'seen' | { seenSince: number } | 'told' | { told: number; farther?: true }
type State = Record<Way, Leg>

/** Alerts when the price of a market moves far within a time, by the readings of this run and of those before it. */
export default eventKind({
  name: 'price-move',
  aliases: ['move', 'moves'],
  cues: [...WAYS, ...WAY_WORDS.keys()],
  summary: words('kind.move.summary'),
  example: 'price-move ETH 5% 1h',
  on: 'market',
  needs: ['market'],
  params: z.object({
    way: argument.choice(['up', 'down', 'either'], words('arg.move.way'), WAY_WORDS).default('either'),
    /** Fraction of the price at which the move began. */
    share: argument
      .percent(undefined, words('arg.move.share'))
      .refine((share) => share >= 0.001 && share <= 10, 'check.move'),
    within: argument
      .duration(words('arg.move.within'))
      .refine((ms) => ms >= MINUTE_MS && ms <= LONGEST_MS, 'check.move.within'),
  }),
  identity: 'each',
  when: ({ way, share, within }, symbol) =>
    words('kind.move.when', {
      ...{ market: symbol ?? words('kind.price.any-market'), way },
      ...{ share: threshold(share), span: durationText(within) },
    }),
  describe: ({ way, share, within }) =>
    words('kind.move.line', { way, share: threshold(share), span: durationText(within) }),
  typed: ({ way, share, within }) =>
    `${way === 'either' ? '' : `${way} `}${percentTyped(share)} ${durationText(within)}`,
  lookBackMs: ({ within }) => within,
  figure: (share) => words('kind.move.figure', { share: percent(share) }),
  severity: 'warning',
  detect({ way, share, within }, state: State | undefined, subject) {
    const before: State = state ?? { up: 'calm', down: 'calm' }
    const range = subject.samples.range(within)
    if (range === null) return { state: before, occurrences: [] }
    const after = { ...before }
    const occurrences: Occurrence<Move>[] = []
    for (const one of WAYS) {
      if (way !== 'either' && way !== one) continue
      const known = before[one]
      const leg = next(known, one, { share, within }, subject, range)
      after[one] = leg.now
      const awaySince =
        typeof known === 'object' && 'seenSince' in known ? known.seenSince : subject.awaySince
      if (leg.isNews) occurrences.push(occurrence(one, subject, range, awaySince))
    }
    const isCalm = Object.values(after).every((leg) => leg === 'calm')
    return {
      state: after,
      occurrences,
      ...(isCalm ? { stableWithin: ahead(way, share, subject.price, range) } : {}),
    }
  },
  tell: ({ share, within }, { detail }, subject) => tell(share, within, detail, subject),
})

/** The price at which the move reaches this share. */
function line(way: Way, share: number, { low, high }: PriceRange): number {
  return way === 'up' ? low.price * (1 + share) : high.price * (1 - share)
}

function next(
  leg: Leg,
  way: Way,
  { share, within }: { share: number; within: number },
  { price, awaySince }: MarketSubject,
  range: PriceRange,
): { now: Leg; isNews: boolean } {
  const isBeyond = (bound: number) => (way === 'up' ? price >= bound : price <= bound)
  const passed = (part: number) => isBeyond(line(way, part, range))
  const stays = (now: Leg) => ({ now, isNews: false })
  const news = { now: { told: price }, isNews: true }
  if (leg === 'calm') {
    const seen = awaySince === null ? 'seen' : { seenSince: awaySince }
    return stays(passed(share) ? seen : 'calm')
  }
  if (leg === 'seen' || (leg !== 'told' && 'seenSince' in leg)) return passed(share) ? news : stays('calm')
  const told = leg === 'told' ? leg : { told: leg.told }
  if (passed(share)) {
    // Another move of the same size is as much news.
    const isFarther = leg !== 'told' && isBeyond(leg.told * (way === 'up' ? 1 + share : 1 - share))
    if (!isFarther) return stays(told)
    return leg.farther ? news : stays({ ...leg, farther: true })
  }
  const isKnown = range.darkMs <= within * MAX_UNSEEN_SHARE
  return stays(isKnown && !passed(share * REARM_SHARE) ? 'calm' : told)
}

/** Calm lasts between the prices of the window. As readings leave the window, the move can only shrink. */
function ahead(way: 'either' | Way, share: number, price: number, range: PriceRange): Bounds {
  const up = way === 'down' ? Infinity : line('up', share, range)
  const down = way === 'up' ? -Infinity : line('down', share, range)
  return {
    of: 'price',
    below: Math.min(Math.max(down, range.low.price), price),
    above: Math.max(Math.min(up, range.high.price), price),
  }
}

interface Move {
  way: Way
  from: number
  fromAt: number
  share: number
  darkMs: number
  /** It was first seen after the bot was away since then. */
  awaySince: number | null
}

function occurrence(
  way: Way,
  { price }: MarketSubject,
  { low, high, darkMs }: PriceRange,
  awaySince: number | null,
): Occurrence<Move> {
  const from = way === 'up' ? low : high
  const share = (price - from.price) / from.price
  const detail = { way, from: from.price, fromAt: from.at, share, darkMs, awaySince }
  return { what: way, value: share, position: null, detail }
}

function tell(share: number, within: number, move: Move, subject: MarketSubject): Item {
  const { market, price, now } = subject
  const { way } = move
  const moved = {
    ...{ market: market.symbol, share: percent(Math.abs(move.share)) },
    ...{ took: age(now - move.fromAt), price: priceFigure(price) },
  }
  const dark = move.awaySince === null && move.darkMs > within * MAX_UNSEEN_SHARE
  return item('warning', way === 'up' ? words('kind.move.up', moved) : words('kind.move.down', moved), [
    words('kind.move.from', {
      ...{ way, price: priceFigure(move.from), at: { time: move.fromAt, as: 'clock' } as const },
      ...{ share: threshold(share), span: durationText(within) },
    }),
    ...(dark ? [words('kind.move.seen', { seen: age(within - move.darkMs) })] : []),
    // The reading before may have shown it first.
    ...marketLines({ ...subject, awaySince: move.awaySince }, 'price'),
  ])
}
