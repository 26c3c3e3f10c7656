import { Buffer } from 'node:buffer'

import { startOf } from '../../../src/lib/text/legible.ts'
import { leaner, shortened } from '../../../src/message/fit.ts'
import {
  inWords,
  type Button,
  type Item,
  linesOf,
  type Message,
  plainLines,
  plainText,
  type Reader,
  type Span,
  spokenSpans,
  tableLines,
  type Text,
  type Tone,
  wordsOf,
  readerOf,
  words,
} from '../../../src/message/message.ts'
import { toData } from '../intake/taps.ts'

/** https://core.telegram.org/bots/api#sendmessage, in code points after entities are parsed. */
const LONGEST_TEXT = 4096
/** https://core.telegram.org/bots/api#sendphoto */
const LONGEST_CAPTION = 1024
/** The limit before anything is parsed: get_formatted_text in tdlib/telegram-bot-api, Client.cpp. */
const LONGEST_SOURCE_BYTES = 2 ** 15
/** Code points of small print when nothing else is left: longer ones are a bug elsewhere. */
const LONGEST_FOOTNOTE = 800
const LONGEST_COMMAND = 100
const MAX_NAMED_COMMANDS = 8
const NOTHING_TO_SEE = '…'

/** Colour is all that a lock screen shows of a tone. */
const MARKS: Record<Tone, string> = {
  critical: '🚨 ',
  warning: '⚠️ ',
  info: '🔔 ',
  good: '✅ ',
  blind: '🙈 ',
  plain: '',
}

interface Look {
  now: number
  possibleRepeat: boolean
  /** Opens the keyboard for an answer: for the one reader of a private chat, or for one person in a group. */
  asks?: 'reader' | 'one' | null
}

/** The parameters of sendMessage and editMessageText that a message makes. */
export interface Payload {
  text: string
  parse_mode?: 'HTML'
  reply_markup?: Keyboard | ForceReply
  link_preview_options: { is_disabled: true }
}

/** A message as Telegram shows it. Pure. Telegram accepts the result for every message. */
export function render(message: Message, look: Look): Payload {
  const { buttons: rows, nameless } = keyboard(message)
  const text = fitting(message, look, nameless)
  return {
    text: isBlank(visible(text)) ? NOTHING_TO_SEE : text,
    parse_mode: 'HTML',
    // Without one, an edit takes the buttons away: that is meant.
    ...markupOf(message, rows, look),
    link_preview_options: { is_disabled: true },
  }
}

/** A message has one keyboard: buttons, or the one to type an answer. */
function markupOf({ question }: Message, rows: Keyboard, { asks }: Look): Pick<Payload, 'reply_markup'> {
  if (rows.inline_keyboard.length > 0) return { reply_markup: rows }
  if (!question || !asks) return {}
  const shown = [...oneLine(inWords(question.placeholder))].slice(0, LONGEST_PLACEHOLDER).join('')
  return {
    reply_markup: {
      force_reply: true,
      ...(shown === '' ? {} : { input_field_placeholder: shown }),
      ...(asks === 'one' ? { selective: true } : {}),
    },
  }
}

/** The same without anything that Telegram could refuse: no markup, no buttons. */
export function renderPlain(
  message: Message,
  { now, possibleRepeat }: Pick<Look, 'now' | 'possibleRepeat'>,
): Payload {
  const text = fittingPlain(message, { now, possibleRepeat })
  return { text: isBlank(text) ? NOTHING_TO_SEE : text, link_preview_options: { is_disabled: true } }
}

/** The caption of a picture: its words for those who cannot see it. Pure. */
export function renderCaption(message: Message, look: Pick<Look, 'now' | 'possibleRepeat'>): Payload {
  const reader = readerOf(message, look.now)
  const shown = [message.picture?.words ?? '', message.footnote ?? ''].map((one) => plainText(one, reader))
  const text = clean([...(look.possibleRepeat ? [repeatMark(message)] : []), ...shown].join('\n')).trim()
  const most = LONGEST_CAPTION - 1
  return {
    text: points(text) > LONGEST_CAPTION ? startOf(text, most) : text,
    link_preview_options: { is_disabled: true },
  }
}

function fittingPlain(
  message: Message,
  { now, possibleRepeat }: Pick<Look, 'now' | 'possibleRepeat'>,
): string {
  let text = ''
  for (const { message: shown, left } of leaner(message)) {
    const lines = plainLines(shown, readerOf(message, now))
    const more = left === 0 ? [] : [tooMuch(left, message)]
    text = clean([...(possibleRepeat ? [repeatMark(message)] : []), ...lines, ...more].join('\n'))
    if (points(text) <= LONGEST_TEXT) return text
  }
  return [...text].slice(0, LONGEST_TEXT).join('')
}

