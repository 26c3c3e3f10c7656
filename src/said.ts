import { age } from './figure.ts'
import { bounded, joined, message, text } from './message.ts'
import type { Button, Item, Message, Text } from './message.ts'
import type { Reason } from './reason.ts'

/** What became of an alert: it takes the place of the buttons that asked for something. */
export interface Note {
  alertId: number
  line: Text
  /** What may be done instead; null when it is over: nothing but to ask why. */
  button: Button | null
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
export function asSentAt(said: Message, { queuedAt, at, reason }: Sent): Message {
  const late = at - queuedAt
  // What was merged says itself of when it is.
  if (late < LATE_MS || reason === 'merged') return said
  const { items, ...rest } = said
  const { footnote } = rest
  const words = text`seen at ${{ time: queuedAt, as: 'clock' }}, sent ${age(late)} late`
  return message(items, { ...rest, footnote: joined(footnote === null ? [words] : [footnote, words], ' · ') })
}

/** The message with what was done since; the last word on an alert goes. Null when it speaks of none of these. */
export function amended(said: Message, notes: readonly Note[]): Message | null {
  const last = new Map(notes.map((note) => [note.alertId, note]))
  const speaks = said.items.some((one) => last.has(alertOf(one) ?? -1))
  if (!speaks) return null
  const items = said.items.map((one) => {
    const note = last.get(alertOf(one) ?? -1)
    return note ? noted(one, note) : one
  })
  return { ...said, items }
}

/** The message without what is only said again of alerts that somebody has heeded. */
export function withdrawn(said: Message, isHeeded: (alertId: number) => boolean): Message {
  const items = said.items.filter((one) => !one.again || !isHeeded(alertOf(one) ?? -1))
  if (items.length === said.items.length) return said
  return items.length === 0 ? message([]) : { ...said, items }
}

/** The alert that an item is about, by the name that ends its title; null when it is about none. */
export function alertOf({ title }: Pick<Item, 'title'>): number | null {
  const words = typeof title === 'string' ? title : title.at(-1)
  const id = typeof words === 'string' ? / \(A(\d+)\)$/.exec(words)?.[1] : undefined
  return id === undefined ? null : Number(id)
}

function noted(one: Item, { alertId, line, button }: Note): Item {
  const rest = one.buttons.filter((each) =>
    button === null ? each.line === `/why A${alertId}` : !isHeeding(each.line, alertId),
  )
  const asked = button !== null && rest.length < one.buttons.length
  // What was done goes first: it must not be what is cut off.
  return bounded({ ...one, lines: [line, ...one.lines], buttons: asked ? [button, ...rest] : rest })
}

function isHeeding(line: string, alertId: number): boolean {
  return line === `/ack A${alertId}` || line.startsWith(`/snooze A${alertId} `)
}
