import { leaner } from '../../../src/message/fit.ts'
import {
  fileLines,
  inWords,
  type Item,
  linesOf,
  type Message,
  plainLines,
  tableLines,
  type Tone,
  TONE_WORDS,
  readerOf,
  words,
} from '../../../src/message/message.ts'
import type { Language } from '../../../src/words/words.ts'
import { componentRows, type Row } from '../gateway/buttons.ts'
import { CONTENT, EMBED_DESCRIPTION, EMBED_TITLE, EMBEDS, EMBEDS_TOGETHER } from './limits.ts'
import { codeBlock, type CommandIds, cutTo, escaped, markdown, titleText, wholeLines } from './text.ts'

/** https://docs.discord.com/developers/resources/message#embed-object */
export interface Embed {
  title?: string
  description?: string
  color: number
}

/** A message as Discord takes it. */
interface Rendered {
  content: string
  embeds: Embed[]
  components: Row[]
  allowed_mentions: { parse: []; roles?: string[] }
}

export interface Look {
  now: number
  commands: CommandIds
  /** Discord has refused the message with its styles. */
  plain?: boolean
  possibleRepeat?: boolean
  /** A role that is called when something is critical; null for none. */
  role?: string | null
}

/** Colour of the stripe by severity. */
const COLOURS: Record<Tone, number> = {
  critical: 0xd9_2d_20,
  warning: 0xf7_90_09,
  info: 0x2e_90_fa,
  good: 0x17_b2_6a,
  blind: 0x7a_5a_f8,
  plain: 0x98_a2_b3,
}

/** Conversation is text; an alert is a card under its headline, because a phone shows nothing else of a message. */
export function render(message: Message, look: Look): Rendered {
  const role = message.items.some(({ tone }) => tone === 'critical') ? (look.role ?? null) : null
  const { language } = message
  const repeat = look.possibleRepeat ? `${inWords(words('platform.repeat'), language)} ` : ''
  const mark = `${role === null ? '' : `<@&${role}> `}${repeat}`
  const { rows, left } = componentRows(message)
  const shown = look.plain ? plainly(message, left, look, mark) : styled(message, left, look, mark)
  return {
    ...shown,
    components: rows,
    allowed_mentions: role === null ? { parse: [] } : { parse: [], roles: [role] },
  }
}

type Shown = Pick<Rendered, 'content' | 'embeds'>

/** No styles: items, then rows of the table, as many as fit whole; the small print always. */
function plainly(message: Message, left: readonly string[], { now }: Look, mark: string): Shown {
  const lines = (part: Partial<Message>) =>
    plainLines({ items: [], table: null, buttons: [], footnote: null, ...part }, readerOf(message, now)).map(
      escaped,
    )
  const blocks = message.items.map((item) => lines({ items: [{ ...item, buttons: [] }] }).join('\n'))
  const file = message.file ? fileLines(message.file).map(escaped) : []
  const rows = [...(message.table === null ? [] : lines({ table: message.table })), ...file]
  const end = ending(
    left.map((line) => escaped(inWords(words('platform.or-say', { line }), message.language))),
    lines({ footnote: message.footnote }),
  )
  const fit = wholeLines([...blocks, ...rows], CONTENT - mark.length - end.length - MORE)
  return {
    content:
      mark +
      [...fit, ...more(blocks.length + rows.length - fit.length, message.language), end]
        .filter(Boolean)
        .join('\n'),
    embeds: [],
  }
}

function styled(message: Message, left: readonly string[], look: Look, mark: string): Shown {
  const { items, table, footnote, language } = message
  const { now, commands } = look
  const end = ending(
    left.map(
      (line) => `-# ${inWords(words('platform.or-say', { line: markdown([{ code: line }]) }), language)}`,
    ),
    footnote === null ? [] : [`-# ${markdown(footnote, commands)}`],
  )
  if (items.every(({ tone }) => tone === 'plain')) {
    const whole = table === null ? [] : [codeBlock(tableLines(table))]
    const said = [...items.map((item) => spoken(item, look)), ...whole, ...(end === '' ? [] : [end])]
    const content = mark + said.join('\n')
    if (content.length <= CONTENT) return { content, embeds: [] }
  }
  const { kept, tail } = fitted(
    cardsOf(message, look, end),
    table === null ? [] : tableLines(table),
    end,
    language,
  )
  const [first, ...others] = items.slice(0, kept.length).filter(({ tone }) => tone !== 'plain')
  const head = first ? `${TONE_WORDS[first.tone]}: ${titleText(first.title, now)}` : ''
  const content = [
    `${mark}${cutTo(head, CONTENT - mark.length - MORE)}`.trimEnd(),
    ...(others.length > 0
      ? [`-# ${inWords(words('platform.also', { n: String(others.length) }), language)}`]
      : []),
  ].join('\n')
  const cards = first === items[0] ? withoutHeadline(kept) : kept
  return { content, embeds: withTail(cards, tail).filter(({ title, description }) => title ?? description) }
}

