import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { formatDecimal, fromNumber, ONE, parseDecimal, parseFixed } from '../../../../src/venue/amount.ts'
import {
  count,
  decimal,
  exactFixed,
  fixed,
  identifier,
  instant,
  ratio,
} from '../../../../src/venues/perps-data/wire/numbers.ts'

const amounts = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })

describe('round trips are exact', () => {
  test('an 18-decimal integer in quotes', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(fixed(amount.toString())).toBe(amount)
      }),
    )
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseFixed(`${amount}.00`)).toBe(amount)
      }),
    )
  })

  test('a decimal as people and JSON write it', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseDecimal(formatDecimal(amount))).toBe(amount)
      }),
    )
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(decimal(formatDecimal(amount))).toBe(amount)
      }),
    )
  })

  test('a JSON number is its own shortest text, exponents included', () => {
    // From 1 on the 17 digits of a double fit into 18 decimals.
    const sizes = fc.double({ min: 1, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(sizes, (number) => {
        expect(Number(formatDecimal(fromNumber(number) ?? 0n))).toBe(number)
        expect(decimal(-number)).toBe(-(decimal(String(number)) ?? 0n))
      }),
    )
    const anySizes = fc.double({ min: 1e-100, max: 1e100, noNaN: true })
    fc.assert(
      fc.property(anySizes, (number) => {
        expect(decimal(number)).not.toBeNull()
        expect(decimal(number)).toBe(decimal(String(number)))
      }),
    )
  })

  test('a JSON number in the place of an 18-decimal integer, while it has all its digits', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(fixed(number)).toBe(BigInt(number))
      }),
    )
  })
})

test('whatever comes, the readers answer a value or null, and never throw', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.jsonValue(),
    fc.string(),
    fc.double(),
    fc.stringMatching(/^-?\d*\.?\d*(e[+-]?\d*)?$/),
  )
  fc.assert(
    fc.property(anything, (value) => {
      for (const read of [fixed, exactFixed, decimal])
        expect(['bigint', 'object']).toContain(typeof read(value))
      for (const read of [ratio, count, instant]) expect(['number', 'object']).toContain(typeof read(value))
      expect(['string', 'object']).toContain(typeof identifier(value))
    }),
    { numRuns: 2_000 },
  )
})

describe('nothing is rounded or guessed in silence', () => {
  test.each([
    ['nothing', '', null],
    ['words', 'abc', null],
    ['hexadecimal', '0x10', null],
    ['a space', ' 1', null],
    ['a plus', '+1', null],
    ['a JSON number beyond 2^53', 3.713e18, null],
    ['a fraction as JSON number', 0.5, null],
    ['a number too long to be one', '9'.repeat(5_000_000), null],
    ['true', true, null],
    ['a list', ['1'], null],
    ['a negative zero', -0, 0n],
    ['a zero', '0', 0n],
    ['leading zeros', '007', 7n],
    ['a fraction of zeros', '85.00', 85n],
    ['an exponent in quotes', '1e18', ONE],
    ['an exponent with a point', '2.6e+21', 2_600n * ONE],
    ['an exponent that leaves a fraction', '2.65e1', null],
    ['a fraction below the last digit', '85.99', 85n],
  ])('an 18-decimal integer: %s', (_what, value, expected) => {
    expect(fixed(value)).toBe(expected)
  })

  test('a size with a fraction is not an exact 18-decimal integer', () => {
    expect(exactFixed('1.5')).toBeNull()
    expect(exactFixed('-15.00')).toBe(-15n)
    expect(exactFixed(12)).toBe(12n)
  })

  test.each([
    [8.847e-7, 884_700_000_000n],
    ['8.847e-7', 884_700_000_000n],
    [2751.21510528, 2_751_215_105_280_000_000_000n],
    ['2751', 2_751n * ONE],
    [1e21, 10n ** 39n],
    [Number.NaN, null],
    [Infinity, null],
    ['1e400', null],
    ['', null],
    [null, null],
  ])('a decimal: %s', (value, expected) => {
    expect(decimal(value)).toBe(expected)
  })

  test.each([
    [0, 0],
    ['17', 17],
    [-1, null],
    [1.5, null],
    ['x', null],
    [2 ** 60, null],
  ])('how many: %s', (value, expected) => {
    expect(count(value)).toBe(expected)
  })

  test.each([
    [1_765_432_100, 1_765_432_100_000],
    [1_765_432_100_123, 1_765_432_100_123],
    ['1765432100', 1_765_432_100_000],
    [1e11, 1e11],
    [1e11 - 1, (1e11 - 1) * 1000],
    [0, null],
    [-5, null],
    [1e18, null],
    ['soon', null],
    [null, null],
  ])('an instant: %s', (value, expected) => {
    expect(instant(value)).toBe(expected)
  })

  test('an identifier is text; a number only while it has all its digits', () => {
    expect(identifier('120000000000000000000000000000000007431')).toBe(
      '120000000000000000000000000000000007431',
    )
    expect(identifier(100)).toBe('100')
    expect(identifier(1.2e38)).toBeNull()
    expect(identifier('')).toBeNull()
    expect(identifier(null)).toBeNull()
  })
})
