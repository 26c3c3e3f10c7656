import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDecimal, ONE, parseDecimal } from '../../src/amount.ts'
import { percentTyped } from '../../src/lib/format.ts'
import { parseFigure, parsePercent } from '../../src/lib/quantity.ts'

describe('a percentage as people type it is a fraction of one', () => {
  test.each([
    ['5%', 0.05],
    ['5', 0.05],
    ['2.5 %', 0.025],
    [',5%', 0.005],
    ['0,07%', 0.0007],
    ['5.', 0.05],
    [' 10% ', 0.1],
    ['+3%', 0.03],
    ['-3%', -0.03],
    ['0', 0],
    ['0.0000001%', 1e-9],
    ['1000000000000000000000000%', 1e22],
  ])('%j', (text, fraction) => expect(parsePercent(text)).toBe(fraction))

  test.each([
    '',
    '%',
    '.',
    ',',
    '-',
    '5%%',
    '5 5',
    '1e5',
    '1.2.3',
    '5x',
    'five',
    '0x5',
    'NaN',
    'Infinity',
    '9'.repeat(400),
  ])('%j is none', (text) => expect(parsePercent(text)).toBeNull())
})

test('what was set reads back as it was typed, to the last bit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999 }), (thousandths) => {
      const typed = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`
      expect(parsePercent(`${typed}%`)).toBe(thousandths / 100_000)
    }),
  )
})

test('whatever is typed is a finite number or none', () => {
  const nearly = fc.stringMatching(/^[+-]?\d{0,30}[.,]?\d{0,30} ?%?$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      const fraction = parsePercent(text)
      expect(fraction === null || Number.isFinite(fraction)).toBe(true)
    }),
  )
})

describe('a figure as people type it is its exact decimal text', () => {
  test.each([
    ['5', '5'],
    ['1.5k', '1500'],
    ['70k', '70000'],
    ['-2', '-2'],
    ['+2', '2'],
    ['1,000.5', '1000.5'],
    ['1,000', '1000'],
    ['1,5', '1.5'],
    ['1,5k', '1500'],
    ['12,345,678', '12345678'],
    ['2m', '2000000'],
    ['0.123456789012345678k', '123.456789012345678'],
    ['1.2345k', '1234.5'],
    ['1B', '1000000000'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    [' 3 ', '3'],
  ])('%j', (text, figure) => {
    const read = parseFigure(text)
    expect(read).not.toBeNull()
    expect(parseDecimal(read ?? '')).toBe(parseDecimal(figure))
  })

  test.each([
    '',
    '.',
    ',',
    '-',
    'k',
    '5kk',
    '1e5',
    '1.2.3',
    '1,00,0.5.5',
    '0x5',
    '$5',
    '5%',
    '--5',
    'Infinity',
  ])('%j is none', (text) => expect(parseFigure(text)).toBeNull())

  test('what is written reads back to the last digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (amount) => {
        expect(parseDecimal(formatDecimal(amount))).toBe(amount)
        expect(parseDecimal(parseFigure(formatDecimal(amount)) ?? '')).toBe(amount)
        expect(parseDecimal(parseFigure(`${formatDecimal(amount)}k`) ?? '')).toBe(amount * 1_000n)
      }),
      { numRuns: 2_000 },
    )
    expect(parseDecimal(parseFigure('1,234,567.5') ?? '')).toBe((12_345_675n * ONE) / 10n)
  })
})

test('a fraction is typed as a percentage that reads back to the last bit', () => {
  const fraction = fc.oneof(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }),
  )
  fc.assert(
    fc.property(fraction, (value) => {
      const typed = percentTyped(value)
      expect(typed).toMatch(/^-?\d+(\.\d+)?%$/)
      // Zero has no sign.
      expect(parsePercent(typed)).toBe(value === 0 ? 0 : value)
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  [0.1, '10%'],
  [0.025, '2.5%'],
  [0.07, '7%'],
  [0.00005, '0.005%'],
  [1e-10, '0.00000001%'],
  [12, '1200%'],
  [-0.05, '-5%'],
  [0, '0%'],
])('%d is typed %s', (fraction, typed) => expect(percentTyped(fraction)).toBe(typed))
