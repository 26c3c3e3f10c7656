import { Buffer } from 'node:buffer'

import { unparsable } from './refusal.ts'
import { type Entity, entityOf, type Tag, TAGS } from './tags.ts'

export interface Formatted {
  text: string
  /** Offsets and lengths in UTF-16 units. */
  entities: Entity[]
}

/**
 * Telegram's own HTML parser, translated line by line, its errors and their byte offsets included:
 * parse_html in https://github.com/tdlib/td/blob/022d60202/td/telegram/MessageEntity.cpp
 */
export function parseHtml(source: string): Formatted {
  const bytes = Buffer.from(source, 'utf8')
  const out: number[] = []
  const open: Tag[] = []
  const entities: Entity[] = []
  let offset = 0
  let surrogates = false

  const at = (i: number) => bytes[i] ?? 0
  const shown = (from: number) => Buffer.from(out.slice(from)).toString('utf8')
  let i = 0
  while (i < bytes.length) {
    if (at(i) === AMPERSAND) {
      const { code, next } = decodeEntity(bytes, i)
      if (code !== 0) {
        i = next
        offset += code > 0xffff ? 2 : 1
        surrogates ||= code >= 0xd800 && code <= 0xdfff
        out.push(...Buffer.from(String.fromCodePoint(code), 'utf8'))
        continue
      }
    }
    if (at(i) !== LESS) {
      if ((at(i) & 0xc0) !== 0x80) offset += at(i) >= 0xf0 ? 2 : 1
      out.push(at(i++))
      continue
    }
    if (at(i + 1) !== SLASH) {
      const { tag, next } = startTag(bytes, i)
      open.push({ ...tag, offset, begin: out.length })
      i = next
    } else {
      const last = open.pop()
      if (!last) throw unparsable(`Unexpected end tag at byte offset ${i}`)
      i = endTag(bytes, i, last.name)
      if (offset > last.offset) entityOf(last, offset - last.offset, entities, () => shown(last.begin))
    }
  }
  const last = open.at(-1)
  if (last) throw unparsable(`Can't find end tag corresponding to start tag "${last.name}"`)
  if (surrogates) {
    throw unparsable(
      'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units',
    )
  }
  entities.sort((a, b) => a.offset - b.offset || b.length - a.length)
  return { text: shown(0), entities }
}

const [AMPERSAND, LESS, GREATER, SLASH, EQUALS, QUOTE, APOSTROPHE] = [...Buffer.from('&<>/="\'')]

/** The end of the text counts as a space. */
function isSpace(byte: number): boolean {
  return byte === 0 || byte === 32 || byte === 9 || byte === 10 || byte === 11 || byte === 13
}

/** Reads `<name attribute="value">`; `next` is behind the `>`. */
function startTag(bytes: Buffer, begin: number): { tag: Omit<Tag, 'offset' | 'begin'>; next: number } {
  const at = (i: number) => bytes[i] ?? 0
  const word = (from: number, to: number) => bytes.toString('utf8', from, to)
  const skipSpace = () => {
    while (at(i) !== 0 && isSpace(at(i))) i++
  }
  let i = begin + 1
  while (!isSpace(at(i)) && at(i) !== GREATER) i++
  if (at(i) === 0) throw unparsable(`Unclosed start tag at byte offset ${begin}`)
  const name = word(begin + 1, i).toLowerCase()
  if (!TAGS.has(name)) throw unparsable(`Unsupported start tag "${name}" at byte offset ${begin}`)
  const unclosed = () => unparsable(`Unclosed start tag "${name}" at byte offset ${begin}`)

  const tag = { name, argument: '', date: 0 }
  while (at(i) !== GREATER) {
    skipSpace()
    if (at(i) === GREATER) break
    const from = i
    while (!isSpace(at(i)) && ![EQUALS, GREATER, SLASH, QUOTE, APOSTROPHE].includes(at(i))) i++
    const attribute = word(from, i)
    if (attribute === '') {
      throw unparsable(`Empty attribute name in the tag "${name}" at byte offset ${begin}`)
    }
    skipSpace()
    if (at(i) !== EQUALS) {
      if (at(i) === 0) throw unclosed()
      if (name === 'blockquote' && attribute === 'expandable') tag.argument = '1'
      continue
    }
    i++
    skipSpace()
    if (at(i) === 0) throw unclosed()
    const value = attributeValue(bytes, i)
    i = value.next
    if (at(i) === 0) throw unparsable(`Unclosed start tag at byte offset ${begin}`)
    takeAttribute(tag, attribute, value.text)
  }
  if (name === 'span' && tag.argument !== 'spoiler') {
    throw unparsable(`Tag "span" must have class "tg-spoiler" at byte offset ${begin}`)
  }
  return { tag, next: i + 1 }
}

