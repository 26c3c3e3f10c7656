import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { percent, price, quantity, usd } from '../../src/lib/format.ts'
import { restyle } from '../../src/lib/number-style.ts'

describe('figures read in somebody’s style', () => {
  test.each([
    ['1,234.5', '1.234,5', '1 234,5'],
    ['$157.8k', '$157,8k', '$157,8k'],
    ['-$1,234,567.89', '-$1.234.567,89', '-$1 234 567,89'],
    ['4.8 % from liquidation', '4,8 % from liquidation', '4,8 % from liquidation'],
    ['2.5%', '2,5%', '2,5%'],
    ['($5,178 away)', '($5.178 away)', '($5 178 away)'],
    ['20 / 10 / 2.5 %', '20 / 10 / 2,5 %', '20 / 10 / 2,5 %'],
    ['It is 1.5, or 2.5.', 'It is 1,5, or 2,5.', 'It is 1,5, or 2,5.'],
    ['read 9.9 s ago', 'read 9,9 s ago', 'read 9,9 s ago'],
    ['>$1,000,000B', '>$1.000.000B', '>$1 000 000B'],
  ])('%s', (text, dots, spaces) => {
    expect(restyle(text, '1,234.5')).toBe(text)
    expect(restyle(text, '1.234,5')).toBe(dots)
    expect(restyle(text, '1 234,5')).toBe(spaces)
  })

  test.each([
    'version 1.2.3',
    'v1.5',
    '0x5290.5,000',
    'http://127.0.0.1:8080/1.5',
    'at 14:02.5',
    '12:00, 13:30',
    'R1,R2 and A41',
    'main.wallet.2 x1.5y',
    '12,34 is no thousand',
    '1,2345',
    '/alert liq ETH 10% 5%',
    '100,200',
    'a.b,c',
  ])('but not in %s', (text) => {
    expect(restyle(text, '1.234,5')).toBe(text === '100,200' ? '100.200' : text)
  })
})

test('only the marks of figures change: every other character stays where it is', () => {
  const figure = fc
    .double({ min: -1e12, max: 1e12, noNaN: true })
    .chain((value) => fc.constantFrom(usd(value), price(value), quantity(value), percent(value)))
  const text = fc
    .array(fc.oneof(figure, fc.string({ unit: 'grapheme', maxLength: 10 })), { maxLength: 6 })
    .map((parts) => parts.join(' '))
  fc.assert(
    fc.property(text, fc.constantFrom('1.234,5', '1 234,5'), (words, style) => {
      const styled = restyle(words, style)
      expect(styled).toHaveLength(words.length)
      for (let at = 0; at < words.length; at++) {
        if (styled[at] === words[at]) continue
        expect(words[at]).toMatch(/[.,]/)
        // Between digits, and nowhere else.
        expect(`${words[at - 1]}${words[at + 1]}`).toMatch(/^\d\d$/)
      }
    }),
    { numRuns: 5_000 },
  )
})

test('every figure that we write is restyled whole', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e14, max: 1e14, noNaN: true }), (value) => {
      for (const write of [usd, price, quantity, percent]) {
        const styled = restyle(write(value), '1.234,5')
        expect(styled.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ','))).toBe(write(value))
      }
    }),
    { numRuns: 2_000 },
  )
})
