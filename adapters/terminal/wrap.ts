/** What stands before the rest of a line that was too long for the window. */
const INDENT = '    '
/** A window so narrow shows nothing well. */
const NARROWEST = 20

// oxlint-disable-next-line no-control-regex -- Select Graphic Rendition, which takes no room
const PAINT = /\u001B\[[\d;]*m/g

/** The line in as many rows as a window of so many columns needs, broken between words: never within a figure. */
export function wrapped(line: string, columns: number): string[] {
  if (columns < NARROWEST || width(line) <= columns) return [line]
  const rows: string[] = []
  const [indent = ''] = /^ */.exec(line) ?? []
  let row = ''
  for (const word of line.slice(indent.length).split(/ (?!%)/)) {
    const longer = row === '' ? `${rows.length === 0 ? indent : INDENT}${word}` : `${row} ${word}`
    if (row === '' || width(longer) <= columns) row = longer
    else {
      rows.push(row)
      row = INDENT + word
    }
  }
  return [...rows, row]
}

function width(text: string): number {
  return [...text.replace(PAINT, '')].length
}