function attributeValue(bytes: Buffer, begin: number): { text: string; next: number } {
  const at = (i: number) => bytes[i] ?? 0
  const end = at(begin)
  let i = begin
  if (end !== QUOTE && end !== APOSTROPHE) {
    while (/[a-zA-Z0-9.-]/.test(String.fromCharCode(at(i)))) i++
    if (!isSpace(at(i)) && at(i) !== GREATER) {
      throw unparsable(`Unexpected end of name token at byte offset ${begin}`)
    }
    return { text: bytes.toString('utf8', begin, i).toLowerCase(), next: i }
  }
  const out: number[] = []
  i++
  while (at(i) !== end && at(i) !== 0) {
    const { code, next } = at(i) === AMPERSAND ? decodeEntity(bytes, i) : { code: 0, next: i }
    if (code === 0) out.push(at(i++))
    else {
      out.push(...Buffer.from(String.fromCodePoint(code), 'utf8'))
      i = next
    }
  }
  return { text: Buffer.from(out).toString('utf8'), next: at(i) === end ? i + 1 : i }
}

function takeAttribute(tag: { name: string; argument: string; date: number }, name: string, value: string) {
  const on = `${tag.name} ${name}`
  if (on === 'a href' || on === 'tg-emoji emoji-id' || on === 'tg-time format') tag.argument = value
  else if (on === 'code class' && value.startsWith('language-')) tag.argument = value.slice(9)
  else if (on === 'span class' && value.startsWith('tg-')) tag.argument = value.slice(3)
  else if (on === 'blockquote expandable') tag.argument = '1'
  else if (on === 'tg-time unix') tag.date = Number(/^-?\d+/.exec(value)?.[0] ?? 0)
}

/** Reads `</name>`; returns what is behind the `>`. */
function endTag(bytes: Buffer, begin: number, expected: string): number {
  const at = (i: number) => bytes[i] ?? 0
  let i = begin + 2
  while (!isSpace(at(i)) && at(i) !== GREATER) i++
  const name = bytes.toString('utf8', begin + 2, i).toLowerCase()
  while (isSpace(at(i)) && at(i) !== 0) i++
  if (at(i) !== GREATER) throw unparsable(`Unclosed end tag at byte offset ${begin}`)
  if (name !== '' && name !== expected) {
    throw unparsable(
      `Unmatched end tag at byte offset ${begin}, expected "</${expected}>", found "</${name}>"`,
    )
  }
  return i + 1
}

const NAMED: Record<string, number> = { lt: 60, gt: 62, amp: 38, quot: 34 }

/** Code 0: no entity, the `&` stands for itself. The semicolon may be missing. */
function decodeEntity(bytes: Buffer, begin: number): { code: number; next: number } {
  const written = /^&(?:#x([0-9a-fA-F]*)|#([0-9]*)|([a-zA-Z]*))/.exec(
    bytes.toString('latin1', begin, begin + 40),
  )
  const [all = '', hex, decimal, name = ''] = written ?? []
  const numeric = hex !== undefined || decimal !== undefined
  const number = Number(hex === undefined ? (decimal ?? 0) : `0x${hex || 0}`)
  const tooLarge = number >= 0x10ffff || all.length >= 10
  const code = numeric ? (tooLarge ? 0 : number) : (NAMED[name] ?? 0)
  const end = begin + all.length
  return { code, next: (bytes[end] ?? 0) === 59 ? end + 1 : end }
}
