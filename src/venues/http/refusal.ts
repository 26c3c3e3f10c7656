import { VenueError } from '../../venue/venue.ts'

/** The longest quotation of the venue's own words: enough for a sentence, too little to flood a log. */
const LONGEST_WORDS = 300

export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Makes the failure for an answer that differs from the specification. `why` completes "cannot be used: …".
 */
export function unreadable(why: string): VenueError {
  return new VenueError({ is: 'unreadable', why }, `The venue's answer cannot be used: ${why}.`)
}

/**
 * Returns the venue's own words about a failure: `message`, else `error`, else `errorMsg`. Null if it gave
 * none.
 */
export function wordsIn(value: unknown): string | null {
  if (typeof value === 'string') return tidy(value)
  if (!isFields(value)) return null
  for (const name of ['message', 'error', 'errorMsg']) {
    const inner = value[name]
    const words = typeof inner === 'string' ? tidy(inner) : isFields(inner) ? wordsIn(inner['message']) : null
    if (words !== null) return words
  }
  return null
}

/** Makes one line of printable text without markup. Null if nothing is left or the text is a page. */
function tidy(text: string): string | null {
  const line = text
    .slice(0, 4 * LONGEST_WORDS)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  if (line === '' || line.startsWith('<')) return null
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line
}

/** Returns the words of a refusal's body: JSON or one line of plain text, but not a page of HTML. */
export function wordsOfRefusal(text: string): string | null {
  try {
    return wordsIn(JSON.parse(text))
  } catch {
    return tidy(text)
  }
}
