import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePercent } from '../../src/lib/quantity.ts'

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
