/** What people read, free of any platform: JSON through and through, so that it waits in the outbox as it is. */
export interface Message {
  items: Item[]
  table: Table | null
  buttons: Button[]
  /** Ages, sources, what to do next: small print. */
  footnote: Text | null
}

/** One thing that is said. Bounded (see `ITEM_CODE_POINTS`), so that ten of them fit any platform's message. */
export interface Item {
  tone: Tone
  /** The symbol first, the side in words, the figure that matters: what a lock screen shows. */
  title: Text
  lines: Text[]
  buttons: Button[]
}

/** `plain` is conversation; the others are how loud an alert is. */
export type Tone = 'critical' | 'warning' | 'info' | 'good' | 'blind' | 'plain'

/** Text with the parts that a platform may show better: emphasis, and times in the reader's own zone. */
export type Text = string | readonly Span[]
export type Span = string | { strong: string } | { code: string } | { time: number; as: 'clock' | 'ago' }

/** At most 28 columns wide in all, so that a phone does not wrap it. */
export interface Table {
  columns: { title: string; align: 'left' | 'right' }[]
  rows: string[][]
}

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

/** A plain answer: a sentence, and what else there is to say. */
export function say(title: Text, ...lines: Text[]): Message {
  return message([item('plain', title, lines)])
}

export function item(tone: Tone, title: Text, lines: Text[] = [], buttons: Button[] = []): Item {
  return { tone, title, lines, buttons }
}

/** A title is what a lock screen shows; cut here, it leaves room for the figures below it. */
const TITLE_CODE_POINTS = 120
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
  for (const line of item.lines) {
    if (left < 2) break
    const kept = cut(line, left - 1)
    left -= codePoints(kept) + 1
    lines.push(kept)
  }
  return { ...item, title, lines }
}

/** How long a text is at most, whatever the reader's zone. */
export function codePoints(text: Text): number {
  return spansOf(text).reduce((sum, span) => sum + spanPoints(span), 0)
}

function spanPoints(span: Span): number {
  if (typeof span !== 'string' && 'time' in span) return TIME_CODE_POINTS
  return [...wordsOf(span)].length
}

/** The text, or as much of it as fits before an ellipsis; a time is kept whole or not at all. */
function cut(text: Text, most: number): Text {
  if (codePoints(text) <= most) return text
  if (typeof text === 'string') return start(text, most - 1)
  const kept: Span[] = []
  let left = most - 1
  for (const span of text) {
    if (spanPoints(span) > left) {
      kept.push(typeof span === 'string' || !('time' in span) ? start(wordsOf(span), left) : '…')
      break
    }
    kept.push(span)
    left -= spanPoints(span)
  }
  return kept
}

function start(text: string, most: number): string {
  return `${[...text].slice(0, most).join('')}…`
}

function spansOf(text: Text): readonly Span[] {
  return typeof text === 'string' ? [text] : text
}

function wordsOf(span: Exclude<Span, { time: number }>): string {
  if (typeof span === 'string') return span
  return 'strong' in span ? span.strong : span.code
}

export function message(items: Item[], rest: Partial<Omit<Message, 'items'>> = {}): Message {
  return { items, table: null, buttons: [], footnote: null, ...rest }
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
      return span.as === 'clock' ? clockTime(span.time, reader) : ago(reader.now - span.time)
    })
    .join('')
}

/** `14:02`, with the day in front when it is not the reader's today. */
export function clockTime(at: number, reader: Reader): string {
  const parts = (options: Intl.DateTimeFormatOptions, when: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: reader.zone, ...options }).format(when)
  const day = { day: 'numeric', month: 'short' } as const
  const date = { ...day, year: 'numeric' } as const
  const time = parts({ hour: '2-digit', minute: '2-digit' }, at)
  const shown = parts(date, at) === parts(date, reader.now) ? time : `${parts(day, at)} ${time}`
  return reader.zone === 'UTC' ? `${shown} UTC` : shown
}

/** `3 s ago`; a time that lies ahead reads as now. */
export function ago(ms: number): string {
  return ms < 1_000 ? 'just now' : `${age(ms)} ago`
}

/** `0.2 s`, `45 s`, `7 min`, `3 h 20 min`, `2 d 4 h`. */
export function age(ms: number): string {
  const seconds = Math.max(ms, 0) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** How a tone reads where there is no colour; conversation has no mark. */
export const TONE_WORDS: Record<Tone, string> = {
  critical: 'CRITICAL',
  warning: 'WARNING',
  info: 'INFO',
  good: 'CLEARED',
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
  return lines
}

/** The table in fixed-width lines, columns aligned, one space between. */
export function tableLines({ columns, rows }: Table): string[] {
  const all = [columns.map((column) => column.title), ...rows]
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

function buttonLine(buttons: Button[]): string {
  return buttons.map(({ label, line }) => `[${label}: ${line}]`).join(' ')
}