/** The headline stands above the first card already. */
function withoutHeadline([first, ...others]: readonly Embed[]): Embed[] {
  if (!first) return []
  const { title: _headline, ...rest } = first
  return [rest, ...others]
}

/** The end: the small print, and the lines that did not become buttons, as far as there is room. */
function ending(lines: string[], footnote: string[]): string {
  const note = footnote.map((line) => cutTo(line, CONTENT / 2))
  const room = CONTENT / 2 - note.reduce((sum, line) => sum + line.length + 1, 0)
  return [...wholeLines(lines, room), ...note].join('\n')
}

/** Room for "… and 12 more that don’t fit here", and for the marks around a table. */
const MORE = 60

function more(count: number, language?: Language): string[] {
  return count > 0 ? [`-# ${inWords(words('platform.more', { n: String(count) }), language)}`] : []
}

/** As many whole cards and rows as fit, worst first. The end always fits. */
function fitted(
  cards: Embed[],
  rows: string[],
  end: string,
  language?: Language,
): { kept: Embed[]; tail: string } {
  let left = EMBEDS_TOGETHER - end.length - MORE
  const kept: Embed[] = []
  for (const one of cards.slice(0, EMBEDS)) {
    const length = lengthOf(one)
    if (length > left) break
    left -= length
    kept.push(one)
  }
  const above = (kept.at(-1)?.description ?? '').length + end.length + MORE
  const all = kept.length < cards.length ? [] : rows
  const shown = wholeLines(all, Math.min(left, EMBED_DESCRIPTION - above) - MORE)
  const cut = [
    ...more(cards.length - kept.length, language),
    ...more(rows.length - shown.length, language),
  ].slice(0, 1)
  const table = shown.length > 1 ? [codeBlock(shown)] : []
  return { kept, tail: [...table, ...cut, ...(end === '' ? [] : [end])].join('\n') }
}

/** The tail stands below the last card. */
function withTail(cards: readonly Embed[], tail: string): Embed[] {
  if (tail === '') return [...cards]
  const last = cards.at(-1) ?? { color: COLOURS.plain }
  const description = last.description === undefined ? tail : `${last.description}\n${tail}`
  if (description.length > EMBED_DESCRIPTION && cards.length < EMBEDS) {
    return [...cards, { description: tail, color: last.color }]
  }
  return [...cards.slice(0, -1), { ...last, description }]
}

/** The cards of all items, without their less important lines where those leave no room for others. */
function cardsOf(message: Message, look: Look, end: string): Embed[] {
  let cards: Embed[] = []
  for (const { message: shown, left } of leaner(message)) {
    if (left > 0) break
    cards = shown.items.map((item) => card(item, look, message.language))
    const points = cards.reduce((sum, one) => sum + lengthOf(one), 0)
    if (points + end.length + MORE <= EMBEDS_TOGETHER) break
  }
  return cards
}

function lengthOf({ title = '', description = '' }: Embed): number {
  return title.length + description.length
}

function spoken(item: Item, { commands }: Look): string {
  const { title } = item
  const lines = linesOf(item)
  const head = markdown(title, commands)
  const isHeading = lines.length > 0 && typeof title === 'string' && !head.includes('</')
  return [isHeading ? `**${head}**` : head, ...lines.map((line) => markdown(line, commands))].join('\n')
}

function card(item: Item, { now, commands }: Look, language?: Language): Embed {
  const { tone, title } = item
  const all = linesOf(item).map((line) => markdown(line, commands))
  const described = wholeLines(all, EMBED_DESCRIPTION - MORE)
  const shown = [...described, ...more(all.length - described.length, language)]
  return {
    title: cutTo(titleText(title, now), EMBED_TITLE),
    ...(shown.length > 0 ? { description: shown.join('\n') } : {}),
    color: COLOURS[tone],
  }
}
