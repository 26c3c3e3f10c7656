import { unparsable } from './refusal.ts'

export interface Entity {
  type: string
  offset: number
  length: number
  url?: string
  language?: string
  custom_emoji_id?: string
  unix_time?: number
  date_time_format?: string
}

/** A start tag that waits for its end. */
export interface Tag {
  name: string
  argument: string
  date: number
  /** UTF-16 units of text before it. */
  offset: number
  /** Bytes of text before it. */
  begin: number
}

const TYPES: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  'tg-emoji': 'custom_emoji',
  'tg-time': 'date_time',
}
export const TAGS: ReadonlySet<string> = new Set(Object.keys(TYPES))

/** Adds what a closed tag stands for. */
export function entityOf(tag: Tag, length: number, entities: Entity[], inner: () => string): void {
  const { name, argument, date, offset } = tag
  const entity: Entity = { type: TYPES[name] ?? name, offset, length }
  const last = entities.at(-1)
  const same = last?.offset === offset && last.length === length ? last : undefined
  switch (name) {
    case 'tg-emoji':
      if (!/^[1-9]\d*$/.test(argument)) throw unparsable('Invalid custom emoji identifier specified')
      entity.custom_emoji_id = argument
      break
    case 'tg-time':
      if (!/^([rR]|[tTdDwW]*)$/.test(argument)) throw unparsable('Invalid date format used')
      // Without a time it is text like any other.
      if (date <= 0) return
      entity.unix_time = date
      if (argument !== '') entity.date_time_format = argument
      break
    case 'a': {
      const url = linkOf(argument === '' ? inner() : argument)
      if (url === null) return
      entity.url = url
      break
    }
    case 'pre':
      if (same?.type === 'code' && same.language !== undefined) {
        same.type = 'pre'
        return
      }
      break
    case 'code':
      if (same?.type === 'pre' && argument !== '') {
        same.language = argument
        return
      }
      if (argument !== '') entity.language = argument
      break
    case 'blockquote':
      if (argument !== '') entity.type = 'expandable_blockquote'
      break
    default:
  }
  entities.push(entity)
}

/** The address as Telegram opens it, or null: such a link is dropped without a word. */
export function linkOf(url: string): string | null {
  if (/^(tg|ton|tonsite):/i.test(url)) return url
  const host = /^(?:https?:\/\/)?(?:[^/?#@]*@)?([^/?#:\s]+)/i.exec(url.trim())?.[1]
  return host?.includes('.') ? (/^https?:/i.test(url) ? url : `http://${url}`) : null
}
