import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { figureText, type Measure, NUMBER_STYLES, ordinal } from '../../../src/lib/text/format.ts'

const usual = (as: Measure) => (value: number) => figureText(value, as, '1,234.5')
const [usd, price, quantity, percent] = [usual('usd'), usual('price'), usual('quantity'), usual('percent')]
const [threshold, distanceText] = [usual('threshold'), usual('distance')]
const [age, ago] = [usual('age'), usual('ago')]

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

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
  [9.995, '$9.995'],
  [1.372, '$1.372'],
  [1.23456, '$1.2346'],
  [81.499, '$81.499'],
  [81.5, '$81.50'],
  [99.9996, '$100.00'],
  [177.06, '$177.06'],
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
  [0, '0%'],
  [0.048, '4.8%'],
  [0.00021, '0.021%'],
  [0.12, '12%'],
  [-0.0345, '-3.5%'],
  [0.9999, '100%'],
  [12.345, '1,235%'],
  [-0.0000000001, '-0.00000001%'],
])('a fraction of %d is %s', (value, text) => expect(percent(value)).toBe(text))

test.each([
  [0.025, '2.5%'],
  [0.1, '10%'],
  [0.07, '7%'],
  [0.00005, '0.005%'],
  [0.123456, '12.3456%'],
  [1e-10, '0.00000001%'],
  [0, '0%'],
])('a threshold of %d reads as it was set: %s', (value, text) => expect(threshold(value)).toBe(text))

test.each([
  [0.048, '4.8%'],
  [0.2, '20.0%'],
  [0, '0.0%'],
  [-0.0001, '0.0%'],
  [-0.25, '-25.0%'],
  [12, '1200.0%'],
  [110, 'far'],
  [Infinity, 'far'],
])('a distance of %d is %s', (value, text) => expect(distanceText(value)).toBe(text))

test.each([
  ['usd', 157_800, '$157.8k', '$157,8k', '$157,8k'],
  ['price', -1_234_567.89, '-$1,234,568', '-$1.234.568', '-$1 234 568'],
  ['price', 2_634.97, '$2,634.97', '$2.634,97', '$2 634,97'],
  ['percent', 0.048, '4.8%', '4,8%', '4,8%'],
  ['points', 0.025, '2.5', '2,5', '2,5'],
  ['distance', 200, 'far', 'far', 'far'],
  ['signed-usd', 1_200, '+$1,200', '+$1.200', '+$1 200'],
  ['signed-usd', -0.42, '-$0.42', '-$0,42', '-$0,42'],
  ['signed-percent', 0.012, '+1.2%', '+1,2%', '+1,2%'],
  ['short-percent', 0.0123, '1.2', '1,2', '1,2'],
  ['signed-short-percent', 12, '+1200', '+1200', '+1200'],
  ['short-price', 2_634.97, '2635.0', '2635,0', '2635,0'],
  ['short-price', 0.0000010412, '0.000001041', '0,000001041', '0,000001041'],
  ['short-price', 0, '0', '0', '0'],
  ['quantity', 9_999.5, '9,999.5', '9.999,5', '9 999,5'],
  ['age', 9_900, '9.9 s', '9,9 s', '9,9 s'],
  ['ago', 1_500, '1.5 s ago', '1,5 s ago', '1,5 s ago'],
  ['usd', 1e30, '>$1,000,000B', '>$1.000.000B', '>$1 000 000B'],
] as const)('%s of %d, in the style of whoever reads it: %s, %s, %s', (as, value, ...texts) => {
  expect(NUMBER_STYLES.map((style) => figureText(value, as, style))).toEqual(texts)
})

const any = fc.double({ noNaN: true, noDefaultInfinity: true })
const daily = fc.double({ min: -1e9, max: 1e9, noNaN: true })
const figures = { usd, price, quantity, percent, threshold, distanceText }

describe.each(Object.entries(figures))('%s, whatever the figure', (name, write) => {
  test('is digits on a phone: no NaN, no exponent, nothing long', () => {
    // A threshold is what somebody typed, within the bounds of its kind.
    fc.assert(
      fc.property(name === 'threshold' ? daily : fc.oneof(any, daily), (value) => {
        const text = write(value)
        expect(text).toMatch(/^(far|-?[<>]?\$?\d{1,3}(,?\d{3})*(\.\d+)?[kMBT]?%?)$/)
        expect(text.length).toBeLessThanOrEqual(28)
      }),
      { numRuns: 2_000 },
    )
  })

  test('has a minus exactly where something is negative', () => {
    fc.assert(
      fc.property(daily, (value) => {
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

describe('how old something is', () => {
  test.each([
    [-5, '0.0 s'],
    [0, '0.0 s'],
    [240, '0.2 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [45 * SECOND, '45 s'],
    [89_400, '89 s'],
    [7 * MINUTE, '7 min'],
    [59.4 * MINUTE, '59 min'],
    [59.6 * MINUTE, '1 h'],
    [HOUR, '1 h'],
    [200 * MINUTE, '3 h 20 min'],
    [DAY - MINUTE, '23 h 59 min'],
    [DAY - 1, '1 d'],
    [52 * HOUR, '2 d 4 h'],
    [400 * DAY, '400 d'],
  ])('%d ms is %s', (ms, text) => expect(age(ms)).toBe(text))

  test('is a figure with a unit, whatever the time', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (ms) => {
        expect(age(ms)).toMatch(
          /^(\d\.\d s|\d{2} s|\d{1,2} min|\d{1,2} h( \d{1,2} min)?|\d+ d( \d{1,2} h)?)$/,
        )
      }),
    )
  })

  test('what lies ahead, or a moment back, is now', () => {
    expect(ago(-5_000)).toBe('just now')
    expect(ago(999)).toBe('just now')
    expect(ago(3_000)).toBe('3.0 s ago')
  })
})

test.each([
  [1, 'first'],
  [3, 'third'],
  [4, '4th'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [21, '21st'],
  [22, '22nd'],
  [23, '23rd'],
  [111, '111th'],
])('%i is read as %s', (count, words) => {
  expect(ordinal(count)).toBe(words)
})
