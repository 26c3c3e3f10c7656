import type { Context, Firing } from '../../context.ts'
import { item, message } from '../../message.ts'
import type { Message, Text } from '../../message.ts'
import { firingLines } from './firing.ts'

const SHOWN = 8

/**
 * What fires where this was said: in a chat that others read that chat's, else the person's own and what they were told
 * of for somebody else.
 */
export function firingHere({ from, person, view }: Context): readonly Firing[] {
  if (from.private) return [...view.firing(person.id), ...view.helping(person.id)]
  const here = view.chatAt(from.chat)
  return here && !here.private ? view.firingIn(here.id) : []
}

/** Our chat in which the answer is read; null for somebody whom we do not know. */
export function placeOf({ from, view }: Pick<Context, 'from' | 'view'>): number | null {
  return view.chatAt(from.chat)?.id ?? null
}

/**
 * What was done about alerts. Of a single one it is its own message with that in place of its buttons, so that it can
 * take the place of the message whose button it was.
 */
export async function heeded(
  context: Context,
  alerts: readonly Firing[],
  { as, line }: { as: 'acknowledged' | 'snoozed'; line: Text },
): Promise<Message> {
  const [one, ...others] = alerts
  const place = placeOf(context)
  const alone = one && others.length === 0 ? one.alertId : null
  const said = alone !== null && place !== null ? await context.recall.said(alone, place) : null
  if (said) return said
  const heed = firingHere(context).find(({ alertId }) => alertId === alone)?.heed
  const by = heed && 'by' in heed ? heed.by : context.from.name
  const what = alone === null ? `${alerts.length} alerts` : `A${alone}`
  return message([item('plain', `${what} ${as} by ${by}`, [line, ...firingLines(context, alerts, SHOWN)])])
}
