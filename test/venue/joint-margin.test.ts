import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { commonEnd, endsAfter, type Leg, standOf, type Told } from '../../src/venue/joint-margin.ts'

const long = (size: number, price: number, liquidation: number | null): Leg => ({
  size,
  price,
  liquidation,
  share: null,
})

/** An account as a venue knows it: each market asks for a share of what is held there. */
interface Truth {
  equity: number
  held: { size: number; price: number; share: number }[]
}

const spareOf = ({ equity, held }: Truth) =>
  equity - held.reduce((sum, { size, price, share }) => sum + Math.abs(size) * price * share, 0)

/** What the venue shows of it. */
function shown(truth: Truth): Leg[] {
  const spare = spareOf(truth)
  return truth.held.map(({ size, price, share }) => {
    const line = price - spare / (size - Math.abs(size) * share)
    return { size, price, liquidation: line > 0 ? line : null, share: null }
  })
}

function told(truth: Truth): Told {
  const maintenance = truth.equity - spareOf(truth)
  return { spare: spareOf(truth), maintenance }
}

/** When it really ends. */
function truly(truth: Truth, moves: readonly number[]): number {
  const lost = truth.held.reduce(
    (sum, { size, price, share }, at) => sum - (size - Math.abs(size) * share) * price * (moves[at] ?? 0),
    0,
  )
  return lost <= 0 ? Infinity : spareOf(truth) / lost
}

const share = fc.double({ min: 0.002, max: 0.1, noNaN: true })
const holding = fc.record({
  size: fc.double({ min: 0.01, max: 100, noNaN: true }).chain((size) => fc.constantFrom(size, -size)),
  price: fc.double({ min: 0.5, max: 100_000, noNaN: true }),
  share,
})
/** Solvent, with something to spare between a thousandth and ten times of what is held. */
const truth = fc
  .record({
    held: fc.array(holding, { minLength: 1, maxLength: 6 }),
    spare: fc.double({ min: 0.001, max: 10, noNaN: true }),
  })
  .map(({ held, spare }): Truth => {
    const notional = held.reduce((sum, { size, price }) => sum + Math.abs(size) * price, 0)
    const asked = held.reduce((sum, one) => sum + Math.abs(one.size) * one.price * one.share, 0)
    return { held, equity: asked + spare * notional }
  })
const moves = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 6, maxLength: 6 })

const near = (value: number | null, wanted: number, within: number) => {
  if (wanted === Infinity || value === null) expect(value).toBe(wanted)
  else expect(Math.abs(value / wanted - 1)).toBeLessThan(within)
}
/** Where the sum of gains and losses is all but nothing, a double says anything. */
const isClear = (all: Truth, by: readonly number[]) => {
  const after = truly(all, by)
  return after < 1e3 || after === Infinity
}

