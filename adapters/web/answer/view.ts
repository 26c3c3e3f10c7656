import type { Attempt } from '../../../src/chat/bot.ts'
import {
  type Button,
  cellText,
  inWords,
  type Item,
  linesOf,
  type Message,
  plainText,
  type Reader,
  readerOf,
  spokenSpans,
  type Text,
  type Tone,
  words,
  wordsOf,
} from '../../../src/message/message.ts'
import { isOther, startOf } from '../../../src/message/question.ts'

/** A message as the page draws it: JSON, in the words of its reader, with nothing in it that is markup. */
export interface View {
  items: readonly ViewItem[]
  table: { columns: readonly ViewColumn[]; rows: readonly (readonly string[])[] } | null
  buttons: readonly ViewButton[]
  footnote: ViewText | null
  /** Says that an earlier copy may have been shown. */
  repeat: string | null
  file: { name: string; text: string } | null
  /** The next words that are typed answer it. */
  question: { start: string; prompt: string; placeholder: string } | null
  /** When it was made: wall time. Ages count from it. */
  at: number
  language: string
}

interface ViewItem {
  tone: Tone
  title: ViewText
  lines: readonly ViewText[]
  buttons: readonly ViewButton[]
  alertId: number | null
}

interface ViewColumn {
  title: string
  align: 'left' | 'right'
}

type ViewText = readonly ViewSpan[]
/** A time has its words in the reader's zone; those of `ago` grow old. */
type ViewSpan = string | { strong: string } | { code: string } | { time: number; text: string; ago: boolean }

interface ViewButton {
  label: string
  line: string
  /** Its answer replaces the message. */
  replace: boolean
  /** The typed words go behind this line. */
  asks: string | null
  opens?: { url: string; app: boolean }
}

/** Returns the message for the page. `now`: wall time. Pure. */
export function viewOf(message: Message, now: number, { plain, possibleRepeat }: Attempt): View {
  const reader: ViewReader = { ...readerOf(message, now), plain }
  const { items, table, buttons, footnote, file, question } = message
  const inTheirs = (text: Text) => inWords(text, reader.language)
  return {
    items: items.map((one) => itemOf(one, reader)),
    table: table && {
      columns: table.columns.map(({ title, align }) => ({ title: inTheirs(title), align })),
      rows: table.rows.map((row) => row.map((cell) => cellText(cell, undefined, reader.language))),
    },
    buttons: buttons.map((one) => buttonOf(one, reader)),
    footnote: footnote === null ? null : textOf(footnote, reader),
    repeat: possibleRepeat ? inTheirs(words('platform.repeat')) : null,
    file: file ?? null,
    question: question
      ? {
          start: question.start,
          prompt: inTheirs(question.prompt),
          placeholder: inTheirs(question.placeholder),
        }
      : null,
    at: now,
    language: reader.language ?? 'en',
  }
}

function itemOf(item: Item, reader: ViewReader): ViewItem {
  return {
    tone: item.tone,
    title: textOf(item.title, reader),
    lines: linesOf(item)
      .filter((line) => line !== '')
      .map((line) => textOf(line, reader)),
    buttons: item.buttons.map((one) => buttonOf(one, reader)),
    alertId: item.alertId ?? null,
  }
}

function buttonOf(button: Button, { language }: Reader): ViewButton {
  const { line, replace, opens } = button
  return {
    label: inWords(button.label, language),
    line,
    replace,
    asks: isOther(button) ? startOf(line) : null,
    ...(opens && { opens }),
  }
}

interface ViewReader extends Reader {
  plain: boolean
}

function textOf(text: Text, reader: ViewReader): ViewText {
  return spokenSpans(text).map((span) => {
    if (typeof span === 'string') return span
    if ('time' in span) return { time: span.time, text: plainText([span], reader), ago: span.as === 'ago' }
    if ('figure' in span) return wordsOf(span)
    if (reader.plain) return wordsOf(span)
    return 'strong' in span ? { strong: span.strong } : { code: span.code }
  })
}
