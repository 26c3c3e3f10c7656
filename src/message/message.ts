import { agoText, figureText, type NumberStyle, USUAL_STYLE } from '../lib/text/format.ts'
import { addSpan, codePointsIn, ofSpans, startOf } from '../lib/text/legible.ts'
import { clockTime } from '../lib/time/daytime.ts'
import type { Figure } from './figure.ts'

/** What people read, free of any platform: JSON through and through, so that it waits in the outbox as it is. */
export interface Message {
  items: Item[]
  table: Table | null
  buttons: Button[]
  /** Ages, sources, what to do next: small print. */
  footnote: Text | null
  /** The reader's own zone, where we know them and the platform cannot show times in it by itself. */
  zone?: string
  /** Only with an answer. Where no file can be had, its text is shown. */
  file?: Attachment
}

/** One thing that is said. Bounded (see `ITEM_CODE_POINTS`), so that ten of them fit any platform's message. */
export interface Item {
  tone: Tone
  /** The symbol first, the side in words, the figure that matters: what a lock screen shows. */
  title: Text
  lines: Text[]
  buttons: Button[]
  /** It was said before, and is said once more because nobody has heeded it: whoever does withdraws it while it waits. */
  again?: true
  /** So many of its last lines have their place in the room of the whole message, and are not bounded with the others. */
  beyond?: number
}

/** `plain` is conversation; the others are how loud an alert is. */
export type Tone = 'critical' | 'warning' | 'info' | 'good' | 'blind' | 'plain'

/** Text with the parts that are shown in the reader's own way: figures, times, and emphasis where there is some. */
export type Text = string | readonly Span[]
export type Span = string | { strong: string } | { code: string } | Figure | Time
interface Time {
  time: number
  as: 'clock' | 'ago'
}

/** At most 28 columns wide in all, so that a phone does not wrap it. */
export interface Table {
  columns: { title: string; align: 'left' | 'right' }[]
  rows: Cell[][]
}
export type Cell = string | Figure

/** A command that somebody else typed. With `replace` the answer takes the place of the button's message. */
export interface Button {
  label: string
  line: string
  replace: boolean
}

export const ITEMS_PER_MESSAGE = 10
/** Telegram's 4096 code points for a text (https://core.telegram.org/bots/api#sendmessage), less small print, by ten. */
export const ITEM_CODE_POINTS = 380
export const TABLE_COLUMNS = 28

/** Words around figures, times and other texts: ``text`price ${price(p)}, ${old}` ``. Mere words are a string. */
export function text(literals: TemplateStringsArray, ...values: readonly (Text | Span | number)[]): Text {
  const all: Span[] = []
  literals.forEach((literal, at) => {
    const value = values[at] ?? ''
    add(all, literal)
    add(all, typeof value === 'number' ? String(value) : value)
  })
  return ofSpans(all)
}

export function joined(parts: readonly (Text | Span)[], by: string): Text {
  const all: Span[] = []
  for (const [at, part] of parts.entries()) {
    if (at > 0) add(all, by)
    add(all, part)
  }
  return ofSpans(all)
}

/** The text as somebody with this style of numbers reads it; nothing but its figures changes. */
export function written(text: Text, numbers: NumberStyle): Text {
  if (typeof text === 'string') return text
  const all: Span[] = []
  for (const span of text) add(all, isFigure(span) ? cellText(span, numbers) : span)
  return ofSpans(all)
}

/** What a cell shows. */
export function cellText(cell: Cell, numbers: NumberStyle = USUAL_STYLE): string {
  return typeof cell === 'string' ? cell : figureText(cell.figure, cell.as, numbers)
}

function add(all: Span[], more: Text | Span): void {
  if (Array.isArray(more)) for (const span of more as readonly Span[]) addSpan(all, span)
  else addSpan(all, more as Span)
}

const isFigure = (span: Span): span is Figure => typeof span !== 'string' && 'figure' in span

/** A plain answer: a sentence, and what else there is to say. */
export function say(title: Text, ...lines: Text[]): Message {
  return message([item('plain', title, lines)])
}

export function item(tone: Tone, title: Text, lines: Text[] = [], buttons: Button[] = []): Item {
  return { tone, title, lines, buttons }
}

/** A title is what a lock screen shows; cut here, it leaves room for the figures below it. */
export const TITLE_CODE_POINTS = 120
/** A time at its longest, where a platform cannot show it itself: `15 Sept 14:02 UTC`. */
const TIME_CODE_POINTS = 17

/**
 * The item within `ITEM_CODE_POINTS`, line ends included: overlong names are cut, so that no alert outgrows a message.
 * `spare` is what will be added to its title.
 */
