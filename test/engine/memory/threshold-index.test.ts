import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { AlertState } from '../../../src/alert/alert-state.ts'
import type { Bounds } from '../../../src/alert/alert.ts'
import type { Subject } from '../../../src/alert/subject.ts'
import { step, tierOf } from '../../../src/engine/evaluate/step.ts'
import { createThresholdIndex } from '../../../src/engine/memory/monitors.ts'
import { atOnce, eventNamed, levelNamed } from '../../support/engine.ts'
import { aPosition, rateOf, seenAt } from '../../support/fixtures.ts'

const QUIET = { price: 100, fundingRate: 0 }

describe('a slot is judged again', () => {
  test.each([
    [
      'when the price falls to its lower bound',
      { of: 'price', below: 99, above: 101 },
      { ...QUIET, price: 99 },
      true,
    ],
    [
      'when the price jumps past its lower bound',
      { of: 'price', below: 99, above: 101 },
      { ...QUIET, price: 1 },
      true,
    ],
    [
      'when the price rises to its upper bound',
      { of: 'price', below: 99, above: 101 },
      { ...QUIET, price: 101 },
      true,
    ],
    [
      'not while the price stays between',
      { of: 'price', below: 99, above: 101 },
      { ...QUIET, price: 99.0001 },
      false,
    ],
    ['not because of a side without a bound', { of: 'price', below: 99 }, { ...QUIET, price: 1e9 }, false],
    ['not because of another measure', { of: 'fundingRate', below: -1 }, { ...QUIET, price: -5 }, false],
    [
      'when the rate falls to a bound of zero',
      { of: 'fundingRate', below: -0 },
      { ...QUIET, fundingRate: 0 },
      true,
    ],
    ['never, when it has a measure and no bound', { of: 'price' }, { ...QUIET, price: 0 }, false],
    [
      'once, when both of its bounds are where the price is',
      { of: 'price', below: 100, above: 100 },
      { ...QUIET, price: 100 },
      true,
    ],
    ['always, when it cannot say', undefined, QUIET, true],
  ] as [string, Bounds | undefined, typeof QUIET, boolean][])('%s', (_what, until, figures, judged) => {
    const thresholdIndex = createThresholdIndex()
    thresholdIndex.arm(7, 'ETH', until)
    expect(thresholdIndex.crossed('ETH', figures)).toEqual(judged ? [7] : [])
    expect(thresholdIndex.crossed('BTC', figures)).toEqual([])
    expect([thresholdIndex.armed(7), thresholdIndex.watches('ETH'), thresholdIndex.watches('BTC')]).toEqual([
      true,
      true,
      false,
    ])
  })
})

const marketIds = fc.constantFrom('ETH', 'BTC')
const slots = fc.nat(4)
const figure = fc.integer({ min: -4, max: 4 })
const untils: fc.Arbitrary<Bounds | undefined> = fc.option(
  fc.record(
    { of: fc.constantFrom('price' as const, 'fundingRate' as const), below: figure, above: figure },
    { requiredKeys: ['of'] },
  ),
  { nil: undefined },
)
const acts = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ arm: slots, marketId: marketIds, until: untils }) },
    { weight: 1, arbitrary: fc.record({ disarm: slots }) },
    { weight: 3, arbitrary: fc.record({ marketId: marketIds, price: figure, fundingRate: figure }) },
  ),
  { maxLength: 60 },
)

test('the index agrees with a list that is searched from end to end', () => {
  fc.assert(
    fc.property(acts, (sequence) => {
      const thresholdIndex = createThresholdIndex()
      const list = new Map<number, { marketId: string; until: Bounds | undefined }>()
      for (const act of sequence) {
        if ('arm' in act) {
          thresholdIndex.arm(act.arm, act.marketId, act.until)
          list.set(act.arm, act)
        } else if ('disarm' in act) {
          thresholdIndex.disarm(act.disarm)
          list.delete(act.disarm)
        } else {
          const here = [...list].filter(([, { marketId }]) => marketId === act.marketId)
          const crossed = here.filter(([, { until }]) => {
            if (!until) return true
            const { below = -Infinity, above = Infinity } = until
            return act[until.of] <= below || act[until.of] >= above
          })
          expect(new Set(thresholdIndex.crossed(act.marketId, act))).toEqual(
            new Set(crossed.map(([slot]) => slot)),
          )
          const figuresOf = (marketId: string) => (marketId === act.marketId ? act : undefined)
          const asked = [0, 1, 2, 3, 4].filter((slot) => thresholdIndex.isCrossed(slot, figuresOf))
          expect(new Set(asked)).toEqual(new Set(crossed.map(([slot]) => slot)))
          // Those with bounds: how far each lies behind on one of its sides, the furthest first.
          const behind = (side: 'below' | 'above', measure: Bounds['of']) =>
            crossed
              .flatMap(([, { until }]) => {
                const bound = until?.of === measure ? until[side] : undefined
                const by =
                  bound === undefined ? -1 : side === 'below' ? bound - act[measure] : act[measure] - bound
                return by >= 0 ? [by] : []
              })
              .toSorted((a, b) => b - a)
          const sides = (['price', 'fundingRate'] as const).flatMap((measure) =>
            (['below', 'above'] as const).map((side) => behind(side, measure)),
          )
          const furthest = thresholdIndex.furthest(act.marketId, act, 1)
          expect(furthest.length).toBeLessThanOrEqual(sides.filter((side) => side.length > 0).length)
          expect(furthest.length > 0).toBe(sides.some((side) => side.length > 0))
          expect(furthest.every((slot) => asked.includes(slot))).toBe(true)
          expect(thresholdIndex.watches(act.marketId)).toBe(here.length > 0)
        }
        for (let slot = 0; slot < 5; slot++) expect(thresholdIndex.armed(slot)).toBe(list.has(slot))
      }
    }),
    { numRuns: 500 },
  )
})

