import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { nearest } from '../../../src/lib/text/nearest.ts'

const COMMANDS = ['positions', 'orders', 'markets', 'market', 'watch', 'wallets', 'help', 'alert', 'alerts']

describe('what was probably meant', () => {
  test.each([
    ['the beginning of it', 'pos', 'positions'],
    ['a letter swapped', 'wacth', 'watch'],
    ['a letter missing', 'positons', 'positions'],
    ['a letter too many', 'hellp', 'help'],
    ['a wrong letter', 'welp', 'help'],
    ['other capitals', 'MARKETS', 'markets'],
    ['the first of several that begin so', 'wa', 'watch'],
    ['itself, where it also begins another', 'alert', 'alert'],
  ])('%s: %s', (_what, typed, meant) => expect(nearest(typed, COMMANDS)).toBe(meant))

  test.each(['', 'xyzzy', 'q', 'buy', '0x5290840009852788'])('nothing is like %j', (typed) => {
    expect(nearest(typed, COMMANDS)).toBeNull()
  })

  test('nothing is like anything where there is no choice', () => expect(nearest('help', [])).toBeNull())
})

test('what is there is found, and one slip of the finger is forgiven', () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{4,8}$/), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(
      words,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('drop', 'swap', 'double'),
      (all, which, where, slip) => {
        const word = all[which % all.length] ?? ''
        expect(nearest(word, [word])).toBe(word)
        const at = where % (word.length - 1)
        const [before, here, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
        const typed = {
          drop: before + next + after,
          swap: before + next + here + after,
          double: before + here + here + next + after,
        }
        expect(nearest(typed[slip], [word])).toBe(word)
      },
    ),
  )
})

test('answers with one of the choices or none, however long what was typed', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (typed) => {
      const found = nearest(typed, COMMANDS)
      expect(found === null || COMMANDS.includes(found)).toBe(true)
    }),
  )
  expect(nearest('m'.repeat(1_000_000), COMMANDS)).toBeNull()
})
