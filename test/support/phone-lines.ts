/** Columns of a phone: a line breaks between words, a longer word within it. */
export const COLUMNS = 36

/** Returns how many lines of a phone a line takes. */
export function wrapped(line: string): number {
  let lines = 1
  let used = 0
  for (const word of line.split(' ')) {
    const wide = [...word].length
    if (used > 0 && used + 1 + wide > COLUMNS) {
      lines += 1
      used = 0
    }
    lines += Math.max(0, Math.ceil(wide / COLUMNS) - 1)
    used += (used > 0 ? 1 : 0) + (wide > COLUMNS ? wide % COLUMNS : wide)
  }
  return lines
}
