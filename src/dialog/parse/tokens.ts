import { legible } from '../../lib/text/legible.ts'

/** Longer lines are cut: nobody types them, and nothing here should take long. */
const LONGEST_LINE = 2_000

/** Quoted words, a figure with its `%` set apart, or a word. */
const TOKEN = /["“”„«»]([^"“”„«»]*)["“”„«»]?|(-?\d[\d.,]*\s+%)(?=\s|$|\/\p{L})|(\S+)/gu

/** Splits a line at white space; quotes of any make keep words together, and an open one ends with the line. */
export function tokens(line: string): string[] {
  const found: string[] = []
  for (const match of legible(line.slice(0, LONGEST_LINE)).matchAll(TOKEN)) {
    const token = (match[1] ?? match[2]?.replace(/\s+/, '') ?? match[3] ?? '').trim()
    if (token !== '') found.push(token)
  }
  return found
}

/** A line that reads back as these words. */
export function lineOf(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')
}

const SAID_BACK = 24

/** What somebody typed, in an answer to them: enough of it to know it by. */
export function saidBack(words: string): string {
  const points = [...words]
  return points.length > SAID_BACK ? `${points.slice(0, SAID_BACK).join('')}…` : words
}
