import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { firstGraphemes, legible } from '../../../src/lib/text/legible.ts'

test.each([
  ['plain', 'plain'],
  ['\u202Ekcatta\u202C', 'kcatta'],
  ['a\u0000b\u001B[2Jc', 'a b [2Jc'],
  ['two\r\nlines\u2028three', 'two lines three'],
  ['ze\u200Bro\uFEFF', 'zero'],
  ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
  ['می‌خواهم', 'می‌خواهم'],
  ['e\u0301', 'é'],
  ['half \uD83D', 'half \uFFFD'],
])('%j is seen as %j', (text, seen) => expect(legible(text)).toBe(seen))

test('what was made legible stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(legible(legible(text))).toBe(legible(text))
      expect(legible(text)).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    }),
    { numRuns: 2_000 },
  )
})

describe('a text is cut between graphemes', () => {
  test.each([
    ['abc', 2, 9, 'ab'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 1, 99, '👩‍👩‍👧‍👦'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2, 10, '👩‍👩‍👧‍👦'],
    [`a${'\u0301'.repeat(50)}`, 5, 10, ''],
    ['', 5, 5, ''],
  ])('%j', (text, most, codePoints, kept) => expect(firstGraphemes(text, most, codePoints)).toBe(kept))
})
