import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { lineOf, tokens } from '../../../src/dialog/parse/phrases.ts'

describe('a line is words, and quotes keep some together', () => {
  test.each([
    ['', []],
    ['   ', []],
    ['/watch  0xabc \t main', ['/watch', '0xabc', 'main']],
    ['/watch 0xabc "my hedge"', ['/watch', '0xabc', 'my hedge']],
    ['/watch 0xabc “my hedge”', ['/watch', '0xabc', 'my hedge']],
    ['/watch 0xabc „my hedge“', ['/watch', '0xabc', 'my hedge']],
    ['/watch 0xabc «my hedge»', ['/watch', '0xabc', 'my hedge']],
    ['/watch 0xabc "my hedge', ['/watch', '0xabc', 'my hedge']],
    ['a "" b', ['a', 'b']],
    ['"  padded  "', ['padded']],
    ['/alert liq ETH 5 % 2,5 %', ['/alert', 'liq', 'ETH', '5%', '2,5%']],
    ['-50 %', ['-50%']],
    ['50 %x', ['50', '%x']],
    ['two\nlines', ['two', 'lines']],
    ['\u202Eevil\u202C \u0000word', ['evil', 'word']],
    ['👩‍👩‍👧‍👦 שלום', ['👩‍👩‍👧‍👦', 'שלום']],
  ])('%j', (line, words) => expect(tokens(line)).toEqual(words))
})

test('words read back from the line that they make', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
    .map((text) => tokens(text.replace(/["“”„«»%]/g, '')).join(' '))
    .filter((text) => text !== '')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      expect(tokens(lineOf(words))).toEqual(words)
    }),
    { numRuns: 2_000 },
  )
})

test('no word has white space at its ends, or anything that cannot be seen', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => {
      for (const word of tokens(line)) {
        expect(word).toBe(word.trim())
        expect(word).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
        expect(word.isWellFormed()).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
})
