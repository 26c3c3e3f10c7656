import { leaner } from './fit.ts'
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

/** Shortens a message until it fits: the worst items stay, with the number of the others. */
export function pushTitle(
  original: Message,
  { reader, possibleRepeat, offered = [] }: PushOptions,
  fits: (pushText: PushText) => boolean,
): PushText {
  let last: PushText = { title: '', text: '…' }
  for (const { message: kept, left } of leaner(original)) {
    const more = left === 0 ? [] : [inWords(words('platform.more', { n: String(left) }), reader.language)]
    const head = plainLines(message(kept.items.map((item) => ({ ...item, buttons: [] }))), reader)
    const rest = plainLines({ ...kept, items: [], buttons: [] }, reader)
    const lines = [...head, ...more, ...answers(kept.items, offered, reader.language), ...rest].filter(
      (line) => line.trim() !== '',
    )
    const titled = kept.items.length > 0 && lines.length > 1
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
