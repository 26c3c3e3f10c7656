import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { pack, unpack } from '../../../src/lib/data/packed.ts'

const back = (columns: number[][]) => unpack(pack(columns)).map((column) => [...column])

describe('columns of numbers come back', () => {
  test.each([
    ['nothing', []],
    ['a column with nothing in it', [[]]],
    ['times', [[1_768_478_400_000, 1_768_478_402_003, 1_768_478_401_000]]],
    ['prices as venues write them', [[97_678.5, 97_679, 0.3372, 12]]],
    ['rates to either side of zero', [[-0.000123, 0, 0.000123]]],
    ['the price of something very cheap', [[8.847e-9, 8.85e-9]]],
    ['large ones', [[123_456_789_012_345, -5]]],
  ])('%s', (_what, columns) => {
    expect(back(columns)).toEqual(columns)
  })

  test('whatever they are, to ten digits of the largest', () => {
    const column = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(column, (values) => {
        const [after = []] = back([values])
        const largest = Math.max(...values.map(Math.abs))
        for (const [index, value] of values.entries())
          expect(Math.abs((after[index] ?? NaN) - value)).toBeLessThanOrEqual(Math.max(largest * 1e-9, 1e-18))
      }),
    )
  })

  test('and an even pace of three bytes a row takes little', () => {
    const rows = Array.from({ length: 1_800 }, (_, index) => index)
    const columns = [
      rows.map((row) => 1_768_478_400_000 + row * 2_000),
      rows.map((row) => 97_600 + (row % 7)),
    ]
    expect(pack(columns).length).toBeLessThan(2.1 * 1_800)
  })

  test('but not where they are cut off', () => {
    const bytes = pack([[1, 2, 3]])
    expect(() => unpack(bytes.slice(0, -1))).toThrow(RangeError)
  })
})
