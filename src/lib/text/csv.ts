/** A cell: words, which are only ever shown, or a figure or time that a sheet may count with. Null is empty. */
export type CsvCell = string | { bare: string } | null

/**
 * Text that a spreadsheet would read as a formula, including invisible characters before the sign and full-width signs.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u
const BARE = /^[-0-9.:TZ]+$/

/** Writes rows as RFC 4180 defines them (https://www.rfc-editor.org/rfc/rfc4180), with quoted words and no formulas. */
export function csv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string' && BARE.test(cell.bare)) return cell.bare
  const words = (typeof cell === 'string' ? cell : cell.bare).toWellFormed()
  // A spreadsheet that separates columns by semicolons or tabs cuts a cell there, and reads each part.
  // All spreadsheets read a cell that begins with an apostrophe as text
  // (https://owasp.org/www-community/attacks/CSV_Injection).
  const [head = ''] = /^[\s\p{Cc}\p{Cf}]*/u.exec(words) ?? []
  const parts = words.slice(head.length).split(/(?<=[;\t\r\n])/)
  const cut = parts.map((part, at) => (at > 0 && FORMULA.test(part) ? `'${part}` : part)).join('')
  const safe = `${FORMULA.test(words) ? "'" : ''}${head}${cut}`
  return `"${safe.replaceAll('"', '""')}"`
}
