import { legible } from '../../lib/text/legible.ts'

/** Longer lines are cut. Nobody types them, and parsing must stay fast. */
const LONGEST_LINE = 2_000

/** Quoted words, a figure and its `%` after a space, or a word. */
const TOKEN = /["“”„«»]([^"“”„«»]*)["“”„«»]?|(-?\d[\d.,]*\s+%)(?=\s|$|\/\p{L})|(\S+)/gu

/** Splits a line at white space. Quotes of any style keep words together; an open quote ends with the line. */
export function tokens(line: string): string[] {
  const found: string[] = []
  for (const match of legible(line.slice(0, LONGEST_LINE)).matchAll(TOKEN)) {
    const token = (match[1] ?? match[2]?.replace(/\s+/, '') ?? match[3] ?? '').trim()
    if (token !== '') found.push(token)
  }
  return found
}

/** Joins words into a line that splits into the same words. */
export function lineOf(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')
}

const SAID_BACK = 24

/** Quotes a typed word in an answer, cut to a recognizable length. */
export function saidBack(words: string): string {
  const points = [...words]
  return points.length > SAID_BACK ? `${points.slice(0, SAID_BACK).join('')}…` : words
}
