import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readPreview } from '../../../../src/venues/perps-data/wire/preview.ts'
import { preview } from '../records.ts'
import { troubleIn } from '../server.ts'

const expected = {
  estimate: false,
  fillPrice: 3_121_100_000_000_000_000_000n,
  liquidationPrice: 2_399_000_000_000_000_000_000n,
  totalFeesUsd: 131_500_000_000_000_000n,
  marginUsagePercent: 31.25,
  marginRatio: null,
  feasible: true,
  refusal: null,
}

test.each([
  ['bare', preview()],
  ['in data', { data: preview() }],
  ['in result', { success: true, result: preview() }],
  ['two deep', { data: { postTradeDetails: preview() } }],
  ['a list of one', [preview()]],
  ['with further metrics', preview({ slippage: '1', notional: 5 })],
  ['margin usage as text', preview({ newMarginUsage: '31.25' })],
])('a preview arrives in our units: %s', (_what, body) => {
  expect(readPreview(body)).toEqual(expected)
})

test('a metric that is missing or unreadable is null, never 0', () => {
  expect(readPreview({ feasible: true, fillPrice: 'n/a', totalFees: '' })).toEqual({
    ...Object.fromEntries(Object.keys(expected).map((name) => [name, null])),
    estimate: false,
    feasible: true,
  })
})

describe('the liquidation price after the order', () => {
  test.each([
    ['0 is none', '0', 'none'],
    ['a price', '5000000000000000000', 5_000_000_000_000_000_000n],
    ['not said', undefined, null],
    ['negative', '-5', null],
    ['words', 'none', null],
  ])('%s', (_what, liquidationPrice, read) => {
    expect(readPreview(preview({ liquidationPrice })).liquidationPrice).toBe(read)
  })
})

test('a JSON number is unscaled, as elsewhere; one that is too much lost its quotes and is not used', () => {
  expect(readPreview(preview({ fillPrice: 3121.1 })).fillPrice).toBe(expected.fillPrice)
  expect(readPreview(preview({ fillPrice: 3_121_100_000_000_000_000_000 })).fillPrice).toBeNull()
  expect(readPreview(preview({ totalFees: 131_500_000_000_000_000 })).totalFeesUsd).toBeNull()
})

test('an order that cannot be says why', () => {
  const read = readPreview(preview({ feasible: false, errorMsg: 'insufficient margin' }))
  expect([read.feasible, read.refusal]).toEqual([false, 'insufficient margin'])
})

test.each([
  ['nothing of a preview', { a: 1 }, 'it should be the details of an order'],
  ['too deep', { a: { b: { c: preview() } } }, 'it should be the details of an order'],
  ['a list of two', [preview(), preview()], 'it should be the details of an order'],
  ['an error', { error: { message: 'no such account' } }, 'it is an error: no such account'],
])('%s is not a preview', (_what, body, why) => {
  expect(() => readPreview(body)).toThrow(why)
})

test('whatever comes, it is a preview or a VenueError', () => {
  const name = fc.constantFrom(...Object.keys(preview()), 'data', 'error')
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(name, fc.jsonValue())), (body) => {
      expect(troubleIn(() => readPreview(body))).toBeNull()
    }),
    { numRuns: 2_000 },
  )
})