export function bounded(item: Item, spare = 0): Item {
  const title = cut(item.title, TITLE_CODE_POINTS - spare)
  let left = ITEM_CODE_POINTS - spare - codePoints(title)
  const lines: Text[] = []
  const own = item.lines.length - (item.beyond ?? 0)
  for (const line of item.lines.slice(0, own)) {
    if (left < 2) break
    const points = codePoints(line)
    const kept = points < left ? line : cut(line, left - 1)
    left -= (kept === line ? points : codePoints(kept)) + 1
    lines.push(kept)
  }
  return { ...item, title, lines: [...lines, ...item.lines.slice(own)] }
}

/** How long a text is at most, whatever the reader's zone and style. */
export function codePoints(text: Text): number {
  return typeof text === 'string' ? codePointsIn(text) : text.reduce((sum, span) => sum + spanPoints(span), 0)
}

function spanPoints(span: Span): number {
  if (typeof span !== 'string' && 'time' in span) return TIME_CODE_POINTS
  return codePointsIn(wordsOf(span))
}

/** The text, or as much of it as fits before an ellipsis; a time or a figure is kept whole or not at all. */
function cut(text: Text, most: number): Text {
  if (codePoints(text) <= most) return text
  if (typeof text === 'string') return startOf(text, most - 1)
  const kept: Span[] = []
  let left = most - 1
  for (const span of text) {
    if (spanPoints(span) > left) {
      const whole = typeof span !== 'string' && ('time' in span || 'figure' in span)
      kept.push(whole ? '…' : startOf(wordsOf(span), left))
      break
    }
    kept.push(span)
    left -= spanPoints(span)
  }
  return kept
}

function spansOf(text: Text | Span): readonly Span[] {
  return typeof text === 'string' || !Array.isArray(text) ? [text as Span] : text
}

/** What a span says; a figure as most people write it. */
export function wordsOf(span: Exclude<Span, Time>): string {
  if (typeof span === 'string' || 'figure' in span) return cellText(span)
  return 'strong' in span ? span.strong : span.code
}

export function message(items: Item[], rest: Partial<Omit<Message, 'items'>> = {}): Message {
  return { items, table: null, buttons: [], footnote: null, ...rest }
}

/** Nothing to say: nothing is sent. */
export function isSilent({ items, table, footnote }: Message): boolean {
  return items.length === 0 && table === null && footnote === null
}

/** How times read where the platform cannot show them in the reader's zone itself. */
export interface Reader {
  now: number
  /** An IANA zone; `UTC` when the person has not said. */
  zone: string
}

/** The text without its emphasis. */
export function plainText(text: Text, reader: Reader): string {
  return spansOf(text)
    .map((span) => {
      if (typeof span === 'string' || !('time' in span)) return wordsOf(span)
      return span.as === 'clock' ? clockTime(span.time, reader) : agoText(reader.now - span.time)
    })
    .join('')
}

/** How a tone reads where there is no colour; conversation has no mark. */
export const TONE_WORDS: Record<Tone, string> = {
  critical: 'CRITICAL',
  warning: 'WARNING',
  info: 'INFO',
  good: 'RESOLVED',
  blind: 'BLIND',
  plain: '',
}

/** Every message as plain lines: what a pipe prints, and what is sent when a platform refuses the markup. */
export function plainLines(message: Message, reader: Reader): string[] {
  const lines: string[] = []
  for (const { tone, title, lines: body, buttons } of message.items) {
    const mark = TONE_WORDS[tone]
    lines.push(`${mark === '' ? '' : `[${mark}] `}${plainText(title, reader)}`)
    for (const line of body) lines.push(`  ${plainText(line, reader)}`)
    if (buttons.length > 0) lines.push(`  ${buttonLine(buttons)}`)
  }
  if (message.table) lines.push(...tableLines(message.table))
  if (message.buttons.length > 0) lines.push(buttonLine(message.buttons))
  if (message.footnote !== null) lines.push(plainText(message.footnote, reader))
  if (message.file) lines.push(...fileLines(message.file))
  return lines
}

/** The table in fixed-width lines, columns aligned, one space between. */
export function tableLines({ columns, rows }: Table): string[] {
  const all = [columns.map((column) => column.title), ...rows.map((row) => row.map((cell) => cellText(cell)))]
  const widths = columns.map((_, index) => Math.max(...all.map((row) => [...(row[index] ?? '')].length)))
  return all.map((row) =>
    columns
      .map(({ align }, index) => {
        const cell = row[index] ?? ''
        const gap = ' '.repeat(Math.max((widths[index] ?? 0) - [...cell].length, 0))
        return align === 'right' ? gap + cell : cell + gap
      })
      .join(' ')
      .trimEnd(),
  )
}

const buttonLine = (buttons: Button[]) => buttons.map(({ label, line }) => `[${label}: ${line}]`).join(' ')

/** A file that comes with an answer. */
export interface Attachment {
  /** Letters, digits, hyphens and one dot. */
  name: string
  text: string
}

/** Its lines as they are, under its name: what is shown where no file can be had. */
export function fileLines({ name, text }: Attachment): string[] {
  return [`${name}:`, ...text.split(/\r?\n/).filter((line) => line !== '')]
}