function repeatMark({ language }: Message): string {
  return inWords(words('platform.repeat'), language)
}

function tooMuch(left: number, { language }: Message): string {
  return inWords(words('platform.more', { n: String(left) }), language)
}

/** Whole lines go, the least important first, when the message does not fit; small print stays. */
function fitting(message: Message, look: Look, named: readonly Button[]): string {
  const reader = readerOf(message, look.now)
  const before = look.possibleRepeat ? [html`<i>${repeatMark(message)}</i>`] : []
  // A list of one-line items reads as a list.
  const isList = message.items.length > 1 && message.items.every((item) => linesOf(item).length === 0)
  for (const { message: shown, left } of leaner(message)) {
    const items = shown.items.map((item) => itemHtml(item, reader))
    const more = left === 0 ? [] : [html`${tooMuch(left, message)}`]
    const list = isList ? [joined([...items, ...more], '\n')] : [...items, ...more]
    const text = joined([...before, ...list, ...tail(shown, named, reader)], '\n\n')
    if (text.points <= LONGEST_TEXT && Buffer.byteLength(text.html) <= LONGEST_SOURCE_BYTES) return text.html
  }
  const { footnote } = message
  const note = footnote === null ? null : shortened(footnote, LONGEST_FOOTNOTE)
  return joined([...before, ...tail({ ...message, table: null, footnote: note }, named, reader)], '\n\n').html
}

function tail(
  { table, footnote }: Pick<Message, 'table' | 'footnote'>,
  named: readonly Button[],
  reader: Reader,
): Html[] {
  const parts: Html[] = []
  if (table) {
    const lines = tableLines(table).map((line) => clean(line).replace(/\n/g, ' '))
    parts.push(html`<pre>${lines.join('\n')}</pre>`)
  }
  if (named.length > 0) {
    const commands = named
      .filter(({ line }) => points(line) <= LONGEST_COMMAND)
      .slice(0, MAX_NAMED_COMMANDS)
      .map(
        ({ label, line }) =>
          html`${oneLine(inWords(label)).slice(0, LONGEST_COMMAND)}: <code>${oneLine(line)}</code>`,
      )
    if (commands.length > 0) parts.push(joined(commands, '\n'))
  }
  if (footnote !== null) parts.push(html`<i>${textHtml(footnote, reader)}</i>`)
  return parts
}

function itemHtml(item: Item, reader: Reader): Html {
  const { tone, title } = item
  const lines = linesOf(item)
  const words = textHtml(title, reader)
  const loud = tone !== 'plain' || lines.length > 0
  const head = loud ? html`${MARKS[tone]}<b>${words}</b>` : words
  return joined([head, ...lines.map((line) => textHtml(line, reader))], '\n')
}

/** Within a day, a time of the clock says which day it is. */
const SAME_DAY_MS = 12 * 3_600_000

function textHtml(text: Text, reader: Reader): Html {
  return joined(
    spokenSpans(text).flatMap((span) => {
      if (typeof span === 'string' || !('time' in span)) return wordsHtml(span)
      const unix = Math.floor(span.time / 1_000)
      const near = Math.abs(span.time - reader.now) < SAME_DAY_MS
      const format = span.as === 'ago' ? 'r' : near ? 't' : 'dt'
      const words = plainText([span], reader)
      return html`<tg-time unix="${unix}" format="${format}">${words}</tg-time>`
    }),
    '',
  )
}

function wordsHtml(span: Exclude<Span, { time: number }>): Html[] {
  const words = oneLine(wordsOf(span))
  if (words === '') return []
  if (typeof span === 'string' || 'figure' in span) return [html`${words}`]
  return ['strong' in span ? html`<b>${words}</b>` : html`<code>${words}</code>`]
}

/** A line feed inside a name must not begin a line. */
function oneLine(text: string): string {
  return clean(text).replace(/\n/g, ' ')
}

function visible(source: string): string {
  return source.replace(/<[^>]*>/g, '').replace(/&(lt|gt|amp|quot);/g, '.')
}

/** Telegram's HTML, and how many code points of it a person sees: what its limits count. */
interface Html {
  html: string
  points: number
}

type Value = string | number | Html | readonly Html[]

