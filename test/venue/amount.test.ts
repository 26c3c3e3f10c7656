import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  divide,
  formatDecimal,
  fromNumber,
  multiply,
  ONE,
  parseDecimal,
  parseFixed,
  toNumber,
} from '../../src/venue/amount.ts'

const amounts = fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n })

describe('the venue’s fixed-point text', () => {
  test('is an integer that counts 10^-18, read to the last digit', () => {
    fc.assert(fc.property(amounts, (amount) => parseFixed(String(amount)) === amount))
  })

  test.each([
    ['a fractional tail is dropped', '85398783236400345424.00', 85_398_783_236_400_345_424n],
    ['a bare point is such a tail', '12.', 12n],
    ['zero is zero', '0', 0n],
    ['minus zero is zero', '-0', 0n],
    ['nothing is no zero', '', null],
    ['a space is no zero', ' ', null],
    ['words are no zero', 'null', null],
    ['a plus sign is not the venue’s', '+1', null],
    ['an exponent is not the venue’s', '1e18', null],
    ['hexadecimal is not the venue’s', '0x1', null],
    ['a fraction alone is not the venue’s', '.5', null],
    ['a second line is not read over', '1\n2', null],
    ['a line end is not read over', '1\n', null],
  ])('%s: %j', (_what, text, amount) => {
    expect(parseFixed(text)).toBe(amount)
  })
})

describe('a decimal as people and JSON write it', () => {
  test('comes back exactly as it was written out', () => {
    fc.assert(fc.property(amounts, (amount) => parseDecimal(formatDecimal(amount)) === amount))
  })

  test('may be written with any exponent that keeps its digits', () => {
    const exponents = fc.integer({ min: -18, max: 60 })
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), exponents, (digits, exponent) => {
        expect(parseDecimal(`${digits}e${exponent}`)).toBe(digits * 10n ** BigInt(exponent + 18))
      }),
    )
  })

  test.each([
    ['2751.2151', 2_751_215_100_000_000_000_000n],
    ['8.847e-7', 884_700_000_000n],
    ['1E+3', 1_000n * ONE],
    ['-3', -3n * ONE],
    ['.5', ONE / 2n],
    ['5.', 5n * ONE],
    ['007', 7n * ONE],
    ['-0', 0n],
    // Beyond the eighteenth decimal digits are cut, not rounded.
    ['0.0000000000000000019', 1n],
    ['-0.0000000000000000019', -1n],
  ])('%s is read', (text, amount) => {
    expect(parseDecimal(text)).toBe(amount)
  })

  test.each([
    '',
    ' ',
    '.',
    '-',
    '-.',
    'e5',
    '.e5',
    '1e',
    '1e+',
    '1,5',
    '1_000',
    '0x10',
    '+1',
    '--1',
    '1.2.3',
  ])('%j is no number, and no zero either', (text) => expect(parseDecimal(text)).toBeNull())

  test.each(['NaN', 'Infinity', '1e400', '1e103', '1e-139', '1e9999'])('%s is beyond any price', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  test('never throws, whatever is typed', () => {
    const nearly = fc.stringMatching(/^[+-]?\d{0,5}[.,]?\d{0,5}(e[+-]?\d{0,4})?$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        for (const read of [parseDecimal, parseFixed])
          expect(['bigint', 'object']).toContain(typeof read(text))
      }),
    )
  })
})

describe('a JSON number', () => {
  test('is its shortest decimal, so that 0.1 is exactly a tenth', () => {
    expect(fromNumber(0.1)).toBe(ONE / 10n)
    expect(fromNumber(1e21)).toBe(10n ** 39n)
    expect(fromNumber(8.847e-7)).toBe(884_700_000_000n)
  })

  test.each([Number.NaN, Infinity, -Infinity])('%s is no amount', (value) => {
    expect(fromNumber(value)).toBeNull()
  })

  test('comes back as the double it was, but for the last bit', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 1e15, noNaN: true }), (value) => {
        expect(Math.abs(toNumber(fromNumber(value) ?? 0n) - value) / value).toBeLessThan(3e-16)
      }),
    )
  })
})

test('an amount is written without trailing zeros, and never without its leading one', () => {
  expect(formatDecimal(15n * 10n ** 17n)).toBe('1.5')
  expect(formatDecimal(-1n)).toBe('-0.000000000000000001')
  expect(formatDecimal(0n)).toBe('0')
  expect(formatDecimal(100n * ONE)).toBe('100')
})

describe('products and quotients are truncated toward zero, as the venue’s contracts do', () => {
  test.each([
    [multiply(3n, ONE / 2n), 1n],
    [multiply(-3n, ONE / 2n), -1n],
    [divide(ONE, 3n * ONE), 333_333_333_333_333_333n],
    [divide(-ONE, 3n * ONE), -333_333_333_333_333_333n],
  ])('%s is %s', (result, expected) => expect(result).toBe(expected))

  test('one changes nothing', () => {
    fc.assert(
      fc.property(amounts, (amount) => multiply(amount, ONE) === amount && divide(amount, ONE) === amount),
    )
  })

  test('nothing is divided by zero in silence', () => {
    expect(() => divide(ONE, 0n)).toThrow(RangeError)
  })
})