/** One move of a figure: by a factor, or exactly onto an armed bound or one of its two neighbours. */
const moves = fc.array(
  fc.oneof(
    fc.record({ by: fc.double({ min: -0.12, max: 0.12, noNaN: true }) }),
    fc.record({ bound: fc.nat(30), ulps: fc.integer({ min: -1, max: 1 }) }),
  ),
  { minLength: 1, maxLength: 60 },
)
type Move = { by: number } | { bound: number; ulps: number }

/** The double that many steps away: the bits of a positive double count up with it. */
function beside(value: number, ulps: number): number {
  const bits = new BigInt64Array(1)
  const double = new Float64Array(bits.buffer)
  double[0] = Math.abs(value)
  bits[0] = (bits[0] ?? 0n) + BigInt(value === 0 ? Math.abs(ulps) : ulps)
  return value < 0 ? -(double[0] ?? 0) : (double[0] ?? 0)
}

function next(now: number, move: Move, bounds: number[], from: (now: number, by: number) => number): number {
  if ('by' in move) return from(now, move.by)
  const bound = bounds[move.bound % Math.max(bounds.length, 1)]
  return bound === undefined ? now : beside(bound, move.ulps)
}

/** Judges every key at each tick, and beside it only the keys that the index says; both must tell the same. */
function agree<S>(
  states: { all: S[]; some: S[] },
  judge: (state: S, place: number, figure: number) => { state: S; told: string[]; until: Bounds | undefined },
  measure: Bounds['of'],
  walk: { start: number; moves: Move[]; from(now: number, by: number): number },
): void {
  const thresholdIndex = createThresholdIndex()
  const bounds = new Map<number, number[]>()
  const run = (states: S[], places: number[], figure: number, arms: boolean) =>
    places.flatMap((place) => {
      const { state, told, until } = judge(states[place] as S, place, figure)
      states[place] = state
      if (arms) thresholdIndex.arm(place, 'ETH', until)
      if (arms)
        bounds.set(
          place,
          [until?.below, until?.above].filter((bound) => bound !== undefined),
        )
      return told.map((one) => `${place} ${one}`)
    })
  const everywhere = [...states.all.keys()]
  let figure = walk.start
  expect(run(states.some, everywhere, figure, true)).toEqual(run(states.all, everywhere, figure, false))
  for (const move of walk.moves) {
    figure = next(figure, move, [...bounds.values()].flat(), walk.from)
    const crossed = thresholdIndex.crossed('ETH', { ...QUIET, [measure]: figure })
    const told = run(
      states.some,
      crossed.toSorted((a, b) => a - b),
      figure,
      true,
    )
    expect(told).toEqual(run(states.all, everywhere, figure, false))
  }
  expect(states.some).toEqual(states.all)
}

describe('index and judgement agree to the last bit', () => {
  test('for liquidation distances, long and short', () => {
    const kind = levelNamed('liquidation-distance')
    const held = fc.record({
      long: fc.boolean(),
      liquidation: fc.option(fc.bigInt({ min: 1n, max: 300n * 10n ** 18n }), { nil: null }),
      tiers: fc.uniqueArray(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 8 }),
    })
    fc.assert(
      fc.property(fc.array(held, { minLength: 1, maxLength: 6 }), moves, (positions, walked) => {
        const params = positions.map(({ tiers }) =>
          kind.params.parse({ tiers: tiers.map((tier) => tier / 1000) }),
        )
        const all = positions.map(({ long, liquidation }) => {
          return aPosition({ size: long ? 2n : -2n, liquidationPrice: liquidation })
        })
        const subjects = all.map((position) => seenAt(1, position))
        const judge = (state: AlertState, place: number, price: number) => {
          const verdict = kind.judge(params[place], { ...subjects[place], price } as Subject)
          if (verdict === 'unknown') throw new Error('it can be seen')
          const { state: after, change } = step(
            state,
            verdict,
            atOnce(0, () => 41),
          )
          return {
            state: after,
            told: change ? [`${tierOf(state)}>${change.to}`] : [],
            until: verdict.stableWithinAt?.(tierOf(after)),
          }
        }
        const fresh = () => positions.map((): AlertState => ({ is: 'ok' }))
        const from = (price: number, by: number) => price * (1 + by)
        agree({ all: fresh(), some: fresh() }, judge, 'price', { start: 100, moves: walked, from })
      }),
      { numRuns: 400 },
    )
  })

  test('for funding flips, with and without a dead band', () => {
    const kind = eventNamed('funding-flip')
    const bands = fc.array(
      fc.oneof(fc.constantFrom(0, 0.00005), fc.double({ min: 0, max: 0.01, noNaN: true })),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(bands, moves, fc.constantFrom(0, -0, 1e-18, -1e-18, 0.0005), (params, walked, start) => {
        const subject = rateOf('0', [aPosition()])
        const judge = (memo: unknown, place: number, fundingRate: number) => {
          const detected = kind.detect({ band: params[place] }, memo, { ...subject, fundingRate })
          return {
            state: detected.state,
            told: detected.occurrences.map(({ what }) => what),
            until: detected.stableWithin,
          }
        }
        const fresh = () => params.map((): unknown => undefined)
        const from = (rate: number, by: number) => rate + by / 100
        agree({ all: fresh(), some: fresh() }, judge, 'fundingRate', { start, moves: walked, from })
      }),
      { numRuns: 400 },
    )
  })
})
