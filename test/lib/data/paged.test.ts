import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { bigints, doubles, ints } from '../../../src/lib/data/paged.ts'

const places = fc.oneof(fc.nat(20), fc.constantFrom(4_095, 4_096, 8_191, 100_000))

test('a column has what was set last, and zero where nothing was', () => {
  for (const [column, values] of [
    [ints(), fc.integer()],
    [doubles(), fc.double({ noNaN: true })],
  ] as const) {
    const known = new Map<number, number>()
    fc.assert(
      fc.property(places, values, places, (place, value, other) => {
        column.set(place, value)
        known.set(place, value)
        expect([column.get(place), column.get(other)]).toEqual([value, known.get(other) ?? 0])
      }),
    )
  }
})

test('an integer is exact, however large, of either sign, also where a larger one was', () => {
  const column = bigints()
  const known = new Map<number, bigint>()
  const edges = [63n, 64n, 127n, 128n].flatMap((bits) => [-1n, 0n, 1n].map((by) => 2n ** bits + by))
  const sizes = fc.oneof(
    fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }),
    fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }),
    fc.constantFrom(...edges, ...edges.map((one) => -one)),
  )
  fc.assert(
    fc.property(places, sizes, places, (place, value, other) => {
      column.set(place, value)
      known.set(place, value)
      expect([column.get(place), column.get(other)]).toEqual([value, known.get(other) ?? 0n])
    }),
    { numRuns: 1_000 },
  )
})

test('where there is no place, nothing is', () => {
  expect([ints().get(-1), doubles().get(-1), bigints().get(-1)]).toEqual([0, 0, 0n])
})
