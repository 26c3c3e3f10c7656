import { age } from './figure.ts'
import {
  bounded,
  type Button,
  codePoints,
  type Item,
  ITEM_CODE_POINTS,
  ITEMS_PER_MESSAGE,
  joined,
  type Message,
  message,
  type Text,
  text,
} from './message.ts'
import type { Reason } from './reason.ts'

/** What is added to what was said of an alert. */
export type Note = AckNote | CloseQuoteNote

/** What became of an alert: it takes the place of the buttons that asked for something. */
export interface AckNote {
  alertId: number
  line: Text
  /** What may be done instead; null when it is over: nothing but to ask why. */
  button: Button | null
}

/** What helping its position would cost. The next one takes its place, and nothing does when the alert is over. */
export interface CloseQuoteNote {
  alertId: number
  quote: readonly Text[]
}

/** When a message was put into the outbox, and sent: wall times. */
interface Sent {
  queuedAt: number
  at: number
  reason: Reason | null
}

/** Sent this long after it was found, a market tick, a message says how late it is: newer may be known. */
const LATE_MS = 2_000

/** The message as it goes out then: late news says how late it is. */
export function withDelayNote(said: Message, { queuedAt, at, reason }: Sent): Message {
  const late = at - queuedAt
  // What was merged says itself of when it is.
  if (late < LATE_MS || reason === 'coalesced') return said
  const { items, ...rest } = said
  const { footnote } = rest
  const words = text`seen at ${{ time: queuedAt, as: 'clock' }}, sent ${age(late)} late`
  return message(items, { ...rest, footnote: joined(footnote === null ? [words] : [footnote, words], ' · ') })
}

/** The message with what was done since; the last word on an alert goes. Null when it speaks of none of these. */
export function annotated(said: Message, notes: readonly Note[]): Message | null {
  const done = new Map(notes.flatMap((note) => (isQuote(note) ? [] : [[note.alertId, note]])))
  const quoted = new Map(notes.flatMap((note) => (isQuote(note) ? [[note.alertId, note]] : [])))
  const named = new Set(notes.map(({ alertId }) => alertId))
  if (!said.items.some((one) => named.has(alertOf(one) ?? -1))) return null
  const items = said.items.map((one) => {
    const note = done.get(alertOf(one) ?? -1)
    return note ? noted(one, note) : one
  })
  const isOver = (alertId: number) => done.get(alertId)?.button === null
  const quotes = [...quoted.values()].filter(({ alertId }) => !isOver(alertId))
  return { ...said, items: withQuotes(items, quotes) }
}

export function isQuote(note: Note): note is CloseQuoteNote {
  return 'quote' in note
}

/** Beyond what bounds an item there is room where a message has few: the worst come first, and a quote is whole or not there. */
function withQuotes(items: readonly Item[], quotes: readonly CloseQuoteNote[]): Item[] {
  const quoteOf = new Map(quotes.map(({ alertId, quote }) => [alertId, quote]))
  const taken = items.map((one) =>
    [one.title, ...one.lines].reduce((sum, line) => sum + codePoints(line) + 1, 0),
  )
  let room = ITEMS_PER_MESSAGE * ITEM_CODE_POINTS - taken.reduce((sum, points) => sum + points, 0)
  return items.map((one) => {
    const quote = quoteOf.get(alertOf(one) ?? -1) ?? []
    const points = quote.reduce((sum, line) => sum + codePoints(line) + 1, 0)
    if (points === 0 || points > room) return one
    room -= points
    return { ...one, lines: [...one.lines, ...quote], beyond: quote.length }
  })
}

/** The message without what is only said again of alerts that somebody has heeded. */
export function withoutStaleReminders(said: Message, isAcknowledged: (alertId: number) => boolean): Message {
  const items = said.items.filter((one) => !one.again || !isAcknowledged(alertOf(one) ?? -1))
  if (items.length === said.items.length) return said
  return items.length === 0 ? message([]) : { ...said, items }
}

/** The alert that an item is about, by the name that ends its title; null when it is about none. */
export function alertOf({ title }: Pick<Item, 'title'>): number | null {
  const words = typeof title === 'string' ? title : title.at(-1)
  const id = typeof words === 'string' ? / \(A(\d+)\)$/.exec(words)?.[1] : undefined
  return id === undefined ? null : Number(id)
}

function noted(one: Item, { alertId, line, button }: AckNote): Item {
  const rest = one.buttons.filter((each) =>
    button === null ? each.line === `/why A${alertId}` : !isAckLine(each.line, alertId),
  )
  const asked = button !== null && rest.length < one.buttons.length
  // What was done goes first: it must not be what is cut off.
  return bounded({ ...one, lines: [line, ...one.lines], buttons: asked ? [button, ...rest] : rest })
}

function isAckLine(line: string, alertId: number): boolean {
  return line === `/ack A${alertId}` || line.startsWith(`/snooze A${alertId} `)
}
