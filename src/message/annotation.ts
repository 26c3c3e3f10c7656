import { age } from './figure.ts'
import { type Button, type Item, joined, type Message, message, type Text, words } from './message.ts'
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
  /** The most useful line last: it stays where there is one place only. */
  quote: readonly Text[]
  /** For readers of the long form. */
  details?: readonly Text[]
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
  const said = words('late.sent', { at: [{ time: queuedAt, as: 'clock' }], late: [age(late)] })
  return message(items, { ...rest, footnote: joined(footnote === null ? [said] : [footnote, said], ' · ') })
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
    const id = alertOf(one) ?? -1
    const [note, quote] = [done.get(id), quoted.get(id)]
    // The response may take the place of a quote, never the other way round.
    const priced = quote && note?.button !== null ? withQuote(one, quote) : one
    return note ? noted(priced, note) : priced
  })
  const isAnswered = (one: Item) => done.has(alertOf(one) ?? -1) || alertOf(one) === null
  // Two buttons are about all alerts of the message, while there is anything to acknowledge.
  const isWhole = original.items.every(isAnswered)
  const buttons = original.buttons.filter(({ line }) => !isWhole || !['/ack', '/snooze all'].includes(line))
  return { ...original, items, buttons }
}

/** The note with its texts rewritten. */
export function noteInWords(note: AlertNote, say: (text: Text) => Text): AlertNote {
  if (isQuote(note)) {
    const { quote, details } = note
    return { ...note, quote: quote.map(say), ...(details === undefined ? {} : { details: details.map(say) }) }
  }
  const { line, button } = note
  return { ...note, line: say(line), button: button && { ...button, label: say(button.label) } }
}

export function isQuote(note: AlertNote): note is CloseQuoteNote {
  return 'quote' in note
}

/** A quote takes the place of lines that were kept for it, one for one. */
function withQuote(one: Item, { quote, details = [] }: CloseQuoteNote): Item {
  const { ways = [], details: long } = one
  // An item without such lines is one of an earlier version, which added them below.
  if (ways.length === 0) return one.alertId === undefined ? { ...one, lines: [...one.lines, ...quote] } : one
  // The first way is more margin. It stays where there is more than one line.
  const places = Math.min(quote.length, Math.max(ways.length - 1, 1))
  const kept = ways.slice(0, ways.length - places)
  return {
    ...one,
    ways: [...kept, ...quote.slice(quote.length - places)],
    ...(long === undefined || details.length === 0
      ? {}
      : { details: [...long.slice(0, Math.max(long.length - details.length, 0)), ...details] }),
  }
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
    .filter((one) => !isGone(alertOf(one) ?? -1))
    .map((one) =>
      one.lines.some(isAbout) ? { ...one, lines: one.lines.filter((line) => !isAbout(line)) } : one,
    )
  if (items.length === 0) return message([])
  const isWhole = items.every((one, index) => one === original.items[index])
  return isWhole && items.length === original.items.length ? original : { ...original, items }
}

/** The alert of an item; null if it has none. Earlier versions wrote it at the end of the title alone. */
export function alertOf({ alertId, title }: Pick<Item, 'alertId' | 'title'>): number | null {
  return alertId ?? alertNamed(title)
}

export function alertNamed(said: Text): number | null {
  const words = typeof said === 'string' ? said : said.at(-1)
  const id = typeof words === 'string' ? / \(A(\d+)\)$/.exec(words)?.[1] : undefined
  return id === undefined ? null : Number(id)
}

function noted(one: Item, { alertId, line, button }: AckNote): Item {
  const rest = one.buttons.filter((each) =>
    button === null ? each.line === `/why A${alertId}` : !isAckLine(each.line, alertId),
  )
  const asked = button !== null && rest.length < one.buttons.length
  return { ...withResponse(one, line), buttons: asked ? [button, ...rest] : rest }
}

/** A response takes the place that was kept for it, else that of the ways out, so that nothing moves. */
function withResponse(one: Item, line: Text): Item {
  if (one.note !== undefined) return { ...one, note: line }
  return one.ways === undefined ? { ...one, lines: [line, ...one.lines] } : { ...one, ways: [line] }
}

function isAckLine(line: string, alertId: number): boolean {
  return [`/ack A${alertId}`, `/snooze A${alertId}`].includes(line) || line.startsWith(`/snooze A${alertId} `)
}
