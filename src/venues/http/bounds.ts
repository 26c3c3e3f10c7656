/** The fullest page of fills has 32,000 values. An answer with many more is none, and slow to read. */
const MOST_VALUES = 100_000
/** The venues send at most 2,000 records a page, and list a few hundred markets. */
const LONGEST_LIST = 5_000
/** Up to this size, parse without checking the depth. In code units: brackets of this size cost at most 30 MB. */
const LARGE = 256 * 1024
/** A recorded answer has 6 levels. */
const DEEPEST = 64

/**
 * Returns why a text of somebody else is not parsed: our work grows with every value of it. Null if it may be
 * parsed.
 */
export function whyNotParsed(text: string): string | null {
  if (hasMoreCommas(MOST_VALUES, text)) return `it has more than ${MOST_VALUES} values`
  return text.length > LARGE && isDeeperThan(DEEPEST, text) ? 'it is nested too deeply' : null
}

/** Returns why the parsed text is not read; null if it may be. */
export function whyTooLong(value: unknown, text: string): string | null {
  return hasMoreCommas(LONGEST_LIST - 1, text) && hasLongList(value)
    ? `one of its lists has more than ${LONGEST_LIST} elements`
    : null
}

/** Stops at the bound, so that counting costs no more than that. */
function hasMoreCommas(most: number, text: string): boolean {
  let commas = 0
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) if (++commas > most) return true
  return false
}

function hasLongList(whole: unknown): boolean {
  const waiting: unknown[] = [whole]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value) && value.length > LONGEST_LIST) return true
    for (const inner of Object.values(value)) waiting.push(inner)
  }
  return false
}

/**
 * Whether brackets outside of strings are nested deeper than this. Looks at each sign once: a pattern would start anew
 * at every quotation mark of a string without an end.
 */
function isDeeperThan(most: number, text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) at += sign === '\\' ? 1 : 0
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    if (depth > most) return true
  }
  return false
}
