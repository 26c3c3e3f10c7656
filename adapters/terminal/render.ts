import {
  type Button,
  cellText,
  inWords,
  type Item,
  linesOf,
  type Message,
  plainLines,
  type Reader,
  type Span,
  spokenSpans,
  type Text,
  type Tone,
} from '../../src/message/message.ts'
import { isOther } from '../../src/message/question.ts'

/** Select Graphic Rendition pairs, on and off, so that they nest: ECMA-48 section 8.3.117. */
const PAINT = {
  critical: ['97;41', '39;49'],
  warning: ['33', '39'],
  info: ['36', '39'],
  good: ['32', '39'],
  blind: ['35', '39'],
  strong: ['1', '22'],
  code: ['4', '24'],
  small: ['2', '22'],
} as const satisfies Record<Exclude<Tone, 'plain'> | 'strong' | 'code' | 'small', readonly [string, string]>

interface Look {
  reader: Reader
  colour: boolean
  /** Alerts carry the time at which they were printed; answers do not. */
  stamped: boolean
  possibleRepeat: boolean
}

/** A message as the lines of a terminal or a pipe. Nothing in it can steer the terminal. */
export function renderLines(message: Message, look: Look): string[] {
  const paint = (how: keyof typeof PAINT, text: string) =>
    look.colour ? `\u001B[${PAINT[how][0]}m${text}\u001B[${PAINT[how][1]}m` : text
  const readable = (text: Text) => spokenSpans(text).map((span) => emphasised(span, paint))
  const stamp = look.stamped ? `${timeOfDay(look.reader)} ` : ''

  const lines = message.items.flatMap((item) => {
    const [title = '', ...rest] = plainLines(only(cleanItem(item, readable)), look.reader).flatMap(indented)
    return [stamp + (item.tone === 'plain' ? title : paint(item.tone, title)), ...rest]
  })
  const table = message.table && {
    columns: message.table.columns.map((column) => ({ ...column, title: oneLine(inWords(column.title)) })),
    rows: message.table.rows.map((row) => row.map((cell) => oneLine(cellText(cell)))),
  }
  // At a prompt there is nothing to open for an answer of one's own.
  const buttons = message.buttons.filter((one) => !isOther(one)).map(cleanButton)
  lines.push(...plainLines({ items: [], table, buttons, footnote: null }, look.reader))
  if (message.footnote !== null) {
    const [note = ''] = plainLines({ ...only(), footnote: readable(message.footnote) }, look.reader)
    lines.push(...indented(note).map((line) => paint('small', line)))
  }
  return look.possibleRepeat
    ? lines.map((line, at) => (at === 0 ? `(possible repeat) ${line}` : line))
    : lines
}

// Escape sequences in a label can repaint the screen. Bidirectional controls can make it read as another text
// (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing).
// oxlint-disable-next-line no-control-regex -- they are the very thing that is looked for
const STEERING = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** Removes everything that controls a terminal, but keeps line feeds. */
export function clean(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(STEERING, '')
}

/** Removes line feeds too: for cells, buttons and typed text. */
export function oneLine(text: string): string {
  return clean(text).replace(/\n/g, ' ')
}

/** A line feed inside a name begins an indented line, so that it visibly belongs to the one above. */
function indented(line: string): string[] {
  return line.split('\n').map((part, at) => (at === 0 ? part : `    ${part}`))
}

function cleanItem(item: Item, readable: (text: Text) => Text): Item {
  return {
    ...(item.alertId === undefined ? {} : { alertId: item.alertId }),
    tone: item.tone,
    title: readable(item.title),
    lines: linesOf(item)
      .filter((line) => line !== '')
      .map(readable),
    buttons: item.buttons.map(cleanButton),
  }
}

function cleanButton(button: Button): Button {
  const { label, line, opens } = button
  const shown = { ...button, label: oneLine(inWords(label)), line: oneLine(line) }
  return opens ? { ...shown, opens: { ...opens, url: oneLine(opens.url) } } : shown
}

function emphasised(span: Span, paint: (how: 'strong' | 'code', text: string) => string): Span {
  if (typeof span === 'string') return clean(span)
  if ('strong' in span) return paint('strong', clean(span.strong))
  if ('code' in span) return paint('code', clean(span.code))
  return span
}

function only(...items: Item[]): Message {
  return { items, table: null, buttons: [], footnote: null }
}

/** `14:02:05` in the reader's zone. */
function timeOfDay({ now, zone }: Reader): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' }).format(now)
}
