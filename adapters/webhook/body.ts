import { createHash, createHmac } from 'node:crypto'

import { brief, loudest } from '../../src/brief.ts'
import type { Send } from '../../src/chat.ts'
import { cellText, plainText } from '../../src/message.ts'

/** Grows, and never changes what it means (docs/away.md). */
const VERSION = 1

/** The JSON that is sent. Pure; the same message says the same, but for whether it may be a repeat. */
export function bodyOf({ key, to, message, silent, possibleRepeat }: Send, now: number): string {
  const reader = { now, zone: message.zone ?? 'UTC' }
  const { title, text } = brief(message, { reader, possibleRepeat }, () => true)
  const { table, footnote } = message
  return JSON.stringify({
    version: VERSION,
    id: idOf({ key, to }),
    sentAt: new Date(now).toISOString(),
    severity: loudest(message),
    silent,
    possibleRepeat,
    text: title === '' ? text : `${title}\n${text}`,
    items: message.items.map((item) => ({
      severity: item.tone,
      title: plainText(item.title, reader),
      lines: item.lines.map((line) => plainText(line, reader)),
      commands: item.buttons.map(({ line }) => line),
    })),
    table: table && {
      columns: table.columns.map((column) => column.title),
      rows: table.rows.map((row) => row.map((cell) => cellText(cell))),
    },
    footnote: footnote === null ? null : plainText(footnote, reader),
  })
}

/** The same for every attempt at a message, whatever was done about its alerts since, and no other's. */
export function idOf({ key, to }: Pick<Send, 'key' | 'to'>): string {
  return createHash('sha256')
    .update(JSON.stringify([key, to.chat]))
    .digest('hex')
    .slice(0, 32)
}

/** Over the time and the body, so that what somebody has recorded is not worth anything later. */
export function signatureOf(secret: string, seconds: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
