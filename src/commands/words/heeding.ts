import type { Context, Firing } from '../../context.ts'
import { item, message, say, text } from '../../message.ts'
import type { Message, Text } from '../../message.ts'
import { subjectKey } from '../../subject.ts'
import { firingLines } from './firing.ts'

const SHOWN = 8

/** What fires where this was said: in a chat that others read that chat's, else the person's own. */
export function firingHere({ from, person, view }: Context): readonly Firing[] {
  if (from.private) return view.firing(person.id)
  const here = view.chatAt(from.chat)
  return here && !here.private ? view.firingIn(here.id) : []
}

/** Our chat in which the answer is read; null for somebody whom we do not know. */
export function placeOf({ from, view }: Pick<Context, 'from' | 'view'>): number | null {
  return view.chatAt(from.chat)?.id ?? null
}

/** To somebody who wants to heed what does not fire: an old button outlives its alert. */
export async function nothingToHeed(context: Context, alertId: number | undefined): Promise<Message> {
  if (alertId === undefined) return say('Nothing fires here now.')
  const { from, person, recall } = context
  const alert = await recall.alert(alertId)
  const isTheirs = from.private ? alert?.personId === person.id : alert?.chatId === placeOf(context)
  if (!alert || alert.closedAt === null || !isTheirs)
    return say(`A${alertId} does not fire here. See /alerts.`)
  const since = text`A${alertId} is over since ${{ time: alert.closedAt, as: 'clock' }}`
  const subject = subjectKey(alert.subject)
  const next = firingHere(context).find(
    (one) => one.kind === alert.kind && subjectKey(one.subject) === subject,
  )
  if (!next) return say(since, 'Nothing is to be done about it.')
  const button = { label: `Ack A${next.alertId}`, line: `/ack A${next.alertId}`, replace: true }
  return message([item('plain', since, [`It fires again, as A${next.alertId}.`], [button])])
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
