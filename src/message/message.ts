import { FAR, figureText, type NumberStyle, USUAL_STYLE } from '../lib/text/format.ts'
import { addSpan, ofSpans } from '../lib/text/legible.ts'
import { clockTime } from '../lib/time/daytime.ts'
import { type Arguments, eachPart, type Key, type Language } from '../words/words.ts'
import type { Figure } from './figure.ts'
import type { Picture } from './picture.ts'

/** A message of any platform. Everything in it is JSON, so the outbox stores it as it is. */
export interface Message {
  items: Item[]
  table: Table | null
  buttons: Button[]
  /** Small print: ages, sources, the next step. */
  footnote: Text | null
  /** The reader's time zone, if it is known and the platform cannot show local times itself. */
  zone?: string
  /** The reader's language, once it is known. No phrase is left then. */
  language?: Language
  /** Only in an answer. A platform without files shows its text. */
  file?: Attachment
  /** Only in an answer: the next message of that person completes a line. */
  question?: Question
  /** It leaves in a row of its own, behind the words. */
  picture?: Picture<Text>
}

/** How a platform takes the answer to a question. */
export interface Question {
  /** The answer goes behind this line. */
  start: string
  /** Stands before the cursor in a terminal: one word, such as `price`. */
  prompt: Text
  /** Stands in the empty input field: an answer that would be taken. */
  placeholder: Text
  /** Nothing waits for its answer: other words are read as if nobody had asked. No platform shows a field for it. */
  passing?: true
}

/**
 * One piece of news. Its lines are in parts by importance (see `linesOf`). Where there is too little space,
 * whole lines go, the least important first.
 */
export interface Item {
  tone: Tone
  /** The symbol first, then the side in words and the main figure: a lock screen shows little more. */
  title: Text
  /** The lines that stay as long as anything of the item does. */
  lines: Text[]
  buttons: Button[]
  /** The alert that it tells of. */
  alertId?: number
  /** A reminder of an unacknowledged alert. An acknowledgement withdraws it while it waits in the outbox. */
  again?: true
  /** How many further entries its list has, which are not shown. */
  more?: number
  /** Lines that a message about several alerts leaves out. */
  figures?: Text[]
  /**
   * A person's response. An empty text keeps a blank line for it, so that an edit moves no button under a
   * thumb.
   */
  note?: Text
  /** The ways out of danger. An edit replaces these lines, and never changes their number. */
  ways?: Text[]
  /** Lines for readers who want the long form. */
  details?: Text[]
}

/** `plain` is conversation. The others are an alert's severity or state. */
export type Tone = 'critical' | 'warning' | 'info' | 'good' | 'blind' | 'plain'

/** Text with parts for the reader's settings: sentences of the catalogue, figures, times, and emphasis. */
export type Text = string | readonly Span[]
export type Span = string | { strong: string } | { code: string } | Figure | Time | Phrase
interface Time {
  time: number
  as: 'clock' | 'ago'
}
/** A sentence of the catalogue, by its key. It becomes words once the reader's language is known. */
interface Phrase {
  phrase: string
  with: Readonly<Record<string, Argument>>
}
export type Argument = Text | Span | number

/** At most 28 columns wide in all, so that a phone does not wrap it. */
export interface Table {
  columns: { title: Text; align: 'left' | 'right' }[]
  rows: Cell[][]
}
export type Cell = string | Figure

/** A command behind a label. With `replace`, the answer replaces the button's message. */
export interface Button {
  label: Text
  line: string
  replace: boolean
  /** An address that it opens instead, where the platform can; `app`: inside the platform's own app. */
  opens?: { url: string; app: boolean }
}

/** The language of readers whose language is not known. */
export const USUAL_LANGUAGE: Language = 'en'
const JUST_NOW_MS = 1_000

export const ITEMS_PER_MESSAGE = 10
/** Telegram's 4096 code points for a text (https://core.telegram.org/bots/api#sendmessage), less small print, by ten. */
export const ITEM_CODE_POINTS = 380
/** The items of one message together. */
export const MESSAGE_CODE_POINTS = ITEMS_PER_MESSAGE * ITEM_CODE_POINTS
export const TABLE_COLUMNS = 28

/**
 * Builds a text from words, figures, times and other texts: ``text`price ${price(p)}, ${old}` ``. Words alone
 * give a string.
 */
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

/** A sentence of the catalogue: ``words('watch.done', { wallet: 'main' })``. */
export function words<K extends Key>(
  key: K,
  ...given: unknown extends Arguments<K, Argument> ? [] : [Arguments<K, Argument>]
): Text {
  return [{ phrase: key, with: given[0] ?? {} }]
}

