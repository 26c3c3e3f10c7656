import {
  bounded,
  type Button,
  cellText,
  type Item,
  ITEMS_PER_MESSAGE,
  joined,
  type Message,
  type Table,
  TABLE_COLUMNS,
  TITLE_CODE_POINTS,
} from '../message/message.ts'

/** Five rows of four: more is no choice any more. */
const BUTTONS_PER_MESSAGE = 20
const LABEL_CODE_POINTS = 40
/** Discord's custom_id (https://docs.discord.com/developers/components/reference#button). */
const LINE_CHARACTERS = 100
/** With ten items there is no room for more; a command that has a longer table turns pages. */
const TABLE_ROWS = 20

/** The message within what any platform takes; what is left out is counted. Commands keep within it by themselves. */
export function fitted({ items, table, buttons, footnote, file }: Message): Message {
  const shown = items.slice(0, ITEMS_PER_MESSAGE).map(fittedItem)
  const left = items.length - shown.length
  const more = `and ${left} more`
  const whole = shown.length > 0 || table ? shown : [{ ...NOTHING }]
  const note = left <= 0 ? footnote : joined(footnote === null ? [more] : [more, footnote], '; ')
  const rest = { buttons: fittedButtons(buttons), footnote: note, ...(file ? { file } : {}) }
  return { items: whole, table: table && fittedTable(table), ...rest }
}

const NOTHING: Item = { tone: 'plain', title: 'There is nothing to show.', lines: [], buttons: [] }

function fittedItem(item: Item): Item {
  return { ...bounded(wrapped(item)), buttons: fittedButtons(item.buttons) }
}

/** An answer that is too long for a title goes on in the line below it: an address or a list is not cut. */
function wrapped(item: Item): Item {
  const { tone, title, lines } = item
  if (tone !== 'plain' || typeof title !== 'string' || [...title].length <= TITLE_CODE_POINTS) return item
  const start = [...title].slice(0, TITLE_CODE_POINTS).join('')
  const [sentence, word] = [/^.*[.?](?=\s)/s.exec(start)?.[0], /^.*\S(?=\s)/s.exec(start)?.[0]]
  const first = sentence ?? word
  return first === undefined
    ? item
    : { ...item, title: first, lines: [title.slice(first.length).trim(), ...lines] }
}

/** A button whose line is too long to be carried is none: what it would say can be typed. */
function fittedButtons(buttons: readonly Button[]): Button[] {
  return buttons
    .filter(({ line }) => line.length <= LINE_CHARACTERS)
    .slice(0, BUTTONS_PER_MESSAGE)
    .map((button) => ({ ...button, label: cut(button.label, LABEL_CODE_POINTS) }))
}

/** The first column gives way: it holds names. */
function fittedTable({ columns, rows }: Table): Table {
  const shown = rows.slice(0, TABLE_ROWS)
  const all = [columns.map(({ title }) => title), ...shown]
  const widths = columns.map((_, index) =>
    Math.max(...all.map((row) => [...cellText(row[index] ?? '')].length)),
  )
  const others = widths.slice(1).reduce((sum, width) => sum + width + 1, 0)
  const first = Math.max(TABLE_COLUMNS - others, 1)
  return { columns, rows: shown.map(([name = '', ...rest]) => [cut(cellText(name), first), ...rest]) }
}

function cut(text: string, most: number): string {
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}