describe('an account ends', () => {
  test('at the liquidation price, when that market alone moves', () => {
    const stand = standOf([long(2, 100, 80), long(-1, 50, 90)], null)
    expect(endsAfter(stand, [-0.2, 0])).toBeCloseTo(1, 12)
    expect(endsAfter(stand, [-0.1, 0])).toBeCloseTo(2, 12)
    expect(endsAfter(stand, [0, 0.8])).toBeCloseTo(1, 12)
    expect(endsAfter(stand, [0.2, 0])).toBe(Infinity)
    expect(endsAfter(stand, [0, 0])).toBe(Infinity)
  })

  test('where its markets say what they ask for, also with positions that no price alone ends', () => {
    fc.assert(
      fc.property(truth, moves, (all, by) => {
        const legs = shown(all).map((leg, at) => ({ ...leg, share: all.held[at]?.share ?? 0 }))
        const stand = standOf(legs, null)
        expect(stand.takenShare).toBeNull()
        if (legs.some(({ liquidation }) => liquidation !== null) && isClear(all, by))
          near(endsAfter(stand, by), truly(all, by), 1e-6)
      }),
    )
  })

  test('and says what it takes them to ask for where nothing says it', () => {
    const lines = [long(2, 100, 80), long(1, 50, null)]
    expect(standOf(lines, null).takenShare).toBe(0.01)
    expect(standOf([long(2, 100, 80)], null).takenShare).toBeNull()
    expect(standOf(lines, { spare: 40, maintenance: 5 }).takenShare).toBeNull()
  })

  test('half-way to two liquidation prices at once; what one gains is there for the other', () => {
    const stand = standOf([long(2, 100, 80), long(-1, 50, 90)], null)
    expect(endsAfter(stand, [-0.1, 0.4])).toBeCloseTo(1, 12)
    // The short gains half of what the long loses.
    expect(endsAfter(stand, [-0.2, -0.4])).toBeCloseTo(2, 12)
  })

  test('where every market has a line, exactly where it does, whatever the markets ask for', () => {
    fc.assert(
      fc.property(truth, moves, (all, by) => {
        const legs = shown(all)
        fc.pre(legs.every(({ liquidation }) => liquidation !== null) && isClear(all, by))
        near(endsAfter(standOf(legs, null), by), truly(all, by), 1e-6)
      }),
    )
  })

  test('with the venue’s own figures also where one market has none', () => {
    let without = 0
    fc.assert(
      fc.property(truth, moves, (all, by) => {
        const legs = shown(all)
        const lineless = legs.filter(({ liquidation }) => liquidation === null)
        fc.pre(lineless.length <= 1 && isClear(all, by) && truly(all, by) < 100)
        without += lineless.length
        const stand = standOf(legs, told(all))
        if (stand.isTold) near(endsAfter(stand, by), truly(all, by), 1e-6)
      }),
    )
    expect(without).toBeGreaterThan(5)
  })

  test('sooner by as much as the moves are larger', () => {
    fc.assert(
      fc.property(truth, moves, fc.double({ min: 1, max: 3, noNaN: true }), (all, by, more) => {
        const stand = standOf(shown(all), null)
        const [once, further] = [by, by.map((one) => one * more)].map((one) => endsAfter(stand, one))
        if (once === null || once === undefined || once === Infinity) return
        near(further ?? null, once / more, 1e-9)
      }),
    )
  })

  test('in whatever order its positions come', () => {
    fc.assert(
      fc.property(truth, moves, (all, by) => {
        fc.pre(isClear(all, by))
        const legs = shown(all)
        const back = endsAfter(standOf(legs.toReversed(), null), by.slice(0, legs.length).toReversed())
        const forth = endsAfter(standOf(legs, null), by)
        if (forth === null || forth === Infinity) expect(back).toBe(forth)
        else near(back, forth, 1e-6)
      }),
    )
  })

  test('at once, where a price is past its line, or nothing is left', () => {
    expect(endsAfter(standOf([long(1, 79, 80), long(1, 50, 10)], null), [0.5, 0])).toBe(0)
    expect(endsAfter(standOf([long(-1, 80, 80)], null), [-0.5])).toBe(0)
    expect(endsAfter(standOf([long(1, 80, null)], { spare: 0, maintenance: 5 }), [-0.5])).toBe(0)
  })
})