/** The one place where text becomes markup. Values are escaped unless they are markup already. */
function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = literals.map((literal, at): Html[] => {
    const tags = { html: literal, points: points(literal.replace(/<[^>]*>/g, '')) }
    return at < values.length ? [tags, ...markups(values[at] ?? '')] : [tags]
  })
  return together(parts.flat())
}

function joined(parts: readonly Html[], by: string): Html {
  return together(parts.flatMap((part, at) => (at === 0 ? [part] : [html`${by}`, part])))
}

function together(parts: readonly Html[]): Html {
  return {
    html: parts.map((part) => part.html).join(''),
    points: parts.reduce((sum, part) => sum + part.points, 0),
  }
}

function markups(value: Value): readonly Html[] {
  if (typeof value === 'object') return 'html' in value ? [value] : value
  const text = clean(String(value))
  return [{ html: escaped(text), points: points(text) }]
}

/** https://core.telegram.org/bots/api#html-style: these four are all that must be written otherwise. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

// Bidirectional controls can make a line read as another one
// (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing). Half a surrogate pair has no UTF-8.
// oxlint-disable-next-line no-control-regex -- they are the very thing that is looked for
const STEERING = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** The text as Telegram accepts it: keeps line feeds, removes other controls. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(STEERING, '')
}

function points(text: string): number {
  return [...text].length
}

/**
 * Whether a person would see nothing, which Telegram refuses. Letters, figures, punctuation and symbols are visible,
 * except a blank Braille pattern and the object replacement character.
 */
function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(/[\u2800\uFFFC]/g, ''))
}

/** https://core.telegram.org/bots/api#inlinekeyboardmarkup */
interface Keyboard {
  inline_keyboard: Key[][]
}

/** `web_app` opens the page inside of Telegram: https alone, and in private chats alone. */
type Key = { text: string } & ({ callback_data: string } | { url: string } | { web_app: { url: string } })

/** https://core.telegram.org/bots/api#forcereply */
interface ForceReply {
  force_reply: true
  input_field_placeholder?: string
  selective?: true
}
const LONGEST_PLACEHOLDER = 64

/** Reported by users, documented nowhere: more is REPLY_MARKUP_TOO_LONG. */
const MAX_BUTTONS = 96
const LONGEST_KEYBOARD_BYTES = 9_000
/** The longest row that a phone shows without cutting labels. All buttons of a row are as wide as the widest. */
const ROW_POINTS = 36
/** Left and right of a label. */
const MARGIN_POINTS = 1
const MAX_BUTTONS_PER_ROW = 4
const LONGEST_LABEL = 40

/** The buttons of a message, with rows of their own for each item; `nameless` are those that Telegram cannot carry. */
function keyboard({ items, buttons }: Message): { buttons: Keyboard; nameless: Button[] } {
  const nameless: Button[] = []
  const rows: Keyboard['inline_keyboard'] = []
  let left = MAX_BUTTONS
  let bytes = LONGEST_KEYBOARD_BYTES
  for (const group of [...items.map((item) => item.buttons), buttons]) {
    const shown = group.flatMap((button): Key[] => {
      const { opens } = button
      const data = opens ? null : toData(button)
      const text = labelOf(button)
      bytes -= Buffer.byteLength(JSON.stringify({ text, data, url: opens?.url ?? null })) + 1
      const fits = left-- > 0 && bytes > 0
      if (opens && fits) return [opens.app ? { text, web_app: { url: opens.url } } : { text, url: opens.url }]
      if (data !== null && fits) return [{ text, callback_data: data }]
      nameless.push(button)
      return []
    })
    rows.push(...inRows(shown))
  }
  return { buttons: { inline_keyboard: rows }, nameless }
}

function labelOf({ label }: Button): string {
  const text = clean(inWords(label)).replace(/\n/g, ' ').trim()
  if (isBlank(text)) return '·'
  return points(text) > LONGEST_LABEL ? `${[...text].slice(0, LONGEST_LABEL).join('')}…` : text
}

function inRows<B extends { text: string }>(buttons: readonly B[]): B[][] {
  const rows: B[][] = []
  let widest = 0
  for (const button of buttons) {
    const wide = points(button.text) + MARGIN_POINTS
    const row = rows.at(-1)
    widest = Math.max(widest, wide)
    if (row && row.length < MAX_BUTTONS_PER_ROW && widest * (row.length + 1) <= ROW_POINTS) row.push(button)
    else {
      rows.push([button])
      widest = wide
    }
  }
  return rows
}
