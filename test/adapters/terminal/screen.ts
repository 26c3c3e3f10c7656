/** A row of the screen. */
interface Row {
  cells: string[]
  rang: boolean
  styled: boolean
}

/** A control sequence, an application program command, or a character. */
// oxlint-disable-next-line no-control-regex -- a terminal is steered by control characters
const PART = /\u001B\[([\d;]*)([A-Za-z])|\u001B_.*?\u001B\\|[^]/gu

/** What a terminal of endless width shows of what is written to it; only what readline and our paint use is known. */
export function createScreen(): { write(text: string): void; rows(): readonly Row[] } {
  const rows: Row[] = []
  let row = 0
  let column = 0
  const line = (): Row => {
    while (rows.length <= row) rows.push({ cells: [], rang: false, styled: false })
    return rows[row] as Row
  }
  const obey = (count: number, letter: string) => {
    if (letter === 'A') row = Math.max(row - count, 0)
    else if (letter === 'B') row += count
    else if (letter === 'C') column += count
    else if (letter === 'D') column = Math.max(column - count, 0)
    else if (letter === 'G') column = count - 1
    else if (letter === 'K') line().cells.length = column
    else if (letter === 'J') {
      line().cells.length = Math.min(line().cells.length, column)
      rows.length = row + 1
    } else if (letter === 'm') line().styled = true
    // The question for its attributes shows nothing.
    else if (letter !== 'c') throw new Error(`the screen does not know CSI ${count}${letter}`)
  }
  return {
    write(text) {
      for (const [part, numbers, letter] of text.matchAll(PART)) {
        if (letter !== undefined) obey(Number.parseInt(numbers || '1', 10), letter)
        else if (part.startsWith('\u001B_')) continue
        else if (part === '\n') {
          row++
          column = 0
          line()
        } else if (part === '\r') column = 0
        else if (part === '\u0007') line().rang = true
        else {
          const { cells } = line()
          while (cells.length < column) cells.push(' ')
          cells[column++] = part
        }
      }
    },
    rows: () => rows,
  }
}
