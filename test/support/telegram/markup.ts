import { Buffer } from 'node:buffer'

import { badRequest } from './refusal.ts'
import type { Args } from './request.ts'
import { linkOf } from './tags.ts'

export interface Button {
  text: string
  /** What the bot gets when it is tapped. */
  data: string | null
  url: string | null
  /** What it opens inside of Telegram. */
  webApp: string | null
}

export interface Markup {
  /** The buttons under the message; none for the other kinds of keyboard. */
  rows: Button[][]
  /** As it was sent. */
  given: Record<string, unknown>
}

/** https://core.telegram.org/bots/api#inlinekeyboardbutton */
const LONGEST_DATA_BYTES = 64
const LONGEST_COPIED = 256
/** Reported by users, nowhere documented: REPLY_MARKUP_TOO_LONG. */
const MOST_BUTTONS = 100
const LONGEST_MARKUP_BYTES = 10_240
/** What is more in a row is left out without a word: get_reply_markup in tdlib/td, ReplyMarkup.cpp. */
const MOST_IN_A_ROW = 12

/** The keyboard of a call, refused as the real server refuses it; null when there is none. */
export function readMarkup(args: Args): Markup | null {
  const source = args.text('reply_markup')
  if (source === '') return null
  const given = args.json('reply_markup')
  if (given === undefined) throw badRequest("Can't parse reply keyboard markup JSON object")
  if (!isObject(given)) throw badRequest('Object expected as reply markup')
  const keyboard = given['inline_keyboard']
  if (given['force_reply'] !== undefined) checkForceReply(given)
  if (keyboard === undefined) return Object.keys(given).length === 0 ? null : { rows: [], given }
  if (!Array.isArray(keyboard)) throw badRequest('Field "inline_keyboard" must be of type Array')
  const rows = keyboard.map((row: unknown) => {
    if (!Array.isArray(row)) {
      throw badRequest('Field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    }
    return row.map((button: unknown) => readButton(button)).filter(({ text }) => text !== '')
  })
  const shown = rows.map((row) => row.slice(0, MOST_IN_A_ROW)).filter((row) => row.length > 0)
  return shown.length === 0 ? null : { rows: shown, given }
}

/** https://core.telegram.org/bots/api#forcereply: the placeholder has 1 to 64 characters. */
const LONGEST_PLACEHOLDER = 64

function checkForceReply({
  force_reply: forced,
  selective,
  input_field_placeholder: shown,
}: Markup['given']): void {
  if (typeof forced !== 'boolean') throw badRequest('Field "force_reply" must be of type Boolean')
  if (selective !== undefined && typeof selective !== 'boolean')
    throw badRequest('Field "selective" must be of type Boolean')
  if (shown === undefined) return
  if (typeof shown !== 'string') throw badRequest('Field "input_field_placeholder" must be of type String')
  const length = [...shown].length
  if (length === 0 || length > LONGEST_PLACEHOLDER) throw badRequest('INPUT_FIELD_PLACEHOLDER_INVALID')
}

/** https://core.telegram.org/bots/api#webappinfo: an HTTPS address. */
function readWebApp(app: unknown, wrong: (why: string) => Error): string {
  if (!isObject(app)) throw wrong('Field "web_app" must be of type Object')
  const { url } = app
  if (typeof url !== 'string') throw wrong('Field "url" must be of type String')
  if (!url.startsWith('https://') || linkOf(url) === null)
    throw badRequest(`inline keyboard button Web App URL '${url}' is invalid: Only HTTPS links are allowed`)
  return url
}

/** What only Telegram itself checks, after the chat is found. Web Apps are for private chats alone. */
export function checkMarkup(markup: Markup | null, editing: boolean, isPrivate: boolean): void {
  if (!markup) return
  if (!isPrivate && markup.rows.flat().some(({ webApp }) => webApp !== null))
    throw badRequest('BUTTON_TYPE_INVALID')
  if (editing && markup.rows.length === 0) throw badRequest('Inline keyboard expected')
  const buttons = markup.rows.flat()
  if (buttons.some(({ data }) => data !== null && Buffer.byteLength(data) > LONGEST_DATA_BYTES)) {
    throw badRequest('BUTTON_DATA_INVALID')
  }
  if (buttons.length > MOST_BUTTONS || Buffer.byteLength(JSON.stringify(buttons)) > LONGEST_MARKUP_BYTES) {
    throw badRequest('reply markup is too long')
  }
}

function readButton(given: unknown): Button {
  const wrong = (why: string) => badRequest(`Can't parse inline keyboard button: ${why}`)
  if (!isObject(given)) throw wrong('InlineKeyboardButton must be an Object')
  const field = (name: string): string => {
    const value = given[name] ?? ''
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw wrong(`Field "${name}" must be of type String`)
  }
  if (given['text'] === undefined) throw wrong('Can\'t find field "text"')
  const text = field('text')
  if (!['', 'default', 'primary', 'danger', 'success'].includes(field('style').toLowerCase())) {
    throw wrong('invalid button style specified')
  }
  const url = field('url')
  if (url !== '') {
    if (linkOf(url) === null) {
      throw badRequest(`Inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`)
    }
    return { text, data: null, url, webApp: null }
  }
  const data = field('callback_data')
  if (data !== '') return { text, data, url: null, webApp: null }
  const copied = given['copy_text']
  if (isObject(copied)) {
    const shown = copied['text']
    const length = typeof shown === 'string' ? [...shown].length : 0
    if (length === 0 || length > LONGEST_COPIED) throw badRequest('BUTTON_COPY_TEXT_INVALID')
    return { text, data: null, url: null, webApp: null }
  }
  const app = given['web_app']
  if (app !== undefined) return { text, data: null, url: null, webApp: readWebApp(app, wrong) }
  throw wrong('Text buttons are unallowed in the inline keyboard')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