/** The text with its sentences in this language: no phrase is left. */
export function spoken(text: Text, language: Language): Text {
  if (typeof text === 'string' || !text.some(isPhrase)) return text
  const all: Span[] = []
  speak(all, text, language)
  return ofSpans(all)
}

/** Adds what is said to a text, in place: a crash says very many sentences at once. */
function speak(all: Span[], part: Argument, language: Language): void {
  if (typeof part === 'number') addSpan(all, String(part))
  else if (typeof part === 'string') addSpan(all, part)
  else if (Array.isArray(part)) for (const span of part as readonly Span[]) speak(all, span, language)
  else if (isPhrase(part as Span)) {
    const { phrase, with: given } = part as Phrase
    eachPart<Argument, Span[]>(language, phrase, given, speak, all)
  } else addSpan(all, part as Span)
}

/** The text in the words and the number style of a reader. */
export function written(text: Text, numbers: NumberStyle, language: Language = USUAL_LANGUAGE): Text {
  const said = spoken(text, language)
  if (typeof said === 'string') return said
  const all: Span[] = []
  for (const span of said) add(all, isFigure(span) ? cellText(span, numbers, language) : span)
  return ofSpans(all)
}

/** The words of a cell. */
export function cellText(
  cell: Cell,
  numbers: NumberStyle = USUAL_STYLE,
  language: Language = USUAL_LANGUAGE,
): string {
  if (typeof cell === 'string') return cell
  if (cell.as === 'ago') return agoWords(cell.figure, language, numbers)
  const text = figureText(cell.figure, cell.as, numbers)
  return text === FAR ? inWords(words('figure.far'), language) : text
}

function agoWords(ms: number, language: Language, numbers = USUAL_STYLE): string {
  if (ms < JUST_NOW_MS) return inWords(words('time.just-now'), language)
  return inWords(words('time.ago', { age: figureText(ms, 'age', numbers) }), language)
}

/** A text without figures and times as mere words, such as the label of a button. */
export function inWords(text: Text, language: Language = USUAL_LANGUAGE): string {
  if (typeof text === 'string') return text
  return spansOf(spoken(text, language))
    .map((span) => (typeof span !== 'string' && 'time' in span ? '' : wordsOf(span)))
    .join('')
}

function add(all: Span[], more: Text | Span): void {
  if (Array.isArray(more)) for (const span of more as readonly Span[]) addSpan(all, span)
  else addSpan(all, more as Span)
}

const isFigure = (span: Span): span is Figure => typeof span !== 'string' && 'figure' in span
const isPhrase = (span: Span): span is Phrase => typeof span !== 'string' && 'phrase' in span

/** The message with each of its texts rewritten. Keeps every other field. */
export function withTexts(
  message: Message,
  write: (text: Text) => Text,
  cell = (cell: Cell) => cell,
): Message {
  const { items, table, buttons, footnote, question, picture } = message
  const button = (one: Button) => ({ ...one, label: write(one.label) })
  return {
    ...message,
    items: items.map((one) => ({
      ...one,
      title: write(one.title),
      lines: one.lines.map(write),
      ...(one.figures === undefined ? {} : { figures: one.figures.map(write) }),
      ...(one.note === undefined ? {} : { note: write(one.note) }),
      ...(one.ways === undefined ? {} : { ways: one.ways.map(write) }),
      ...(one.details === undefined ? {} : { details: one.details.map(write) }),
      buttons: one.buttons.map(button),
    })),
    table: table && {
      ...table,
      columns: table.columns.map((column) => ({ ...column, title: write(column.title) })),
      rows: table.rows.map((row) => row.map(cell)),
    },
    buttons: buttons.map(button),
    footnote: footnote === null ? null : write(footnote),
    ...(question && {
      question: { ...question, prompt: write(question.prompt), placeholder: write(question.placeholder) },
    }),
    ...(picture && { picture: { ...picture, words: write(picture.words) } }),
  }
}

/** The message in a language, for an answer that no localizer sees. */
export function spokenIn(message: Message, language: Language | null): Message {
  return withTexts(message, (text) => spoken(text, language ?? USUAL_LANGUAGE))
}

/** A plain answer: a sentence and further lines. */
export function say(title: Text, ...lines: Text[]): Message {
  return message([item('plain', title, lines)])
}

