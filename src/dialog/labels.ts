import type { Vocabulary } from './vocabulary.ts'

/** The most words that a label is looked for in. */
const LABEL_WORDS = 6

/** Words that are a wallet's label together count as one, quoted or not. */
export function withLabels(words: readonly string[], { view, personId }: Vocabulary): string[] {
  const labels = new Set(view.watches(personId).map(({ label }) => label.toLowerCase()))
  const joined: string[] = []
  for (let at = 0; at < words.length;) {
    const starting = (count: number) => words.slice(at, at + count).join(' ')
    let count = LABEL_WORDS
    while (count > 1 && !labels.has(starting(count).toLowerCase())) count -= 1
    joined.push(starting(count))
    at += count
  }
  return joined
}
