/** What one word is, of one type of argument. */
export type Match =
  | { is: 'value'; value: unknown }
  /** Probably meant: taken where the word is nothing else exactly. */
  | { is: 'likely'; value: unknown }
  /** One of these: nobody but who typed it knows which. */
  | { is: 'several'; names: readonly string[] }
  /** Not of this type at all: try another. */
  | { is: 'other' }
  /** Surely meant as one, and wrong: the sentence says why. */
  | { is: 'wrong'; why: string }

export const OTHER: Match = { is: 'other' }
export const value = (of: unknown): Match => ({ is: 'value', value: of })
export const likely = (of: unknown): Match => ({ is: 'likely', value: of })
export const wrong = (why: string): Match => ({ is: 'wrong', why })
