/** Longer lines are cut: nobody types them, and nothing here should take long. */
const LONGEST_LINE = 2_000

/** Splits a line at white space; quotes of any make keep words together, and an open one ends with the line. */
export function tokens(line: string): string[] {
  const found: string[] = []
  const pattern = /["“”„«]([^"“”»]*)["“”»]?|(\S+)/gu
  for (const match of line.slice(0, LONGEST_LINE).matchAll(pattern)) {
    const token = (match[1] ?? match[2] ?? '').trim()
    if (token !== '') found.push(token)
  }
  return found
}
