import { ints } from './paged.ts'

/** Words that are used again and again, each kept once and known by a number above zero, for as long as anybody uses it. */
export interface Words {
  /** Its number, from now on used once more. */
  take(word: string): number
  /** Like `take`, for a word that is perhaps the one with this number: then nothing is looked up. */
  again(number: number, word: string): number
  drop(number: number): void
  /** Zero for a word that is not in use. */
  numberOf(word: string): number
  at(number: number): string
}

export function createWords(): Words {
  const numbers = new Map<string, number>()
  const words: string[] = ['']
  const users = ints()
  const free: number[] = []
  function take(word: string): number {
    const known = numbers.get(word)
    const number = known ?? free.pop() ?? words.length
    if (known === undefined) {
      numbers.set(word, number)
      words[number] = word
    }
    users.set(number, users.get(number) + 1)
    return number
  }
  return {
    take,
    again(number, word) {
      // Number 0 and the numbers of words that nobody uses stand for the empty word.
      if (words[number] !== word || word === '') return take(word)
      users.set(number, users.get(number) + 1)
      return number
    },
    drop(number) {
      const left = users.get(number) - 1
      users.set(number, left)
      if (left > 0) return
      numbers.delete(words[number] ?? '')
      words[number] = ''
      free.push(number)
    },
    numberOf: (word) => numbers.get(word) ?? 0,
    at: (number) => words[number] ?? '',
  }
}
