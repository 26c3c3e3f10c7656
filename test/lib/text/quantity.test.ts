import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { figureText, NUMBER_STYLES, type NumberStyle } from '../../../src/lib/text/format.ts'
import {
  forEveryStyle,
  fractionOf,
  parseFigure,
  parsePercent,
  percentTyped,
  readsTheSame,
} from '../../../src/lib/text/quantity.ts'
import { formatDecimal, ONE, parseDecimal } from '../../../src/venue/amount.ts'

/** What is read; null when it is no figure, and `two` when it could be two. */
function percentRead(text: string, style: NumberStyle = '1,234.5'): number | null | 'two' {
  const typed = parsePercent(text, style)
  return typed.is === 'one' ? fractionOf(typed.decimal) : typed.is === 'two' ? 'two' : null
}
function figureRead(text: string, style: NumberStyle = '1,234.5'): string | null {
  const typed = parseFigure(text, style)
  return typed.is === 'one' ? typed.decimal : typed.is === 'two' ? typed.decimals.join(' or ') : null
}

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
  ])('%j', (text, fraction) => expect(percentRead(text)).toBe(fraction))

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
  ])('%j is none', (text) => expect(percentRead(text)).toBeNull())
})

describe('a figure is read as this person writes it', () => {
  test.each([
    ['1.000', '1 or 1000', '1000', '1000 or 1.000'],
    ['2.350', '2.35 or 2350', '2350', '2350 or 2.350'],
    ['2.345', '2.345', '2345', '2345 or 2.345'],
    ['1.500k', '1500', '1500000', '1500000 or 1500'],
    ["2'400", '2400', '2400', '2400'],
    ['1’250’000.5', '1250000.5', '1250000.5', '1250000.5'],
    ['1,000', '1000', '1.000', '1.000'],
    ['1 000', '1000', '1000', '1000'],
    ['1,5', '1.5', '1.5', '1.5'],
    ['1.5', '1.5', '1.5', '1.5'],
    ['10,50', '10.50', '10.50', '10.50'],
    ['0.005', '0.005', '0.005', '0.005'],
    ['0,005', '0.005', '0.005', '0.005'],
    ['1.234,5', '1234.5', '1234.5', '1234.5'],
    ['1,234.5', '1234.5', '1234.5', '1234.5'],
    ['1\u202F234,5', '1234.5', '1234.5', '1234.5'],
    ['1.234.567', '1234567', '1234567', '1234567'],
    ['1,234,567', '1234567', '1234567', '1234567'],
    ['1234.567', '1234.567', '1234.567', '1234.567'],
    ['1.2345', '1.2345', '1.2345', '1.2345'],
    ['1.500k', '1500', '1500000', '1500000 or 1500'],
    ['12.34.56', null, null, null],
    ['1 00', null, null, null],
    ['1,00,000', null, null, null],
  ])('%j is %s, %s or %s', (text, point, comma, space) => {
    const same = (read: string | null, wanted: string | null) =>
      expect(read?.split(' or ').toSorted().join(' or ') ?? null).toBe(
        wanted?.split(' or ').toSorted().join(' or ') ?? null,
      )
    same(figureRead(text, '1,234.5'), point)
    same(figureRead(text, '1.234,5'), comma)
    same(figureRead(text, '1 234,5'), space)
  })

  test('and so is a percentage', () => {
    expect(percentRead('10,5 %')).toBe(0.105)
    expect(percentRead('1,000 %')).toBe(10)
    expect(percentRead('1.000 %', '1.234,5')).toBe(10)
    expect(percentRead('1,000 %', '1.234,5')).toBe(0.01)
    expect(percentRead('1.000 %', '1 234,5')).toBe('two')
  })

  test('what is shown reads back in the same style, to the digits that are shown', () => {
    const value = fc.oneof(
      fc.double({ min: -1e11, max: 1e11, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
    )
    const measures = fc.constantFrom('quantity', 'percent', 'threshold', 'points', 'distance')
    fc.assert(
      fc.property(value, measures, (figure, as) => {
        const shown = (style: NumberStyle) => figureText(figure, as, style).replace(/%$/, '')
        const usual = shown('1,234.5')
        if (usual === 'far') return
        const [, plain = '', scale = ''] = /^(-?[\d.]+)([kMB]?)$/.exec(usual.replaceAll(',', '')) ?? []
        const meant = parseDecimal(`${plain}e${{ k: 3, M: 6, B: 9 }[scale] ?? 0}`)
        expect(meant).not.toBeNull()
        for (const style of NUMBER_STYLES) {
          expect(parseDecimal(figureRead(shown(style), style) ?? '')).toBe(meant)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  test('what a line says is read the same in every style', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(6))
      .map(([digits, zeros]) => formatDecimal(digits * 10n ** BigInt(zeros * 3)))
    fc.assert(
      fc.property(decimal, (exactly) => {
        const said = forEveryStyle(exactly)
        expect(readsTheSame(said)).toBe(true)
        for (const style of NUMBER_STYLES) {
          expect(parseDecimal(figureRead(said, style) ?? '')).toBe(parseDecimal(exactly))
        }
      }),
      { numRuns: 2_000 },
    )
    expect(forEveryStyle('2.5')).toBe('2.5')
    expect(forEveryStyle('0.125')).toBe('0.125')
    expect(forEveryStyle('2.125')).toBe('2.1250')
  })

  test('and a word that reads the same does so in every style', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{0,5}([.,]\d{0,4}){0,3}k?$/), (word) => {
        if (!readsTheSame(word)) return
        const [first, ...others] = NUMBER_STYLES.map((style) => figureRead(word, style))
        for (const other of others) expect(other).toBe(first)
      }),
      { numRuns: 3_000 },
    )
  })
})

test('what was set reads back as it was typed, to the last bit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999 }), (thousandths) => {
      const typed = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`
      expect(percentRead(`${typed}%`)).toBe(thousandths / 100_000)
    }),
  )
})

test('whatever is typed is a finite number or none', () => {
  const nearly = fc.stringMatching(/^[+-]?\d{0,30}[.,]?\d{0,30} ?%?$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      const fraction = percentRead(text)
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
    ['9.21e-6', '0.00000921'],
    ['-1.5E-3', '-0.0015'],
    ['12e-1', '1.2'],
  ])('%j', (text, figure) => {
    const read = figureRead(text)
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
  ])('%j is none', (text) => expect(figureRead(text)).toBeNull())

  test('what is written reads back to the last digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (amount) => {
        expect(parseDecimal(formatDecimal(amount))).toBe(amount)
        expect(parseDecimal(figureRead(formatDecimal(amount)) ?? '')).toBe(amount)
        expect(parseDecimal(figureRead(`${formatDecimal(amount)}k`) ?? '')).toBe(amount * 1_000n)
      }),
      { numRuns: 2_000 },
    )
    expect(parseDecimal(figureRead('1,234,567.5') ?? '')).toBe((12_345_675n * ONE) / 10n)
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
      for (const style of NUMBER_STYLES) expect(percentRead(typed, style)).toBe(value === 0 ? 0 : value)
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
