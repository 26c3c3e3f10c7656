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

/** An addition to a sent message about an alert. */
export type AlertNote = AckNote | CloseQuoteNote

/** The response to an alert. It replaces the buttons that asked for one. */
export interface AckNote {
  alertId: number
  line: Text
  /** The next possible action; null if the alert is over and only /why is left. */
  button: Button | null
}

/**
 * The costs of getting the alert's position out of danger. A newer quote replaces it, and the end of the
 * alert removes it.
 */
export interface CloseQuoteNote {
  alertId: number
  quote: readonly Text[]
}

/** When a message entered the outbox and when it was sent: wall times. */
interface Sent {
  queuedAt: number
  at: number
  reason: Reason | null
}

/** A message sent this long after its reading, about one price update, says how late it is. */
const LATE_MS = 2_000

/** Adds to a late message how late it is. */
export function withDelayNote(original: Message, { queuedAt, at, reason }: Sent): Message {
  const late = at - queuedAt
  // A coalesced message already says its own times.
  if (late < LATE_MS || reason === 'coalesced') return original
  const { items, ...rest } = original
  const { footnote } = rest
  const words = text`seen at ${{ time: queuedAt, as: 'clock' }}, sent ${age(late)} late`
  return message(items, { ...rest, footnote: joined(footnote === null ? [words] : [footnote, words], ' · ') })
}

/**
 * The message with its notes: only the last response to each alert counts. Null if no note is about an alert
 * of this message.
 */
export function annotated(original: Message, notes: readonly AlertNote[]): Message | null {
  const done = new Map(notes.flatMap((note) => (isQuote(note) ? [] : [[note.alertId, note]])))
  const quoted = new Map(notes.flatMap((note) => (isQuote(note) ? [[note.alertId, note]] : [])))
  const named = new Set(notes.map(({ alertId }) => alertId))
  if (!original.items.some((one) => named.has(alertOf(one) ?? -1))) return null
  const items = original.items.map((one) => {
    const note = done.get(alertOf(one) ?? -1)
    return note ? noted(one, note) : one
  })
  const isOver = (alertId: number) => done.get(alertId)?.button === null
  const quotes = [...quoted.values()].filter(({ alertId }) => !isOver(alertId))
  return { ...original, items: withQuotes(items, quotes) }
}

/** The note with its texts rewritten. */
export function noteInWords(note: AlertNote, say: (text: Text) => Text): AlertNote {
  if (isQuote(note)) return { ...note, quote: note.quote.map(say) }
  const { line, button } = note
  return { ...note, line: say(line), button: button && { ...button, label: say(button.label) } }
}

export function isQuote(note: AlertNote): note is CloseQuoteNote {
  return 'quote' in note
}

/**
 * A quote may exceed its item's limit if a short message has space left. The first items, which are the
 * worst, get theirs first, and only whole quotes are added.
 */
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

/** The message without reminders of acknowledged alerts. */
export function withoutStaleReminders(
  original: Message,
  isAcknowledged: (alertId: number) => boolean,
): Message {
  const items = original.items.filter((one) => !one.again || !isAcknowledged(alertOf(one) ?? -1))
  if (items.length === original.items.length) return original
  return items.length === 0 ? message([]) : { ...original, items }
}

/** The message without the items about these alerts, and without the lines of a summary that name them. */
export function withoutAlerts(original: Message, isGone: (alertId: number) => boolean): Message {
  const isAbout = (words: Text) => isGone(alertNamed(words) ?? -1)
  const items = original.items
    .filter(({ title }) => !isAbout(title))
    .map((one) =>
      one.lines.some(isAbout) ? { ...one, lines: one.lines.filter((line) => !isAbout(line)) } : one,
    )
  if (items.length === 0) return message([])
  const isWhole = items.every((one, index) => one === original.items[index])
  return isWhole && items.length === original.items.length ? original : { ...original, items }
}

/** The alert of an item, by the id at the end of its title; null if it has none. */
export function alertOf({ title }: Pick<Item, 'title'>): number | null {
  return alertNamed(title)
}

function alertNamed(said: Text): number | null {
  const words = typeof said === 'string' ? said : said.at(-1)
  const id = typeof words === 'string' ? / \(A(\d+)\)$/.exec(words)?.[1] : undefined
  return id === undefined ? null : Number(id)
}

function noted(one: Item, { alertId, line, button }: AckNote): Item {
  const rest = one.buttons.filter((each) =>
    button === null ? each.line === `/why A${alertId}` : !isAckLine(each.line, alertId),
  )
  const asked = button !== null && rest.length < one.buttons.length
  // The response goes first, so that it is not cut off.
  return bounded({ ...one, lines: [line, ...one.lines], buttons: asked ? [button, ...rest] : rest })
}

function isAckLine(line: string, alertId: number): boolean {
  return line === `/ack A${alertId}` || line.startsWith(`/snooze A${alertId} `)
}
