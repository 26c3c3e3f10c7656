import { codePoints } from '../../src/message/fit.ts'
import {
  inWords,
  ITEM_CODE_POINTS,
  ITEMS_PER_MESSAGE,
  type Message,
  type Table,
  TABLE_COLUMNS,
  tableLines,
} from '../../src/message/message.ts'

export function tableWidth(table: Table): number {
  return Math.max(...tableLines(table).map((line) => [...line].length))
}

/** How a message is beyond what any platform takes; empty when it is not. */
export function within({ items, table, buttons }: Message): string[] {
  const wrong: string[] = []
  const all = [...buttons, ...items.flatMap((item) => item.buttons)]
  if (items.length === 0 && table === null) wrong.push('nothing is said')
  if (items.length > ITEMS_PER_MESSAGE) wrong.push(`${items.length} items`)
  for (const { title, lines } of items) {
    const length = codePoints(title) + lines.reduce((sum, line) => sum + codePoints(line) + 1, 0)
    if (length > ITEM_CODE_POINTS) wrong.push(`an item of ${length}`)
    if (codePoints(title) === 0) wrong.push('an item without a title')
  }
  if (table && tableWidth(table) > TABLE_COLUMNS) wrong.push(`a table of ${tableWidth(table)} columns`)
  if (all.length > 20) wrong.push(`${all.length} buttons`)
  for (const { label: text, line } of all) {
    const label = inWords(text)
    if (line.length > 100) wrong.push(`a button's line of ${line.length}: ${line}`)
    if ([...label].length > 40 || label === '') wrong.push(`a button's label of ${label.length}: ${label}`)
  }
  return wrong
}
