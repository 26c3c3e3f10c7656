import * as fc from 'fast-check'

import { NUMBER_STYLES } from '../../src/lib/text/format.ts'
import {
  type DayPicture,
  type DrawingOrder,
  type MarketPicture,
  type PositionPicture,
  type PublicPicture,
  THEMES,
} from '../../src/message/picture.ts'
import { LANGUAGES } from '../../src/words/words.ts'

const MINUTE_MS = 60_000
const UNTIL = Date.UTC(2025, 10, 25, 19, 35)
const SINCE = UNTIL - 12 * MINUTE_MS

type Course = DrawingOrder['course']
type Position = PositionPicture
/** An order of a card. */
export type CardOrder = DrawingOrder<PositionPicture | MarketPicture | PublicPicture | DayPicture>

const TIERS = [
  { at: 0.1, severity: 'warning' },
  { at: 0.05, severity: 'critical' },
  { at: 0.025, severity: 'critical' },
] as const

/** A long in BTC that nears its liquidation, with these differences. */
export function orderOf(
  differences: Partial<Position> = {},
  others: Partial<Omit<DrawingOrder, 'picture'>> = {},
): DrawingOrder<Position> {
  const { price, liquidation } = { price: 94_673, liquidation: 92_002, ...differences }
  const picture: Position = {
    is: 'position',
    ...{ market: 'BTC', symbol: 'BTC', wallet: 'main', side: 'long', size: 1.5, words: 'a picture' },
    ...{ since: SINCE, until: UNTIL, price, priceName: 'mark', value: 142_009.5, liquidation },
    distance: price === null || liquidation === null ? null : (price - liquidation) / price,
    ...{ entry: 97_670, pnl: -4_496, fundingPerDay: 72.03, tiers: TIERS, marks: [] },
    ...differences,
  }
  return {
    picture,
    course: courseOf([97_000, 96_000, 96_200, 94_900]),
    reader: { zone: 'Europe/Berlin', language: 'en', numbers: '1,234.5', theme: 'dark' },
    simulated: true,
    format: 'card',
    ...others,
  }
}

function courseOf(prices: readonly number[], gaps: Course['gaps'] = []): Course {
  const step = (12 * MINUTE_MS) / Math.max(prices.length, 1)
  return { times: prices.map((_, index) => SINCE + index * step), prices, gaps }
}

const part = fc.double({ min: 0, max: 1, noNaN: true })
const timeAt = (at: number) => SINCE + Math.round(at * 12 * MINUTE_MS)
const severity = fc.constantFrom('info' as const, 'warning' as const, 'critical' as const)

/** Names that people and venues give, also those that the font lacks, and rude ones. */
export const name = fc.oneof(
  fc.constantFrom('BTC', 'main', 'kPEPE', 'xyz:TSLA', '1000000MOG', 'W'.repeat(24), 'שלום', 'محفظة'),
  fc.constantFrom('🚀 moon', '</text><script>', 'a‮b', '鯨', '', '  ', 'ﷺ', 'Gr\u00fc\u00dfe'),
  fc.string({ unit: 'grapheme', maxLength: 24 }),
  fc.string({ unit: 'binary', maxLength: 24 }),
)

const price = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -9, max: 5 }))
  .map(([figures, power]) => figures * 10 ** power)
export const money = fc.oneof(
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.double({ min: -1_000, max: 1_000, noNaN: true }),
  fc.constantFrom(0, -0.001, 9_999.5, -999_949_000),
)

/** Mostly calm, with jumps by half. */
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.double({ min: -0.004, max: 0.004, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: -0.5, max: 1, noNaN: true }) },
  ),
  { maxLength: 40 },
)
/** Past liquidation, at it, near and far; null: there is none. */
const away = fc.oneof(
  fc.double({ min: -0.6, max: 0.99, noNaN: true }),
  fc.double({ min: -0.01, max: 0.12, noNaN: true }),
  fc.constantFrom(0, 0.35, 1e-9, 3, 42, 400, null),
)
const course = fc.record({
  steps,
  gaps: fc.array(fc.tuple(part, part), { maxLength: 3 }),
})
export const reader = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Los_Angeles'),
  language: fc.constantFrom(...LANGUAGES),
  numbers: fc.constantFrom(...NUMBER_STYLES),
  theme: fc.constantFrom(...THEMES),
})
const marked = fc.record({ part, severity })
const tier = fc.record({ at: fc.constantFrom(0.001, 0.01, 0.025, 0.05, 0.1, 0.125, 0.2, 0.5), severity })

