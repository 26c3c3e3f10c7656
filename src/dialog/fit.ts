import { bounded, itemPoints } from '../message/fit.ts'
import {
  type Button,
  cellText,
  inWords,
  type Item,
  item,
  ITEMS_PER_MESSAGE,
  MESSAGE_CODE_POINTS,
  joined,
  type Message,
  type Table,
  TABLE_COLUMNS,
  type Text,
  TITLE_CODE_POINTS,
  USUAL_LANGUAGE,
  words,
} from '../message/message.ts'
import type { Language } from '../words/words.ts'

/** Five rows of four: nobody chooses among more. */
const BUTTONS_PER_MESSAGE = 20
const LABEL_CODE_POINTS = 40
/** Discord's custom_id (https://docs.discord.com/developers/components/reference#button). */
const LINE_CHARACTERS = 100
/** Ten items leave no space for more rows; a command with a longer table splits it into pages. */
const TABLE_ROWS = 20

/**
 * Returns the message within the limits of every platform, and counts the items left out. Keeps every other field. Where
 * the reader's language is not known yet (null), sentences of the catalogue stay, and nothing cuts them.
 */
export function fitted(
  message: Message,
  language: Language | null = message.language ?? USUAL_LANGUAGE,
): Message {
  const { items, table, buttons, footnote } = message
  const said = (text: Text) => (language === null ? text : inWords(text, language))
  const shown = fittedItems(items.slice(0, ITEMS_PER_MESSAGE).map(wrapped), said)
  const left = items.length - shown.length
  const more = said(words('dialog.more', { n: String(left) }))
  return {
    ...message,
    items: shown.length > 0 || table ? shown : [item('plain', said(words('dialog.nothing')))],
    table: table && fittedTable(table),
    buttons: fittedButtons(buttons, said),
    footnote: left <= 0 ? footnote : joined(footnote === null ? [more] : [more, footnote], '; '),
  }
}

/** The items share the space of the message: the first may be long, and each later one keeps its title. */
function fittedItems(items: readonly Item[], said: (text: Text) => Text): Item[] {
  const titles = items.map((item) => itemPoints(bounded({ ...item, lines: [] })))
  let left = MESSAGE_CODE_POINTS - titles.reduce((sum, points) => sum + points, 0)
  return items.map((item, at) => {
    const fit = bounded(item, left + (titles[at] ?? 0))
    left -= itemPoints(fit) - (titles[at] ?? 0)
    return { ...fit, buttons: fittedButtons(item.buttons, said) }
  })
}

/** Moves the end of a long answer to the line below the title, so that no address or list is cut. */
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

/** Drops buttons whose line is too long for a platform: people can type it. */
function fittedButtons(buttons: readonly Button[], said: (text: Text) => Text): Button[] {
  return buttons
    .filter(({ line }) => line.length <= LINE_CHARACTERS)
    .slice(0, BUTTONS_PER_MESSAGE)
    .map((button) => {
      const label = said(button.label)
      return { ...button, label: typeof label === 'string' ? cut(label, LABEL_CODE_POINTS) : label }
    })
}

/** Cuts the first column to fit, because it holds names. */
function fittedTable(table: Table): Table {
  const { columns, rows } = table
  const shown = rows.slice(0, TABLE_ROWS)
  const all = [columns.map(({ title }) => inWords(title)), ...shown]
  const widths = columns.map((_, index) =>
    Math.max(...all.map((row) => [...cellText(row[index] ?? '')].length)),
  )
  const others = widths.slice(1).reduce((sum, width) => sum + width + 1, 0)
  const first = Math.max(TABLE_COLUMNS - others, 1)
  return { ...table, rows: shown.map(([name = '', ...rest]) => [cut(cellText(name), first), ...rest]) }
}

function cut(text: string, most: number): string {
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}
