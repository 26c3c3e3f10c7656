import { Buffer } from 'node:buffer'

import type { Button, Message } from '../../../src/message/message.ts'
import { toData } from '../intake/taps.ts'
import { clean, isBlank, points } from './html.ts'

/** https://core.telegram.org/bots/api#inlinekeyboardmarkup */
export interface Keyboard {
  inline_keyboard: { text: string; callback_data: string }[][]
}

/** Reported by users, documented nowhere: more is REPLY_MARKUP_TOO_LONG. */
const MOST_BUTTONS = 96
const LONGEST_KEYBOARD_BYTES = 9_000
/** The longest row that a phone shows without cutting labels. All buttons of a row are as wide as the widest. */
const ROW_POINTS = 36
/** Left and right of a label. */
const MARGIN_POINTS = 2
const MOST_IN_A_ROW = 4
const LONGEST_LABEL = 40

/** The buttons of a message, an item's in rows of their own; `nameless` are those that Telegram cannot carry. */
export function keyboard({ items, buttons }: Message): { buttons: Keyboard; nameless: Button[] } {
  const nameless: Button[] = []
  const rows: Keyboard['inline_keyboard'] = []
  let left = MOST_BUTTONS
  let bytes = LONGEST_KEYBOARD_BYTES
  for (const group of [...items.map((item) => item.buttons), buttons]) {
    const shown = group.flatMap((button) => {
      const data = toData(button)
      const text = labelOf(button)
      bytes -= Buffer.byteLength(JSON.stringify({ text, data, url: null })) + 1
      if (data !== null && left-- > 0 && bytes > 0) return [{ text, callback_data: data }]
      nameless.push(button)
      return []
    })
    rows.push(...inRows(shown))
  }
  return { buttons: { inline_keyboard: rows }, nameless }
}

function labelOf({ label }: Button): string {
  const text = clean(label).replace(/\n/g, ' ').trim()
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
    if (row && row.length < MOST_IN_A_ROW && widest * (row.length + 1) <= ROW_POINTS) row.push(button)
    else {
      rows.push([button])
      widest = wide
    }
  }
  return rows
}
