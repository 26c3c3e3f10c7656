import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createWords } from '../../../src/lib/data/words.ts'

test('a word has one number for as long as anybody uses it', () => {
  const words = createWords()
  const number = words.take('ETH')
  expect([words.take('ETH'), words.numberOf('ETH'), words.at(number)]).toEqual([number, number, 'ETH'])
  words.drop(number)
  expect(words.numberOf('ETH')).toBe(number)
  words.drop(number)
  expect([words.numberOf('ETH'), words.at(number)]).toEqual([0, ''])
})

test('words that are in use never share a number, and the number of one that is not goes to the next', () => {
  const acts = fc.array(fc.record({ word: fc.constantFrom('', 'a', 'b', 'c', 'd'), drops: fc.boolean() }))
  fc.assert(
    fc.property(acts, (sequence) => {
      const words = createWords()
      const users = new Map<string, number>()
      // Whether that number still stands for the word, or for another one by now.
      let last = 0
      for (const { word, drops } of sequence) {
        const many = users.get(word) ?? 0
        if (drops && many > 0) words.drop(words.numberOf(word))
        else if (!drops) {
          last = words.again(last, word)
          expect(words.at(last)).toBe(word)
        }
        users.set(word, Math.max(many + (drops ? -1 : 1), 0))
        const used = [...users].filter(([, times]) => times > 0).map(([one]) => one)
        const numbers = used.map((one) => words.numberOf(one))
        expect(new Set(numbers).size).toBe(used.length)
        expect(numbers.every((number) => number > 0 && number <= 5)).toBe(true)
        for (const [one, times] of users) if (times === 0) expect(words.numberOf(one)).toBe(0)
      }
    }),
  )
})