const position = fc.record({
  is: fc.constant('position' as const),
  side: fc.constantFrom('long' as const, 'short' as const),
  wallet: name,
  size: fc.oneof(price, fc.constantFrom(1e-12, 123_456_789, null)),
  value: fc.option(money.map(Math.abs)),
  away,
  entry: fc.option(price),
  pnl: fc.option(money),
  fundingPerDay: fc.option(money),
  tiers: fc.uniqueArray(tier, { maxLength: 8, selector: ({ at }) => at }),
  marks: fc.array(marked, { maxLength: 30 }),
})
const shown = fc.record({
  is: fc.constant('public' as const),
  side: fc.constantFrom('long' as const, 'short' as const),
  entry: fc.option(price),
  leverage: fc.option(fc.oneof(fc.integer({ min: 1, max: 250 }), fc.constantFrom(0.5, 12.5))),
  result: fc.option(
    fc.oneof(
      fc.integer({ min: -3_000, max: 60_000 }).map((part) => part / 1_000),
      fc.constantFrom(0, -1, 1e9),
    ),
  ),
  openMs: fc.option(fc.integer({ min: 0, max: 900 * 24 * 60 * MINUTE_MS })),
})
const market = fc.record({
  is: fc.constant('market' as const),
  // Venues give rates to nine decimals or fewer.
  ratePerDay: fc.option(
    fc.double({ min: -0.5, max: 0.5, noNaN: true }).map((rate) => Math.round(rate * 1e9) / 1e9),
  ),
})

const day = fc.record({
  is: fc.constant('day' as const),
  digestOf: fc.constant(1),
  pnl: money,
  worth: fc.oneof(price, money.map(Math.abs)),
  funding: money,
  fired: fc.record({ critical: fc.nat(120), warning: fc.nat(1_200), info: fc.nat(9) }),
  nearest: fc.option(
    fc.record({
      symbol: name,
      side: fc.constantFrom('long' as const, 'short' as const),
      distance: away.map((far) => far ?? 0.5),
      tiers: fc.uniqueArray(tier, { maxLength: 8, selector: ({ at }) => at }),
    }),
  ),
  marks: fc.array(marked, { maxLength: 12 }),
  isWhole: fc.boolean(),
})

/** Orders of cards, of positions that exist and of those that should not. */
export const orders: fc.Arbitrary<CardOrder> = fc
  .record({
    ...{ name, price, course, reader },
    is: fc.oneof(
      { weight: 4, arbitrary: position },
      { weight: 1, arbitrary: market },
      { weight: 2, arbitrary: day },
      { weight: 1, arbitrary: shown },
    ),
    isSeen: fc.boolean(),
    priceName: fc.constantFrom('index' as const, 'mark' as const),
    isLong: fc.boolean(),
    old: fc.option(
      fc.record({
        what: fc.constantFrom('price' as const, 'position' as const),
        ms: fc.integer({ min: 10_000, max: 400 * 24 * 60 * MINUTE_MS }),
      }),
    ),
    simulated: fc.boolean(),
    format: fc.constantFrom('card' as const, 'strip' as const),
  })
  .map(({ name: symbol, price: start, is, isSeen, ...given }) => {
    let last = start
    const prices = given.course.steps.map((step) => (last *= 1 + step))
    const frame = {
      ...{ market: 'm', symbol, words: '', until: UNTIL },
      since: given.isLong ? UNTIL - 7 * 24 * 60 * MINUTE_MS : SINCE,
      price: isSeen ? last : null,
      priceName: isSeen ? given.priceName : null,
      ...(given.old && { old: given.old }),
    }
    const gaps = given.course.gaps.map((both) => {
      const [since = 0, until = 0] = both.toSorted((a, b) => a - b).map(timeAt)
      return { since, until }
    })
    if (is.is === 'day') {
      const { marks, ...rest } = is
      const usd = prices.map((one) => (one - start) * (is.worth / start))
      const { since, until } = frame
      const picture = {
        ...{ ...rest, since, until, words: '', marks: marks.map(markOf), pnl: isSeen ? is.pnl : null },
      }
      return { ...given, picture, course: courseOf(usd, gaps) }
    }
    return {
      picture: is.is === 'position' ? { ...frame, ...positionOf(is, last, isSeen) } : { ...frame, ...is },
      course: courseOf(prices, gaps),
      reader: given.reader,
      simulated: given.simulated,
      format: given.format,
    }
  })

type Marked = typeof marked extends fc.Arbitrary<infer Value> ? Value : never
const markOf = (mark: Marked) => ({ at: timeAt(mark.part), severity: mark.severity })

function positionOf(
  { away, marks, tiers, ...rest }: typeof position extends fc.Arbitrary<infer Value> ? Value : never,
  price: number,
  isSeen: boolean,
) {
  // No price falls below zero.
  const far = away === null || rest.side === 'short' ? away : Math.min(away, 0.99)
  return {
    ...rest,
    liquidation: far === null ? null : price * (rest.side === 'long' ? 1 - far : 1 + far),
    distance: isSeen ? far : null,
    tiers: tiers.toSorted((a, b) => b.at - a.at),
    marks: marks.map(markOf),
  }
}
