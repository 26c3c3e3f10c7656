import { z } from 'zod'

import type { Severity } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import { subjectOf } from '../../alert/subject-id.ts'
import type { OwnerSubject } from '../../alert/subject.ts'
import { price } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { keyOfSide, positionKey, side, sizeText } from '../../venue/position.ts'
import { positionLines } from '../shared/lines.ts'
import { awayLines, readLine, symbolIn } from './order-lines.ts'
import { guarded, type Happened, type Memo } from './protective-history.ts'

type Triggered = Extract<Happened, { is: 'triggered' }>
type Lost = Extract<Happened, { is: 'gone' }>

/** Tells when a take profit or stop loss has closed a position, and when one is gone that still has something to guard. */
export default eventKind({
  name: 'tpsl',
  aliases: ['stop-loss', 'take-profit'],
  summary: 'a take profit or stop loss is triggered, or gone while its position stays',
  example: 'tpsl',
  on: 'owner',
  reads: 'orders',
  params: z.object({}),
  awaits: (memo: Memo) => memo.map(({ order }) => order.id),
  fold(_params, memo: Memo | undefined, subject) {
    const { now, happened } = guarded(memo, subject)
    return {
      memo: now,
      happened: happened.map((detail) => ({
        what: `${detail.role} ${detail.is}`,
        value: toNumber(detail.trigger),
        ...(detail.is === 'gone'
          ? { position: positionKey(detail.position) }
          : { position: null, bearsOn: keyOf(detail, subject) }),
        detail,
      })),
    }
  },
  figure: (trigger) => [price(trigger)],
  severity: (_params, { detail }) => severityOf(detail),
  tell: (_params, { detail }, subject) =>
    detail.is === 'gone' ? toldGone(detail, subject) : toldTriggered(detail, subject),
})

function toldTriggered(happened: Triggered, subject: OwnerSubject): Item {
  const { order, role, trigger, isSure } = happened
  const key = keyOf(happened, subject)
  const position = key === null ? null : subjectOf(key)
  const towards = position?.is === 'position' ? ` ${position.side}` : ''
  const at = price(toNumber(trigger))
  return item(
    severityOf(happened),
    text`${symbolIn(subject, order.marketId ?? '')}${towards}: ${role} at ${at}${isSure ? '' : ' probably'} triggered`,
    [...(isSure ? [] : [NO_RECORD]), readLine(subject), ...awayLines(subject)],
  )
}

function toldGone(happened: Lost, subject: OwnerSubject): Item {
  const { role, trigger, position, left } = happened
  const symbol = subject.symbol(position.marketId)
  const others = left.map((one) => price(toNumber(one.trigger)))
  return item(
    severityOf(happened),
    text`${symbol} ${side(position)}: its ${role} at ${price(toNumber(trigger))} is gone`,
    [
      others.length > 0
        ? text`Another ${role} is still there, at ${joined(others.slice(0, 3), ', ')}.`
        : lastWord(happened),
      sizeText(position, symbol, subject.market(position.marketId)?.price ?? null),
      ...positionLines(position, subject),
    ],
  )
}

const NO_RECORD = 'The price had come to it when the position was closed; the venue does not say by what.'

/** A loss that was limited is a loss all the same; and what is gone limits none, unless there is another one. */
function severityOf(happened: Happened): Severity {
  const isGood = happened.is === 'triggered' ? happened.role === 'take profit' : happened.left.length > 0
  return isGood ? 'info' : 'warning'
}

function lastWord({ order: { state } }: Lost): Text {
  const isKnown = state === 'cancelled' || state === 'rejected' || state === 'expired'
  return isKnown ? `It was ${state}; the position is still open.` : 'The position is still open.'
}

/** The position that it closed. */
function keyOf({ order, position }: Triggered, { owner }: OwnerSubject): string | null {
  if (position !== null || order.marketId === null) return position
  const { accountId, marketId, size } = order
  const towards = typeof size === 'bigint' && size < 0n ? 'short' : 'long'
  return keyOfSide({ owner, accountId: accountId ?? '', marketId }, towards)
}
