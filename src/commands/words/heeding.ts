import type { Context, Firing } from '../../context.ts'
import { item, message } from '../../message.ts'
import type { Message, Text } from '../../message.ts'
import { firingLines } from './firing.ts'

const SHOWN = 8

/** What fires where this was said: in a chat that others read that chat's, else the person's own. */
export function firingHere({ from, person, view }: Context): readonly Firing[] {
  if (from.private) return view.firing(person.id)
  const here = view.chatAt(from.chat)
  return here && !here.private ? view.firingIn(here.id) : []
}

/** Where the message about these alerts stands. */
function placeOf({ from, view }: Context): number | null {
  return view.chatAt(from.chat)?.id ?? null
}

/**
 * What was done about alerts. Of a single one it is its own message with this in place of its buttons, so that it can
 * take the place of the message whose button it was.
 */
export async function heeded(
  context: Context,
  alerts: readonly Firing[],
  {
    title,
    line,
    undo,
  }: { title: string; line: Text; undo: (alertId: number) => { label: string; line: string } },
): Promise<Message> {
  const [one, ...others] = alerts
  const place = placeOf(context)
  const said =
    one && others.length === 0 && place !== null ? await context.recall.said(one.alertId, place) : null
  if (one && said) return noted(said, one.alertId, [title, line], undo(one.alertId))
  return message([item('plain', title, [line, ...firingLines(context, alerts, SHOWN)])])
}

/** The message as it was, without the buttons that are done with. */
function noted(
  said: Message,
  alertId: number,
  [title, line]: [string, Text],
  undo: { label: string; line: string },
): Message {
  const items = said.items.map((one) => {
    const mine = one.buttons.some((button) => isHeeding(button.line, alertId)) || titled(one.title, alertId)
    if (!mine) return one
    const rest = one.buttons.filter((button) => !isHeeding(button.line, alertId))
    const note: Text = typeof line === 'string' ? `${title}: ${line}` : [`${title}: `, ...line]
    return { ...one, lines: [...one.lines, note], buttons: [...rest, { ...undo, replace: true }] }
  })
  return { ...said, items }
}

function isHeeding(line: string, alertId: number): boolean {
  return line === `/ack A${alertId}` || line.startsWith(`/snooze A${alertId} `)
}

function titled(title: Text, alertId: number): boolean {
  const words = typeof title === 'string' ? title : title.at(-1)
  return typeof words === 'string' && words.endsWith(`(A${alertId})`)
}
