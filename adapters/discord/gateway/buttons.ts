import { type Button, inWords, type Message, words } from '../../../src/message/message.ts'
import { ASK, CANCEL, isOther } from '../../../src/message/question.ts'
import {
  BUTTON_LABEL,
  BUTTONS_IN_A_ROW,
  CUSTOM_ID,
  ROWS,
  SELECT_LABEL,
  SELECT_OPTIONS,
  URL_LENGTH,
} from '../send/limits.ts'
import { cutTo } from '../send/text.ts'

/** A row of buttons, or one list to choose from: https://docs.discord.com/developers/components/reference. */
export interface Row {
  type: 1
  components: (
    | { type: 2; style: 2; label: string; custom_id: string }
    | { type: 2; style: 5; label: string; url: string }
    | { type: 3; custom_id: string; options: { label: string; value: string }[] }
  )[]
}

/** Prefix of the line of a button whose answer replaces its message. */
const REPLACES = '~'

/** The id carries the line itself, so buttons work after a restart without stored state. */
export function customId({ line, replace }: Pick<Button, 'line' | 'replace'>): string {
  return `${replace ? REPLACES : ''}${line}`
}

/** The line in a button; null if the button is not ours. */
export function tapped(id: string): { line: string; replace: boolean } | null {
  const replace = id.startsWith(REPLACES)
  const line = replace ? id.slice(REPLACES.length) : id
  return line.startsWith('/') ? { line, replace } : null
}

/** More choices than this are a list. */
const MOST_BUTTONS_TO_CHOOSE = 5
const LIST_ID = 'choose'

/** The rows of a message, and the lines that do not fit. A question has a button to type the answer. */
export function componentRows(message: Message): { rows: Row[]; left: string[] } {
  const { question, buttons, items } = message
  if (!question) return buttonRows(message)
  const all = [...items.flatMap((item) => item.buttons), ...buttons]
  const type = { label: words('ask.type'), line: `${question.start} ${ASK}`, replace: true }
  const given = all.length === 0 ? [type, CANCEL] : all
  const shown = given.map((one) => ({ ...one, label: inWords(one.label, message.language) }))
  const ends = shown.filter((one) => isOther(one) || one.line === CANCEL.line)
  const choices = shown.filter((one) => !ends.includes(one) && customId(one).length <= CUSTOM_ID)
  if (choices.length <= MOST_BUTTONS_TO_CHOOSE) return buttonRows({ items: [], buttons: shown })
  const options = choices.slice(0, SELECT_OPTIONS).map((one) => ({
    label: cutTo(inWords(one.label).trim() || '…', SELECT_LABEL),
    value: customId(one),
  }))
  const { rows, left } = buttonRows({ items: [], buttons: ends })
  return { rows: [{ type: 1, components: [{ type: 3, custom_id: LIST_ID, options }] }, ...rows], left }
}

/** Rows of buttons, with rows of their own for each item if there is room, and the lines that do not fit. */
function buttonRows({ items, buttons }: Pick<Message, 'items' | 'buttons'>): {
  rows: Row[]
  left: string[]
} {
  const groups = [...items.map((item) => item.buttons), buttons].map((group) =>
    group.filter(({ opens }) => opens?.app !== true),
  )
  // The same button twice is refused.
  const unique = new Map(groups.flat().map((button) => [nameOf(button), button]))
  const fit = [...unique]
    .flatMap(([id, one]) => (id.length <= (one.opens ? URL_LENGTH : CUSTOM_ID) ? [id] : []))
    .slice(0, ROWS * BUTTONS_IN_A_ROW)
  const open = new Set(fit)
  const apart = groups.map((group) => group.map(nameOf).filter((id) => open.delete(id))).flatMap(evenly)
  const rows = (apart.length <= ROWS ? apart : slices(fit, BUTTONS_IN_A_ROW)).map((ids): Row => ({
    type: 1,
    components: ids.flatMap((id) => shown(id, unique.get(id)) ?? []),
  }))
  return { rows, left: [...unique].flatMap(([id, { line }]) => (fit.includes(id) ? [] : [line])) }
}

/** Two buttons of the same name are one. */
function nameOf(button: Button): string {
  return button.opens?.url ?? customId(button)
}

function shown(id: string, button: Button | undefined): Row['components'][number] {
  const label = cutTo(inWords(button?.label ?? '').trim() || '…', BUTTON_LABEL)
  return button?.opens
    ? { type: 2, style: 5, label, url: button.opens.url }
    : { type: 2, style: 2, label, custom_id: id }
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
