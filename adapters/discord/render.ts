import { plainLines, tableLines, TONE_WORDS } from '../../src/message.ts'
import type { Item, Message, Tone } from '../../src/message.ts'
import { buttonRows } from './buttons.ts'
import type { ButtonRow } from './buttons.ts'
import { CONTENT, EMBEDS, EMBEDS_TOGETHER, EMBED_DESCRIPTION, EMBED_TITLE } from './limits.ts'
import { cutTo, escaped, markdown, titleText, wholeLines } from './text.ts'
import type { CommandIds } from './text.ts'

/** https://docs.discord.com/developers/resources/message#embed-object */
export interface Embed {
  title?: string
  description?: string
  color: number
}

/** A message as Discord takes it. */
export interface Rendered {
  content: string
  embeds: Embed[]
  components: ButtonRow[]
  allowed_mentions: { parse: []; roles?: string[] }
}

export interface Look {
  now: number
  commands: CommandIds
  plain?: boolean
  possibleRepeat?: boolean
  /** A role that is called when something is critical; null for none. */
  role?: string | null
}

/** How loud it is, as the stripe beside it. */
const COLOURS: Record<Tone, number> = {
  critical: 0xd9_2d_20,
  warning: 0xf7_90_09,
  info: 0x2e_90_fa,
  good: 0x17_b2_6a,
  blind: 0x7a_5a_f8,
  plain: 0x98_a2_b3,
}

/** What somebody reads: conversation as text, alerts as cards with the fact above them, which is what a phone shows. */
export function render(message: Message, look: Look): Rendered {
  const role = look.role ?? null
  const call = role !== null && message.items.some(({ tone }) => tone === 'critical') ? role : null
  const mark = `${call === null ? '' : `<@&${call}> `}${look.possibleRepeat ? '(possible repeat) ' : ''}`
  const body = look.plain ? plainBody(message, look, mark) : styledBody(message, look, mark)
  return { ...body, allowed_mentions: call === null ? { parse: [] } : { parse: [], roles: [call] } }
}

/** Nothing to read in it. */
export function isEmpty({ items, table, footnote, buttons }: Message): boolean {
  return items.length === 0 && table === null && footnote === null && buttons.length === 0
}

function plainBody(message: Message, { now }: Look, mark: string): Omit<Rendered, 'allowed_mentions'> {
  const { rows } = buttonRows(message)
  const lines = plainLines({ ...message, buttons: [], items: message.items.map((item) => ({ ...item, buttons: [] })) }, { now, zone: 'UTC' })
  const kept = wholeLines(lines.map(escaped), CONTENT - mark.length)
  const content = kept.length > 0 ? kept.join('\n') : cutTo(escaped(lines[0] ?? '…'), CONTENT - mark.length)
  return { content: mark + content, embeds: [], components: rows }
}

function styledBody(message: Message, look: Look, mark: string): Omit<Rendered, 'allowed_mentions'> {
  const { items } = message
  const { rows: components, left } = buttonRows(message)
  const tail = tailOf(message, left, look)
  if (items.every(({ tone }) => tone === 'plain')) {
    const content = [...items.map((item) => spoken(item, look)), ...tail].join('\n')
    if (mark.length + content.length <= CONTENT) return { content: mark + content, embeds: [], components }
  }
  return { content: mark + headlines(items, look, CONTENT - mark.length), embeds: cards(items, tail, look), components }
}

/** Small print, tables and what cannot be a button: below everything else. */
function tailOf({ table, footnote }: Message, left: string[], { commands }: Look): string[] {
  return [
    ...(table ? [`\`\`\`\n${tableLines(table).map((line) => line.replaceAll('`', 'ˋ')).join('\n')}\n\`\`\``] : []),
    ...left.map((line) => `-# or say \`${line.replaceAll('`', 'ˋ')}\``),
    ...(footnote === null ? [] : [`-# ${markdown(footnote, commands)}`]),
  ]
}

function spoken({ title, lines }: Item, { commands }: Look): string {
  const head = markdown(title, commands)
  if (lines.length === 0) return head
  return [typeof title === 'string' && !head.includes('</') ? `**${head}**` : head, ...lines.map((line) => markdown(line, commands))].join('\n')
}

/** The facts, one a line: what a push notification shows. */
function headlines(items: readonly Item[], { now }: Look, most: number): string {
  const loud = items.filter(({ tone }) => tone !== 'plain')
  const lines = loud.map(({ tone, title }) => `${TONE_WORDS[tone]}: ${titleText(title, now)}`)
  const kept = wholeLines(lines, most)
  return kept.length > 0 ? kept.join('\n') : cutTo(lines[0] ?? '', most)
}

/** A card for each item, as many as fit; the tail goes with the last one. */
function cards(items: readonly Item[], tail: readonly string[], look: Look): Embed[] {
  const all = items.map((item) => card(item, look))
  const end = wholeLines(tail, EMBED_DESCRIPTION).join('\n')
  let left = EMBEDS_TOGETHER - end.length - MORE
  const kept: Embed[] = []
  for (const one of all.slice(0, EMBEDS)) {
    left -= (one.title ?? '').length + (one.description ?? '').length + 1
    if (left < 0) break
    kept.push(one)
  }
  const dropped = all.length - kept.length
  const last = [...(dropped > 0 ? [`-# and ${dropped} more, which do not fit here`] : []), ...(end === '' ? [] : [end])].join('\n')
  if (last === '') return kept
  const final = kept.pop() ?? { color: COLOURS.plain }
  const lines = (final.description ?? '') === '' ? [] : [(final.description ?? '')]
  const whole = [...lines, last].join('\n')
  if (whole.length <= EMBED_DESCRIPTION) return [...kept, { ...final, description: whole }]
  const own = wholeLines((final.description ?? '').split('\n'), EMBED_DESCRIPTION - last.length - 1)
  return [...kept, { ...final, description: [...own, last].join('\n') }]
}

/** Room for "and 9 more, which do not fit here". */
const MORE = 50

function card({ tone, title, lines }: Item, { now, commands }: Look): Embed {
  const described = wholeLines(lines.map((line) => markdown(line, commands)), EMBED_DESCRIPTION)
  return {
    title: cutTo(titleText(title, now), EMBED_TITLE),
    ...(described.length > 0 ? { description: described.join('\n') } : {}),
    color: COLOURS[tone],
  }
}
