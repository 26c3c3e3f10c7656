import { Buffer } from 'node:buffer'

import { type Formatted, parseHtml } from './html.ts'
import { badRequest } from './refusal.ts'
import type { Args } from './request.ts'
import type { Entity } from './tags.ts'

/** https://core.telegram.org/bots/api#sendmessage, in code points after entities are parsed. */
const LONGEST_TEXT = 4096
/** https://core.telegram.org/bots/api#sendphoto, likewise. */
const LONGEST_CAPTION = 1024
/** Bytes before anything is parsed: get_formatted_text in tdlib/telegram-bot-api, Client.cpp. */
const LONGEST_SOURCE_BYTES = 2 ** 15

/** The text of a message as it will be shown, or the refusal that the real server would give. */
export function messageText(args: Args): Formatted {
  if (args.text('text') === '') throw badRequest('Message text is empty')
  const formatted = format(args, 'text', 'entities')
  if (isEmpty(formatted.text)) throw badRequest('Text must be non-empty')
  if ([...formatted.text].length > LONGEST_TEXT) throw badRequest('Message is too long')
  return formatted
}

export function caption(args: Args): Formatted {
  const formatted = format(args, 'caption', 'caption_entities')
  if ([...formatted.text].length > LONGEST_CAPTION) throw badRequest('Message caption is too long')
  return isEmpty(formatted.text) ? { text: '', entities: [] } : formatted
}

function format(args: Args, name: string, entitiesName: string): Formatted {
  const source = args.text(name)
  if (Buffer.byteLength(source) > LONGEST_SOURCE_BYTES) throw badRequest('Text is too long')
  const mode = args.text('parse_mode').toLowerCase()
  if (source === '' || mode === '' || mode === 'none') {
    const given = args.json(entitiesName)
    return fixed({ text: source, entities: Array.isArray(given) ? (given as Entity[]) : [] })
  }
  if (mode === 'html') return fixed(parseHtml(source))
  if (mode.startsWith('markdown')) throw badRequest('the stand-in reads HTML only, not Markdown')
  throw badRequest('Unsupported parse_mode')
}

/** What Telegram takes out of every text: control characters, line and direction separators, three combining lines. */
const REMOVED = /[\r\u2028-\u202e]|\u0333|\u033f|\u030a/
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/

/** Cleans and trims as fix_formatted_text in tdlib/td, MessageEntity.cpp, and moves the entities along. */
function fixed({ text, entities }: Formatted): Formatted {
  let clean = ''
  const moved: number[] = []
  for (const unit of text.split('')) {
    moved.push(clean.length)
    if (!REMOVED.test(unit)) clean += CONTROL.test(unit) ? ' ' : unit
  }
  moved.push(clean.length)
  const place = (offset: number) => moved[Math.min(Math.max(offset, 0), text.length)] ?? clean.length

  const end = clean.replace(/[ \n]+$/, '').length
  const kept = entities
    .map((entity) => {
      const from = place(entity.offset)
      return { ...entity, offset: from, length: Math.min(place(entity.offset + entity.length), end) - from }
    })
    .filter(({ length }) => length > 0)
  const spaces = /^[ \n]*/.exec(clean.slice(0, end))?.[0].length ?? 0
  const start = Math.min(spaces, kept[0]?.offset ?? spaces)
  return {
    text: clean.slice(start, end),
    entities: kept.map((entity) => ({ ...entity, offset: entity.offset - start })),
  }
}

/** Nothing but spaces and marks that nobody sees: is_empty_string in tdlib/td, misc.cpp. */
function isEmpty(text: string): boolean {
  return /^[\s\u1680\u180e\u2000-\u200f\u202e\u202f\u205f\u2800\u3000\ufffc\ufeff\u00a0\u{e0000}-\u{e007f}]*$/u.test(
    text,
  )
}

/** The commands in what a person wrote, as Telegram marks them for the bot. */
export function commandsIn(text: string): Entity[] {
  const found = text.matchAll(/(?<![\w/<>@])\/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?![\w/<>])/g)
  return [...found].map((match) => ({ type: 'bot_command', offset: match.index, length: match[0].length }))
}
