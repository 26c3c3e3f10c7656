import * as fc from 'fast-check'

import { PALETTES, type Style } from '../../src/picture/style.ts'
import type { Plot } from '../../src/picture/plot.ts'
import { figureText } from '../../src/lib/text/format.ts'
import { measure } from './drawn.ts'

const SINCE = 1_764_098_580_000
const MINUTE_MS = 60_000

export const price = (value: number) => figureText(value, 'price', '1,234.5')
export const tier = (at: number) => figureText(at, 'threshold', '1,234.5')
const clock = (at: number) => new Date(at).toISOString().slice(11, 16)

/** A chart of twelve minutes with these differences. */
export function plotOf(differences: Partial<Plot> = {}): Plot {
  const { liquidation, ...given } = { prices: [100, 99, 98], liquidation: 90, ...differences }
  const last = given.prices.at(-1) ?? null
  const until = SINCE + 12 * MINUTE_MS
  const step = (12 * MINUTE_MS) / Math.max(given.prices.length - 1, 1)
  const now = given.price === undefined ? last : given.price
  return {
    side: 'long',
    times: given.prices.map((_, index) => (given.prices.length === 1 ? until : SINCE + index * step)),
    gaps: [],
    since: SINCE,
    until,
    tiers: [],
    marks: [],
    price: last,
    liquidation,
    text: {
      price: price(now ?? 0),
      liquidation: price(liquidation ?? 0),
      since: clock(SINCE),
      until: clock(until),
      notSeen: 'not seen',
    },
    ...given,
  }
}

export function styleOf(differences: Partial<Style> = {}): Style {
  const sizes = { label: 12, tag: 16 }
  return {
    width: 320,
    height: 220,
    inset: 0,
    palette: PALETTES.dark,
    sizes,
    font: 'Inter',
    measure,
    ...differences,
  }
}

/** At a part of the time of `plotOf`: 0 to 1. */
export const timeAt = (part: number) => SINCE + Math.round(part * 12 * MINUTE_MS)

/** Prices as venues have them, from $0.00000000001 to $10,000,000. */
const start = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -11, max: 6 }))
  .map(([figures, power]) => figures * 10 ** power)

/** Mostly calm, with jumps by half now and then. */
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.double({ min: -0.004, max: 0.004, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: -0.5, max: 1, noNaN: true }) },
  ),
  { maxLength: 60 },
)

/** From liquidation, as a fraction of the price: also past it, at it, very near and very far. */
const away = fc.oneof(
  fc.double({ min: -0.6, max: 0.99, noNaN: true }),
  fc.double({ min: -0.01, max: 0.06, noNaN: true }),
  fc.constantFrom(0, 0.35, 1e-9, null),
)

const severity = fc.constantFrom('info' as const, 'warning' as const, 'critical' as const)
const part = fc.double({ min: 0, max: 1, noNaN: true })
const span = fc.tuple(part, part).map((both) => both.toSorted((a, b) => a - b))

const tiers = fc.uniqueArray(
  fc.record({ at: fc.constantFrom(0.001, 0.01, 0.025, 0.03, 0.05, 0.1, 0.125, 0.2, 0.5, 0.9), severity }),
  { maxLength: 8, selector: ({ at }) => at },
)

/** Positions of every kind, written as Perch writes them. */
export const plots: fc.Arbitrary<Plot> = fc
  .record({
    side: fc.constantFrom('long' as const, 'short' as const),
    start,
    steps,
    away,
    tiers,
    isSeen: fc.boolean(),
    spans: fc.array(span, { maxLength: 4 }),
    marks: fc.array(fc.record({ part, severity }), { maxLength: 5 }),
  })
  .map(({ side, start, steps, away, tiers, isSeen, spans, marks }) => {
    let last = start
    const prices = steps.map((step) => (last *= 1 + step))
    const liquidation = away === null ? null : last * (side === 'long' ? 1 - away : 1 + away)
    return plotOf({
      side,
      prices,
      liquidation,
      price: isSeen ? last : null,
      tiers: tiers.map((one) => ({ ...one, text: tier(one.at) })),
      gaps: spans.map(([from = 0, to = 0]) => ({ since: timeAt(from), until: timeAt(to) })),
      marks: marks.map((mark) => ({
        at: timeAt(mark.part),
        severity: mark.severity,
        text: clock(timeAt(mark.part)),
      })),
    })
  })

/** From a phone of 320 pixels to a picture of 1,080, which has three times as large type. */
export const styles: fc.Arbitrary<Style> = fc
  .record({
    times: fc.constantFrom(1, 1.25, 3),
    width: fc.integer({ min: 256, max: 900 }),
    height: fc.integer({ min: 120, max: 400 }),
    inset: fc.constantFrom(0, 4, 10, 20),
    tag: fc.integer({ min: 12, max: 16 }),
    palette: fc.constantFrom(...Object.values(PALETTES)),
  })
  .map(({ times, width, height, inset, tag, palette }) =>
    styleOf({
      width: Math.round(width * times),
      height: Math.round(height * times),
      inset: inset * times,
      sizes: { label: 12 * times, tag: tag * times },
      palette,
    }),
  )