describe('a position without a liquidation price', () => {
  test('ends nothing alone, wherever its price goes', () => {
    expect(endsAfter(standOf([long(1, 100, null)], null), [-0.99])).toBe(Infinity)
    expect(endsAfter(standOf([long(1, 100, null), long(1, 30, null)], null), [-0.99, 0])).toBe(Infinity)
  })

  test('ends nothing with others that lose less together than it is worth', () => {
    const stand = standOf([long(1, 100, null), long(1, 30, null)], null)
    expect(endsAfter(stand, [-0.5, -0.5])).toBe(Infinity)
    expect(endsAfter(stand, [-0.9, -0.9])).toBeNull()
    expect(endsAfter(stand, [0.9, -0.9])).toBe(Infinity)
  })

  test('counts by its size beside one that has a line', () => {
    // The account may lose what the other one loses on its way to 50: $500 less a hundredth.
    const stand = standOf([long(10, 100, 50), long(1, 400, null)], null)
    expect(endsAfter(stand, [-0.25, -0.625])).toBeCloseTo(1, 12)
    expect(stand.spareUsd).toBeCloseTo(495, 9)
  })

  test('is within twice what markets ask for, where the venue does not say', () => {
    const cautious = fc.double({ min: 0.005, max: 0.05, noNaN: true })
    let counted = 0
    fc.assert(
      fc.property(truth, moves, fc.array(cautious, { minLength: 6, maxLength: 6 }), (all, by, shares) => {
        const held = all.held.map((one, at) => ({ ...one, share: shares[at] ?? 0.01 }))
        const asked = held.reduce((sum, one) => sum + Math.abs(one.size) * one.price * one.share, 0)
        const one: Truth = { held, equity: asked + spareOf(all) }
        const legs = shown(one)
        const falls = held.every(({ size }, at) => size * (by[at] ?? 0) <= 0)
        fc.pre(falls && legs.some(({ liquidation }) => liquidation === null))
        const after = endsAfter(standOf(legs, null), by)
        if (after === null || after === Infinity || truly(one, by) === Infinity) return
        counted++
        near(after, truly(one, by), 0.11)
      }),
    )
    expect(counted).toBeGreaterThan(10)
  })
})

describe('the smallest move of all prices', () => {
  test('is down for who is long on the whole, up for who is short', () => {
    expect(commonEnd(standOf([long(1, 100, 80)], null), [1])).toEqual({ move: -0.2, isKnown: true })
    const short = commonEnd(standOf([long(-1, 100, 130)], null), [1])
    expect(short.move).toBeCloseTo(0.3, 12)
  })

  test('is none where no price can fall so far, and where one makes up for the other', () => {
    expect(commonEnd(standOf([long(1, 100, null)], null), [1])).toEqual({ move: null, isKnown: true })
    const hedged = standOf([long(1, 100, 80), long(-1, 100, 120)], null)
    expect(commonEnd(hedged, [1, 1])).toEqual({ move: null, isKnown: true })
  })

  test('leaves out what cannot move, and says what nothing tells', () => {
    const stand = standOf([long(1, 100, 80), long(1, 100, 80)], null)
    expect(commonEnd(stand, [1, 1]).move).toBeCloseTo(-0.1, 12)
    expect(commonEnd(stand, [1, 0]).move).toBeCloseTo(-0.2, 12)
    const dark = standOf([long(1, 100, null), long(1, 100, null)], null)
    expect(commonEnd(dark, [1, 1])).toEqual({ move: null, isKnown: false })
    // Up to twice the price it loses less than the long is worth, and beyond that nobody knows.
    const mixed = standOf([long(6, 10, null), long(-10, 10, null)], null)
    expect(commonEnd(mixed, [1, 1])).toEqual({ move: null, isKnown: false })
  })
})

describe('what does not fit together', () => {
  test('is one margin within what prices have moved since, and not beyond', () => {
    expect(standOf([long(1, 100, 80), long(1, 50, 33)], null).isOne).toBe(true)
    expect(standOf([long(1, 100, 80), long(1, 50, 45)], null).isOne).toBe(false)
  })

  test('the venue’s figures give way where its liquidation prices say otherwise', () => {
    const legs = [long(1, 100, 80)]
    expect(standOf(legs, { spare: 19.8, maintenance: 1 })).toMatchObject({ isTold: true, spareUsd: 19.8 })
    const other = standOf(legs, { spare: 200, maintenance: 1 })
    expect(other.isTold).toBe(false)
    expect(other.spareUsd).toBeCloseTo(19.8, 9)
  })
})