export function item(tone: Tone, title: Text, lines: Text[] = [], buttons: Button[] = []): Item {
  return { tone, title, lines, buttons }
}

/** Long enough for a lock screen, short enough to leave room for the figures below. */
export const TITLE_CODE_POINTS = 120
/** All lines below the title, in the order in which they are read. */
export function linesOf({ lines, more = 0, figures = [], note, ways = [], details = [] }: Item): Text[] {
  const facts = [...lines, ...(more === 0 ? [] : [words('message.more', { more })]), ...figures]
  // Without ways the response stands first: a blank line at the end would be cut off by a platform.
  const noted = note === undefined ? [] : [note]
  if (ways.length === 0) return [...noted, ...facts, ...details]
  return [...facts, ...(noted.length > 0 ? noted : ['']), ...ways, ...details]
}

export function spansOf(text: Text | Span): readonly Span[] {
  return typeof text === 'string' || !Array.isArray(text) ? [text as Span] : text
}

/** The spans of a text for a renderer. A phrase that nobody has put into words is said in the usual language. */
export function spokenSpans(text: Text): readonly Exclude<Span, Phrase>[] {
  return spansOf(spoken(text, USUAL_LANGUAGE)) as readonly Exclude<Span, Phrase>[]
}

/** The words of a span, with figures in the usual style. */
export function wordsOf(span: Exclude<Span, Time>): string {
  if (typeof span === 'string' || 'figure' in span) return cellText(span)
  if ('phrase' in span) return inWords([span])
  return 'strong' in span ? span.strong : span.code
}

export function message(items: Item[], rest: Partial<Omit<Message, 'items'>> = {}): Message {
  return { items, table: null, buttons: [], footnote: null, ...rest }
}

/** A silent message is not sent. */
export function isSilent({ items, table, footnote, picture }: Message): boolean {
  return items.length === 0 && table === null && footnote === null && picture === undefined
}

/** How to write times for a reader if the platform cannot. */
export interface Reader {
  now: number
  /** An IANA zone; `UTC` if the person has set none. */
  zone: string
  language?: Language
}

/** The reader for whom a message was localized. */
export function readerOf({ zone = 'UTC', language = USUAL_LANGUAGE }: Message, now: number): Reader {
  return { now, zone, language }
}

/** The text without its emphasis. */
export function plainText(text: Text, reader: Reader): string {
  const { language = USUAL_LANGUAGE } = reader
  return spansOf(spoken(text, language))
    .map((span) => {
      if (typeof span === 'string' || !('time' in span)) return wordsOf(span)
      if (span.as === 'ago') return agoWords(reader.now - span.time, language)
      return clockTime(span.time, reader, inWords(words('message.locale'), language))
    })
    .join('')
}

/** The tones in words, for output without colours. Conversation has no mark. */
export const TONE_WORDS: Record<Tone, string> = {
  critical: 'CRITICAL',
  warning: 'WARNING',
  info: 'INFO',
  good: 'RESOLVED',
  blind: 'BLIND',
  plain: '',
}

/** The message as plain lines, for pipes and for a platform that refuses the markup. */
export function plainLines(message: Message, reader: Reader): string[] {
  const lines: string[] = []
  for (const item of message.items) {
    const { tone, title, buttons, alertId } = item
    const mark = TONE_WORDS[tone]
    const head = `${mark === '' ? '' : `[${mark}] `}${plainText(title, reader)}`
    // Where commands are typed, people need the alert's name. The long form has it already.
    const name = alertId === undefined ? '' : ` (A${alertId})`
    lines.push(head.endsWith(name) ? head : head + name)
    for (const line of linesOf(item).map((one) => plainText(one, reader)))
      if (line !== '') lines.push(`  ${line}`)
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
  const all = [
    columns.map((column) => inWords(column.title)),
    ...rows.map((row) => row.map((cell) => cellText(cell))),
  ]
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

/** An address is opened by hand. One for a platform's own app is for nobody else. */
const buttonLine = (buttons: Button[]) =>
  buttons
    .filter(({ opens }) => opens?.app !== true)
    .map(({ label, line, opens }) => `[${inWords(label)}: ${opens?.url ?? line}]`)
    .join(' ')

/** A file that comes with an answer. */
export interface Attachment {
  /** Letters, digits, hyphens and one dot. */
  name: string
  text: string
}

/** The file as lines under its name, for platforms without files. */
export function fileLines({ name, text }: Attachment): string[] {
  return [`${name}:`, ...text.split(/\r?\n/).filter((line) => line !== '')]
}
