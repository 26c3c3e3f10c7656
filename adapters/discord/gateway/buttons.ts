import { type Button, inWords, type Message } from '../../../src/message/message.ts'
import { BUTTON_LABEL, BUTTONS_IN_A_ROW, CUSTOM_ID, ROWS } from '../send/limits.ts'
import { cutTo } from '../send/text.ts'

/** https://docs.discord.com/developers/components/reference#button */
export interface ButtonRow {
  type: 1
  components: { type: 2; style: 2; label: string; custom_id: string }[]
}

/** Prefix of the line of a button whose answer replaces its message. */
const REPLACES = '~'

/** The id carries the line itself, so buttons work after a restart without stored state. */
function customId({ line, replace }: Button): string {
  return `${replace ? REPLACES : ''}${line}`
}

/** The line in a button; null if the button is not ours. */
export function tapped(id: string): { line: string; replace: boolean } | null {
  const replace = id.startsWith(REPLACES)
  const line = replace ? id.slice(REPLACES.length) : id
  return line.startsWith('/') ? { line, replace } : null
}

/** Rows of buttons, with rows of their own for each item if there is room, and the lines that do not fit. */
export function buttonRows({ items, buttons }: Pick<Message, 'items' | 'buttons'>): {
  rows: ButtonRow[]
  left: string[]
} {
  const groups = [...items.map((item) => item.buttons), buttons]
  // The same button twice is refused.
  const unique = new Map(groups.flat().map((button) => [customId(button), button]))
  const fit = [...unique.keys()].filter((id) => id.length <= CUSTOM_ID).slice(0, ROWS * BUTTONS_IN_A_ROW)
  const open = new Set(fit)
  const apart = groups.map((group) => group.map(customId).filter((id) => open.delete(id))).flatMap(evenly)
  const rows = (apart.length <= ROWS ? apart : slices(fit, BUTTONS_IN_A_ROW)).map((ids): ButtonRow => ({
    type: 1,
    components: ids.map((id) => shown(id, inWords(unique.get(id)?.label ?? ''))),
  }))
  return { rows, left: [...unique].flatMap(([id, { line }]) => (fit.includes(id) ? [] : [line])) }
}

function shown(id: string, label: string): ButtonRow['components'][number] {
  return { type: 2, style: 2, label: cutTo(label.trim() || '…', BUTTON_LABEL), custom_id: id }
}

/** As few rows as possible, and about as many in each. */
function evenly(ids: readonly string[]): string[][] {
  return slices(ids, Math.ceil(ids.length / Math.ceil(ids.length / BUTTONS_IN_A_ROW)) || 1)
}

function slices(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) =>
    ids.slice(at * size, (at + 1) * size),
  )
}
