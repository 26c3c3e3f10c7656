import type { Acknowledgement } from '../../alert/alert-state.ts'
import { findKind } from '../../alert/alert.ts'
import { subjectKey } from '../../alert/subject-id.ts'
import type { Context, Firing, Pending } from '../../command/context.ts'
import { age, percentAway } from '../../message/figure.ts'
import { type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { atLiquidation, distance, positionKey } from '../../venue/position.ts'

/** `acknowledged by Ann until 14:02`. Empty if no acknowledgement is needed. */
export function ackText(acknowledgement: Acknowledgement): Text {
  switch (acknowledgement.is) {
    case 'waiting':
      return acknowledgement.remindAt === null
        ? ''
        : ['not acknowledged, said again ', { time: acknowledgement.remindAt, as: 'clock' }]
    case 'given-up':
      return 'never acknowledged, not said again'
    case 'acknowledged':
    case 'snoozed':
      return [
        `${acknowledgement.is} by ${acknowledgement.by} until `,
        { time: acknowledgement.until, as: 'clock' },
      ]
  }
}

/** `BTC short · main: 10% line, fires in 9 s if it holds`. */
export function pendingLines({ kinds }: Context, pending: readonly Pending[], most: number): Text[] {
  const lines = pending.slice(0, most).map((one) => {
    const kind = findKind(kinds, one.kind)
    const line = kind?.is === 'level' ? text`${kind.tier(one.params, one.tier)}, ` : ''
    return text`${one.about}: ${line}fires in ${age(one.leftMs)} if it holds`
  })
  const more = pending.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])]
}

/** `2 alerts fire now`. */
export function firingText(many: number): string {
  return many === 1 ? '1 alert fires now' : `${many === 0 ? 'no' : many} alerts fire now`
}

/** `BTC short · main: 4.3% away, 5% line, for 3 min (A2)`: the position first, for there may be many. */
export function firingLines(context: Context, firing: readonly Firing[], most: number): Text[] {
  const lines = firing.slice(0, most).map((one) => {
    const kind = findKind(context.kinds, one.kind)
    const line = kind?.is === 'level' ? text`${kind.tier(one.params, one.tier)}, ` : ''
    const since = text`for ${age(context.reader.now - one.since)} (A${one.alertId})`
    const acknowledgement = ackText(one.acknowledgement)
    return text`${one.about}: ${awayText(context, one)}${line}${since}${acknowledgement === '' ? '' : text`, ${acknowledgement}`}`
  })
  const more = firing.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])]
}

/** The present distance of a position if known, or the last known state of an account. */
function awayText({ view, kinds }: Context, { subject, kind: name, value }: Firing): Text {
  if (subject.is === 'account') {
    const kind = findKind(kinds, name)
    return kind && value !== null ? text`${kind.figure(value)}, ` : ''
  }
  if (subject.is !== 'position') return ''
  const key = subjectKey(subject)
  const position = view.positions(subject.wallet)?.value.find((one) => positionKey(one) === key)
  const market = view.markets().get(subject.marketId)
  if (!position || !market || position.liquidationPrice === null) return ''
  const away = distance(subject.side, toNumber(market.price), toNumber(position.liquidationPrice))
  return away > 0 ? text`${percentAway(away)} away, ` : `${atLiquidation(away)}, `
}
