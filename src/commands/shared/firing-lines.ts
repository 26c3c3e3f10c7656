import type { Acknowledgement } from '../../alert/alert-state.ts'
import { findKind } from '../../alert/alert.ts'
import { subjectKey } from '../../alert/subject-id.ts'
import type { Context, Firing, Pending } from '../../command/context.ts'
import { age, percentAway } from '../../message/figure.ts'
import { type Button, type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { atLiquidation, distance, positionKey } from '../../venue/position.ts'
import { go } from './pages.ts'

/** `acknowledged by Ann until 14:02`. Null if no acknowledgement is needed. */
export function ackText(acknowledgement: Acknowledgement): Text | null {
  const at = (time: number) => ({ time, as: 'clock' }) as const
  switch (acknowledgement.is) {
    case 'waiting':
      return acknowledgement.remindAt === null
        ? null
        : words('firing.remind', { at: at(acknowledgement.remindAt) })
    case 'given-up':
      return words('firing.given-up')
    case 'acknowledged':
    case 'snoozed':
      return words(`firing.${acknowledgement.is}`, { by: acknowledgement.by, at: at(acknowledgement.until) })
  }
}

/** `BTC short · main: past 10%, alerts in 9 s unless it recovers`. */
export function pendingLines({ kinds }: Context, pending: readonly Pending[], most: number): Text[] {
  const lines = pending.slice(0, most).map((one) => {
    const kind = findKind(kinds, one.kind)
    const said = { about: one.about, span: age(one.leftMs) }
    return kind?.is === 'level'
      ? words('firing.pending', { ...said, line: kind.tier(one.params, one.tier) })
      : words('firing.pending-any', said)
  })
  return [...lines, ...moreLine(pending.length - lines.length)]
}

function moreLine(more: number): Text[] {
  return more > 0 ? [words('rule.more', { more })] : []
}

/** `2 active alerts`. */
export function firingText(many: number): Text {
  return many === 0 ? words('firing.none') : words('firing.some', { alerts: many })
}

/** `BTC short · main: 4.3% away (A2) · next reminder 14:02`: the position first, for there may be many. */
export function firingLines(context: Context, firing: readonly Firing[], most: number): Text[] {
  const lines = firing.slice(0, most).map((one) => {
    const kind = findKind(context.kinds, one.kind)
    const line = kind?.is === 'level' ? kind.tier(one.params, one.tier) : null
    const state =
      awayText(context, one) ?? line ?? words('firing.for', { span: age(context.reader.now - one.since) })
    const said = words('firing.line', { about: one.about, state, alert: one.alertId })
    const acknowledgement = ackText(one.acknowledgement)
    return acknowledgement === null ? said : text`${said} · ${acknowledgement}`
  })
  return [...lines, ...moreLine(firing.length - lines.length)]
}

/** The present distance of a position if known, or the last known state of an account. */
function awayText({ view, kinds }: Context, { subject, kind: name, value, isGone }: Firing): Text | null {
  if (isGone) return words('firing.gone')
  if (subject.is === 'account') {
    const kind = findKind(kinds, name)
    return kind && value !== null ? kind.figure(value) : null
  }
  if (subject.is !== 'position') return null
  const key = subjectKey(subject)
  const position = view.positions(subject.wallet)?.value.find((one) => positionKey(one) === key)
  const market = view.markets().get(subject.marketId)
  if (!position || !market || position.liquidationPrice === null) return null
  const away = distance(subject.side, toNumber(market.price), toNumber(position.liquidationPrice))
  return away > 0 ? words('firing.away', { distance: percentAway(away) }) : atLiquidation(away)
}

/**
 * The alerts that fire here, or one of them. In a shared chat these are the chat's. Elsewhere they are the person's own,
 * those delegated to them, and those of chats that they have bound, no matter who made the rules there.
 */
export function firingHere(
  { from, person, view }: Pick<Context, 'from' | 'person' | 'view'>,
  alertId?: number,
): readonly Firing[] {
  const here = view.chatAt(from.chat)
  const ofChat = here && !here.private ? view.firingIn(here.id) : []
  const firing = from.private ? firingForPerson(view, person.id) : ofChat
  return alertId === undefined ? firing : firing.filter((one) => one.alertId === alertId)
}

/** Each alert once: a rule of the person may alert in a chat that they have bound. */
function firingForPerson(view: Context['view'], personId: number): readonly Firing[] {
  const bound = view.chats(personId).filter((chat) => !chat.private)
  const all = [
    ...[...view.firing(personId), ...view.helping(personId)],
    ...bound.flatMap(({ id }) => view.firingIn(id)),
  ]
  const seen = new Set<number>()
  return all.filter(({ alertId }) => !seen.has(alertId) && seen.add(alertId))
}

/** The buttons of a screen that acknowledge and snooze all alerts that still ring; none where nothing rings. */
export function allButtons(context: Pick<Context, 'from' | 'person' | 'view'>): Button[] {
  const ringing = firingHere(context).filter(
    (one) => one.severity !== 'info' && !('by' in one.acknowledgement),
  )
  if (ringing.length === 0) return []
  const [ack, snooze] =
    ringing.length === 1
      ? [words('alert.button.ack'), words('alert.button.snooze')]
      : [words('alert.button.ack-all', { n: String(ringing.length) }), words('alert.button.snooze-all')]
  return [go(ack, '/ack all'), go(snooze, '/snooze all')]
}
