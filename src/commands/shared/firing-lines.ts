import type { Acknowledgement } from '../../alert/alert-state.ts'
import { findKind } from '../../alert/alert.ts'
import { subjectKey } from '../../alert/subject-id.ts'
import type { Context, Firing, Pending } from '../../command/context.ts'
import { age, percentAway } from '../../message/figure.ts'
import { type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { atLiquidation, distance, positionKey } from '../../venue/position.ts'

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
