import type { Button, Message } from '../../src/message.ts'
import { BUTTONS_IN_A_ROW, BUTTON_LABEL, CUSTOM_ID, ROWS } from './limits.ts'
import { cutTo } from './text.ts'

/** https://docs.discord.com/developers/components/reference#button */
export interface ButtonRow {
  type: 1
  components: { type: 2; style: 2; label: string; custom_id: string }[]
}

/** Before the line of a button whose answer takes the place of its message. */
const REPLACES = '~'

/** What is kept in a button: its line. Nothing else has to be remembered, so it works after a restart. */
function customId({ line, replace }: Button): string {
  return `${replace ? REPLACES : ''}${line}`
}

/** The line in a button; null when it is none of ours. */
export function tapped(id: string): { line: string; replace: boolean } | null {
  const replace = id.startsWith(REPLACES)
  const line = replace ? id.slice(REPLACES.length) : id
  return line.startsWith('/') ? { line, replace } : null
}

/** Rows of buttons, and the lines of those that Discord cannot carry. */
export function buttonRows({ items, buttons }: Pick<Message, 'items' | 'buttons'>): {
  rows: ButtonRow[]
  left: string[]
} {
  const all = [...items.flatMap((item) => item.buttons), ...buttons]
  const unique = [...new Map(all.map((button) => [customId(button), button])).entries()]
  const fit = unique.filter(([id]) => id.length <= CUSTOM_ID).slice(0, ROWS * BUTTONS_IN_A_ROW)
  const rows: ButtonRow[] = []
  for (const [id, { label }] of fit) {
    const shown = {
      type: 2,
      style: 2,
      label: cutTo(label.trim() || '…', BUTTON_LABEL),
      custom_id: id,
    } as const
    const row = rows.at(-1)
    if (row && row.components.length < BUTTONS_IN_A_ROW) row.components.push(shown)
    else rows.push({ type: 1, components: [shown] })
  }
  return { rows, left: unique.filter((one) => !fit.includes(one)).map(([, { line }]) => line) }
}
