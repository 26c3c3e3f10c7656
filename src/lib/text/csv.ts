/** A cell: words, which are only ever shown, or a figure or time that a sheet may count with. Null is empty. */
export type CsvCell = string | { bare: string } | null

/** What a sheet would take for a formula, also behind what it does not show, and in the widths of other scripts. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u
const BARE = /^[-0-9.:TZ]+$/

/** Rows as RFC 4180 has them (https://www.rfc-editor.org/rfc/rfc4180): words in quotes, and none of them a formula. */
export function csv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string' && BARE.test(cell.bare)) return cell.bare
  const words = (typeof cell === 'string' ? cell : cell.bare).toWellFormed()
  // Whatever sheet reads it: what begins with an apostrophe is text (https://owasp.org/www-community/attacks/CSV_Injection).
  const safe = FORMULA.test(words) ? `'${words}` : words
  return `"${safe.replaceAll('"', '""')}"`
}
