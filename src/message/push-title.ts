import {
  type Button,
  inWords,
  type Item,
  type Message,
  message,
  plainLines,
  type Reader,
  type Tone,
  words,
} from './message.ts'
import type { Language } from '../words/words.ts'

/** A message for an app that shows only a title and a short text, without styles. */
export interface PushText {
  title: string
  text: string
}

interface PushOptions {
  reader: Reader
  possibleRepeat: boolean
  /** Buttons that stand beside the text. */
  offered?: readonly Button[]
}

/**
 * Shortens a message until it fits: whole rows and items, the worst ones first, with the number of the
 * others.
 */
export function pushTitle(
  original: Message,
  { reader, possibleRepeat, offered = [] }: PushOptions,
  fits: (pushText: PushText) => boolean,
): PushText {
  const { items, table } = original
  const rows = table?.rows.length ?? 0
  const candidates = [
    ...Array.from({ length: rows + 1 }, (_, less) => ({ items: items.length, rows: rows - less })),
    ...Array.from({ length: items.length }, (_, less) => ({ items: items.length - less - 1, rows: 0 })),
  ]
  let last: PushText = { title: '', text: '…' }
  for (const kept of candidates) {
    const left = items.length - kept.items + rows - kept.rows
    const more = left === 0 ? [] : [inWords(words('platform.more', { n: String(left) }), reader.language)]
    const shownTable = table && kept.rows > 0 ? { ...table, rows: table.rows.slice(0, kept.rows) } : null
    const shown = items.slice(0, kept.items)
    const head = plainLines(message(shown.map((item) => ({ ...item, buttons: [] }))), reader)
    const rest = plainLines({ ...original, items: [], table: shownTable, buttons: [] }, reader)
    const lines = [...head, ...more, ...answers(shown, offered, reader.language), ...rest].filter(
      (line) => line.trim() !== '',
    )
    const titled = kept.items > 0 && lines.length > 1
    const below = titled ? outdented(lines.slice(1)) : lines
    const body = [
      ...(possibleRepeat ? [inWords(words('platform.repeat'), reader.language)] : []),
      ...below,
    ].join('\n')
    last = { title: titled ? (lines[0] ?? '') : '', text: body === '' ? '…' : body }
    if (fits(last)) return last
  }
  const points = [...last.text]
  // No real message is this long. Cut, it is still of some use.
  while (points.length > 0 && !fits({ ...last, text: `${points.join('')}…` })) points.splice(-16)
  return { ...last, text: `${points.join('')}…` }
}

/**
 * Lines of the title's own item lose their indent: a phone shows the title apart, and drops the first spaces
 * anyway.
 */
function outdented(lines: readonly string[]): string[] {
  const own = lines.findIndex((line) => !line.startsWith(' '))
  return lines.map((line, at) => (own === -1 || at < own ? line.trimStart() : line))
}

/** Without buttons, names the first command for each urgent item, to be sent in a chat. */
function answers(items: readonly Item[], offered: readonly Button[], language?: Language): string[] {
  const isOffered = ({ line }: Button) => offered.some((one) => one.line === line)
  const lines = items.flatMap(({ tone, buttons: [first] }) =>
    (tone === 'critical' || tone === 'warning') && first && !isOffered(first) ? [first.line] : [],
  )
  return lines.length === 0
    ? []
    : [inWords(words('platform.in-chat', { lines: lines.join(' · ') }), language)]
}

const LOUDNESS: readonly Tone[] = ['plain', 'good', 'info', 'blind', 'warning', 'critical']

/** The loudest tone of a message. */
export function loudest({ items }: Message): Tone {
  return items
    .map(({ tone }) => tone)
    .reduce((a, b) => (LOUDNESS.indexOf(b) > LOUDNESS.indexOf(a) ? b : a), 'plain')
}
