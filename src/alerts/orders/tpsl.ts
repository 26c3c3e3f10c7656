import { z } from 'zod'

import type { Severity } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import { subjectOf } from '../../alert/subject-id.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { price } from '../../message/figure.ts'
import { type Item, item, joined, type Text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { reasonText } from '../../venue/order.ts'
import { keyOfSide, positionKey, side, sizeText } from '../../venue/position.ts'
import { positionLines } from '../shared/lines.ts'
import { awayLines, readLine, symbolIn } from './order-lines.ts'
import { protectedBy, type Occurred, type State } from './protective-history.ts'

type Triggered = Extract<Occurred, { is: 'triggered' }>
type Lost = Extract<Occurred, { is: 'gone' }>

/** It names the order, and says what the close brought. */
const LEFT = { leftTo: 'position-closed' } as const

/**
 * Alerts when a take profit or stop loss has closed a position, and when one disappears while its position
 * stays.
 */
export default eventKind({
  name: 'tpsl',
  aliases: ['stop-loss', 'take-profit'],
  summary: words('kind.tpsl.summary'),
  example: 'tpsl',
  on: 'wallet',
  reads: 'orders',
  params: z.object({}),
  awaits: (state: State) => state.map(({ order }) => order.id),
  detect(_params, state: State | undefined, subject) {
    const { now, occurrences } = protectedBy(state, subject)
    return {
      state: now,
      occurrences: occurrences.map((detail) => ({
        what: `${detail.role} ${detail.is}`,
        value: toNumber(detail.trigger),
        ...(detail.is === 'gone'
          ? { position: positionKey(detail.position) }
          : { position: null, bearsOn: keyOf(detail, subject), ...(detail.elsewhere && LEFT) }),
        detail,
      })),
    }
  },
  figure: (trigger) => [price(trigger)],
  severity: (_params, { detail }) => severityOf(detail),
  tell: (_params, { detail }, subject) =>
    detail.is === 'gone' ? describeLost(detail, subject) : describeTriggered(detail, subject),
})

function describeTriggered(occurrences: Triggered, subject: WalletSubject): Item {
  const { order, role, trigger, isSure } = occurrences
  const key = keyOf(occurrences, subject)
  const position = key === null ? null : subjectOf(key)
  const said = {
    market: symbolIn(subject, order.marketId ?? ''),
    side: position?.is === 'position' ? position.side : ('none' as const),
    ...{ role, price: price(toNumber(trigger)) },
  }
  return item(
    severityOf(occurrences),
    isSure ? words('kind.tpsl.triggered', said) : words('kind.tpsl.probably', said),
    [...(isSure ? [] : [words('kind.tpsl.no-record')]), readLine(subject), ...awayLines(subject)],
  )
}

function describeLost(occurrences: Lost, subject: WalletSubject): Item {
  const { role, trigger, position, left } = occurrences
  const symbol = subject.symbol(position.marketId)
  const others = left.map((one) => price(toNumber(one.trigger)))
  return item(
    severityOf(occurrences),
    words('kind.tpsl.gone', { market: symbol, side: side(position), role, price: price(toNumber(trigger)) }),
    [
      others.length > 0
        ? words('kind.tpsl.others', { role, prices: joined(others.slice(0, 3), ', ') })
        : lastWord(occurrences),
      sizeText(position, symbol, subject.market(position.marketId)?.price ?? null),
      ...positionLines(position, subject),
    ],
  )
}

/** A stopped loss is still a loss. A missing order limits no loss, unless another one does. */
function severityOf(occurrences: Occurred): Severity {
  const isGood =
    occurrences.is === 'triggered' ? occurrences.role === 'take profit' : occurrences.left.length > 0
  return isGood ? 'info' : 'warning'
}

function lastWord({ order }: Lost): Text {
  const { state } = order
  if (state !== 'cancelled' && state !== 'rejected' && state !== 'expired')
    return words('kind.tpsl.still-open')
  const was = words('kind.order-state', { state })
  const why = reasonText(order)
  return why === null
    ? words('kind.tpsl.was', { state: was })
    : words('kind.tpsl.was-why', { state: was, why })
}

/** The key of the position that it closed. */
function keyOf({ order, position }: Triggered, { wallet }: WalletSubject): string | null {
  if (position !== null || order.marketId === null) return position
  const { accountId, marketId, size } = order
  const towards = typeof size === 'bigint' && size < 0n ? 'short' : 'long'
  return keyOfSide({ wallet, accountId: accountId ?? '', marketId }, towards)
}
