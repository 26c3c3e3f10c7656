import { rangAt } from '../../alert/alert-state.ts'
import { subjectKey } from '../../alert/subject-id.ts'
import { argument } from '../../chat/argument.ts'
import type { Context, Firing } from '../../command/context.ts'
import { type Item, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { firingHere, firingLines } from '../shared/firing-lines.ts'
import { go } from '../shared/pages.ts'
import { endedBefore } from '../shared/late-input.ts'

const MAX_SHOWN_ALERTS = 8

/** `all`, also as people say it. A line without it means the same. */
export const everyAlert = () =>
  argument.choice(
    ['all'],
    words('ack.all.asks'),
    new Map([...['everything', 'every', 'alle', 'alles', 'allen'].map((word) => [word, 'all'] as const)]),
  )

/** The known chat where the answer is read; null if the chat is unknown or its answers are not read. */
export function readIn({ from, view }: Pick<Context, 'from' | 'view'>): number | null {
  return from.answerUnread ? null : (view.chatAt(from.chat)?.id ?? null)
}

interface Acknowledging {
  as: 'acknowledged' | 'snoozed'
  until: number
  line: Text
  /** The line that asks for it once more. */
  again: string
}

/** The answer for an alert that does not fire: an old button outlives its alert. */
export async function nothingToAcknowledge(context: Context, alertId: number | undefined): Promise<Message> {
  if (alertId === undefined) return say(words('ack.none'))
  const { from, person, recall } = context
  const alert = await recall.alert(alertId)
  const isTheirs = from.private ? alert?.personId === person.id : alert?.chatId === readIn(context)
  if (!alert || alert.closedAt === null || !isTheirs) return say(words('ack.not-here', { alert: alertId }))
  const since = words('ack.over', { alert: alertId, at: { time: alert.closedAt, as: 'clock' } })
  const subject = subjectKey(alert.subject)
  const next = firingHere(context).find(
    (one) => one.kind === alert.kind && subjectKey(one.subject) === subject,
  )
  if (!next) return say(since, words('ack.nothing'))
  const button = {
    label: words('ack.button.ack', { alert: next.alertId }),
    line: `/ack A${next.alertId}`,
    replace: true,
  }
  return message([item('plain', since, [words('ack.again', { alert: next.alertId })], [button])])
}

/**
 * Acknowledges or snoozes alerts and shows the result. For a single alert, the answer is its message with new buttons,
 * so that it can replace the message whose button was pressed.
 */
export async function acknowledgement(
  context: Context,
  alerts: readonly Firing[],
  { as, until, line, again }: Acknowledging,
): Promise<Message> {
  const { from, change, recall } = context
  const late = endedBefore(context, until, { label: words('ack.button.again'), line: again })
  if (late) return late
  const place = readIn(context)
  const missed = alerts.filter((one) => rangAt(one) > from.seenUntil)
  const seen = alerts.filter((one) => !missed.includes(one))
  const rest = missed.length === 0 ? [] : [missedItem(context, missed)]
  if (seen.length === 0) return message(rest)
  const alertIds = seen.map(({ alertId }) => alertId)
  const { refused } = await change({
    is: 'acknowledgement',
    as,
    alertIds,
    by: from.name,
    until,
    seenUntil: from.seenUntil,
    readIn: place,
  })
  if (refused !== null) return say(refused)
  const [one, ...others] = alertIds
  const alone = others.length === 0 ? one : undefined
  // The alert whose button was tapped shows the response itself; a snooze is chosen in another message.
  const isInPlace = as === 'acknowledged' && from.inPlace === true && rest.length === 0
  const said =
    isInPlace && alone !== undefined && place !== null ? await recall.messageOf(alone, place) : null
  if (said) return said
  const asked = new Set(alertIds)
  const now = firingHere(context).filter(({ alertId }) => asked.has(alertId))
  // One that got worse since the look goes on ringing, and one that has ended needs nothing.
  const ringsOn = now.filter((one) => !('by' in one.acknowledgement))
  const quiet = now.filter((one) => 'by' in one.acknowledgement)
  const still = ringsOn.length === 0 ? rest : [missedItem(context, [...missed, ...ringsOn])]
  if (quiet.length === 0 && ringsOn.length > 0) return message(still)
  const acknowledgement = alone === undefined ? undefined : quiet[0]?.acknowledgement
  const by = acknowledgement && 'by' in acknowledgement ? acknowledgement.by : from.name
  const what =
    alone === undefined ? words('ack.many', { alerts: quiet.length }) : (quiet[0]?.about ?? `A${alone}`)
  const isAck = as === 'acknowledged'
  const ended = alertIds.length - now.length
  const done = item('plain', words(isAck ? 'ack.done' : 'ack.snoozed', { what, line }), [
    // A person who reads this elsewhere, or with others, does not know who it was.
    ...(by === from.name && from.private && !from.answerUnread
      ? []
      : [words(isAck ? 'ack.by' : 'ack.snoozed-by', { by })]),
    ...(alone === undefined ? firingLines(context, quiet, MAX_SHOWN_ALERTS) : []),
    ...(alone === undefined && ended > 0 ? [words('ack.ended', { alerts: ended })] : []),
  ])
  const list = go(words('alerts.button.firing'), '/alerts firing')
  return message([done, ...still], { buttons: quiet.length > MAX_SHOWN_ALERTS ? [list] : [] })
}

/** An acknowledgement that lasts about as long already: to write it anew would only edit messages once more. */
const ABOUT_AS_LONG_MS = 3_600_000

/** Leaves out alerts that somebody has acknowledged for about as long. */
export function unacknowledged(alerts: readonly Firing[], until: number): readonly Firing[] {
  return alerts.filter(
    ({ acknowledgement }) =>
      acknowledgement.is !== 'acknowledged' || acknowledgement.until < until - ABOUT_AS_LONG_MS,
  )
}

/** The answer where every alert is acknowledged already: by whom, and until when. */
export function allAcknowledged(context: Context, alerts: readonly Firing[]): Message {
  const title = words('ack.all-quiet', { alerts: alerts.length })
  return message([item('plain', title, firingLines(context, alerts, MAX_SHOWN_ALERTS))])
}

/** Alerts that have rung since the speaker could look: nobody has seen them yet, so they go on ringing. */
function missedItem(context: Context, missed: readonly Firing[]): Item {
  const { from } = context
  const shown = missed.slice(0, MAX_SHOWN_ALERTS)
  const at = { time: Math.max(...missed.map(rangAt)), as: 'clock' } as const
  const alerts = shown.map(({ alertId }) => `A${alertId}`).join(', ')
  const title = words(from.seenUntil < from.writtenAt ? 'ack.rang' : 'ack.rang-since', { alerts, at })
  const buttons = shown.map(({ alertId: alert }) => ({
    label: words('ack.button.ack', { alert }),
    line: `/ack A${alert}`,
    replace: true,
  }))
  return item('plain', title, firingLines(context, missed, MAX_SHOWN_ALERTS), buttons)
}
