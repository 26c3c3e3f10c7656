import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distanceText, percent, price, quantity, threshold, usd } from '../../src/lib/format.ts'

test.each([
  [0, '$0.00'],
  [0.004, '<$0.01'],
  [-0.004, '-<$0.01'],
  [0.42, '$0.42'],
  [-0.42, '-$0.42'],
  [3.9, '$3.90'],
  [99.99, '$99.99'],
  [157.4, '$157'],
  [1_234, '$1,234'],
  [9_999, '$9,999'],
  [9_999.6, '$10k'],
  [157_800, '$157.8k'],
  [-157_800, '-$157.8k'],
  [999_949, '$999.9k'],
  [999_951, '$1M'],
  [12_340_000, '$12.3M'],
  [123_400_000, '$123M'],
  [999_960_000, '$1B'],
  [1_234_000_000, '$1.23B'],
  [1e30, '>$1,000,000B'],
])('%d dollars are %s', (value, text) => expect(usd(value)).toBe(text))

test.each([
  [0, '$0'],
  [97_678.4, '$97,678'],
  [1_234_567, '$1,234,567'],
  [2_634.97, '$2,634.97'],
  [9_999.999, '$10,000.00'],
  [1, '$1.00'],
  [0.999999, '$1'],
  [0.3372, '$0.3372'],
  [0.1, '$0.1'],
  [0.00002345678, '$0.000023457'],
  [0.0000010412, '$0.0000010412'],
  [1e-18, '$0.000000000000000001'],
  [-12.5, '-$12.50'],
])('a price of %d is %s', (value, text) => expect(price(value)).toBe(text))

test.each([
  [0, '0'],
  [1.5, '1.5'],
  [-2, '-2'],
  [0.0003, '0.0003'],
  [0.12345678, '0.1235'],
  [9_999.5, '9,999.5'],
  [12_400, '12.4k'],
  [999_999, '1M'],
  [1_200_000, '1.2M'],
  [999_999_999, '1B'],
  [999_999_999_999, '1T'],
  [4.2e12, '4.2T'],
])('%d base units are %s', (value, text) => expect(quantity(value)).toBe(text))

test.each([
  [0, '0 %'],
  [0.048, '4.8 %'],
  [0.00021, '0.021 %'],
  [0.12, '12 %'],
  [-0.0345, '-3.5 %'],
  [0.9999, '100 %'],
  [12.345, '1,235 %'],
  [-0.0000000001, '-0.00000001 %'],
])('a fraction of %d is %s', (value, text) => expect(percent(value)).toBe(text))

test.each([
  [0.025, '2.5 %'],
  [0.1, '10 %'],
  [0.07, '7 %'],
  [0.00005, '0.005 %'],
  [0.123456, '12.3456 %'],
  [1e-10, '0.00000001 %'],
  [0, '0 %'],
])('a threshold of %d reads as it was set: %s', (value, text) => expect(threshold(value)).toBe(text))

test.each([
  [0.048, '4.8 %'],
  [0.2, '20.0 %'],
  [0, '0.0 %'],
  [-0.0001, '0.0 %'],
  [-0.25, '-25.0 %'],
  [12, '1200.0 %'],
  [110, 'far'],
  [Infinity, 'far'],
])('a distance of %d is %s', (value, text) => expect(distanceText(value)).toBe(text))

const any = fc.double({ noNaN: true, noDefaultInfinity: true })
const usual = fc.double({ min: -1e9, max: 1e9, noNaN: true })
const figures = { usd, price, quantity, percent, threshold, distanceText }

describe.each(Object.entries(figures))('%s, whatever the figure', (name, write) => {
  test('is digits on a phone: no NaN, no exponent, nothing long', () => {
    // A threshold is what somebody typed, within the bounds of its kind.
    fc.assert(
      fc.property(name === 'threshold' ? usual : fc.oneof(any, usual), (value) => {
        const text = write(value)
        expect(text).toMatch(/^(far|-?[<>]?\$?\d{1,3}(,?\d{3})*(\.\d+)?[kMBT]?( %)?)$/)
        expect(text.length).toBeLessThanOrEqual(28)
      }),
      { numRuns: 2_000 },
    )
  })

  test('has a minus exactly where something is negative', () => {
    fc.assert(
      fc.property(usual, (value) => {
        const text = write(value)
        if (text.startsWith('-')) expect(value).toBeLessThan(0)
        if (value < -0.01) expect(text).toMatch(/^-/)
      }),
    )
  })
})

test('a figure on a phone is near its value', () => {
  const factor: Record<string, number> = { k: 1e3, M: 1e6, B: 1e9, T: 1e12 }
  const read = (text: string) => Number(text.replace(/[$,kMBT]/g, '')) * (factor[text.slice(-1)] ?? 1)
  const off = (text: string, value: number) => Math.abs(read(text) / value - 1)
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e14, noNaN: true }), (value) => {
      expect(off(price(value), value)).toBeLessThan(0.005)
      expect(off(quantity(value), value)).toBeLessThan(0.051)
      if (value >= 1) expect(off(usd(value), value)).toBeLessThan(0.051)
    }),
  )
})
