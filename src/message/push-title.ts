import {
  type Button,
  type Item,
  type Message,
  message,
  plainLines,
  type Reader,
  type Tone,
} from './message.ts'

/** What a place shows that knows only a title and a text: no styles, little room. */
export interface Brief {
  title: string
  text: string
}

interface Told {
  reader: Reader
  possibleRepeat: boolean
  /** Buttons that stand beside the text. */
  offered?: readonly Button[]
}

const REPEAT = '(possible repeat)'

/** The message as plain words that fit: whole rows and items, the worst ones first, and how many are left out. */
export function pushTitle(
  said: Message,
  { reader, possibleRepeat, offered = [] }: Told,
  fits: (brief: Brief) => boolean,
): Brief {
  const { items, table } = said
  const rows = table?.rows.length ?? 0
  const candidates = [
    ...Array.from({ length: rows + 1 }, (_, less) => ({ items: items.length, rows: rows - less })),
    ...Array.from({ length: items.length }, (_, less) => ({ items: items.length - less - 1, rows: 0 })),
  ]
  let last: Brief = { title: '', text: '…' }
  for (const kept of candidates) {
    const left = items.length - kept.items + rows - kept.rows
    const more = left === 0 ? [] : [`… and ${left} more, which is too much for here`]
    const shownTable = table && kept.rows > 0 ? { ...table, rows: table.rows.slice(0, kept.rows) } : null
    const shown = items.slice(0, kept.items)
    const head = plainLines(message(shown.map((item) => ({ ...item, buttons: [] }))), reader)
    const rest = plainLines({ ...said, items: [], table: shownTable, buttons: [] }, reader)
    const lines = [...head, ...more, ...answers(shown, offered), ...rest].filter((line) => line.trim() !== '')
    const titled = kept.items > 0 && lines.length > 1
    const below = titled ? outdented(lines.slice(1)) : lines
    const body = [...(possibleRepeat ? [REPEAT] : []), ...below].join('\n')
    last = { title: titled ? (lines[0] ?? '') : '', text: body === '' ? '…' : body }
    if (fits(last)) return last
  }
  const points = [...last.text]
  // Nothing that is sent is so long; cut, it says something all the same.
  while (points.length > 0 && !fits({ ...last, text: `${points.join('')}…` })) points.splice(-16)
  return { ...last, text: `${points.join('')}…` }
}

/** What belongs to the title stands alone: a phone shows them apart, and drops the first of the spaces anyway. */
function outdented(lines: readonly string[]): string[] {
  const own = lines.findIndex((line) => !line.startsWith(' '))
  return lines.map((line, at) => (own === -1 || at < own ? line.trimStart() : line))
}

/** Where nobody can press a button: the first thing that one would do about each, to be said where one can. */
function answers(items: readonly Item[], offered: readonly Button[]): string[] {
  const isOffered = ({ line }: Button) => offered.some((one) => one.line === line)
  const lines = items.flatMap(({ tone, buttons: [first] }) =>
    (tone === 'critical' || tone === 'warning') && first && !isOffered(first) ? [first.line] : [],
  )
  return lines.length === 0 ? [] : [`in our chat: ${lines.join(' · ')}`]
}

const LOUDNESS: readonly Tone[] = ['plain', 'good', 'info', 'blind', 'warning', 'critical']

/** The loudest thing that is said. */
export function loudest({ items }: Message): Tone {
  return items
    .map(({ tone }) => tone)
    .reduce((a, b) => (LOUDNESS.indexOf(b) > LOUDNESS.indexOf(a) ? b : a), 'plain')
}
