import { z } from 'zod'

import type { Occurrence } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { type Item, item, text, words } from '../../message/message.ts'
import { closingOf } from '../../venue/close-outcome.ts'
import {
  type ClosedPosition,
  closeSeverity,
  describeClose,
  describeTaken,
  type TakenPart,
  takenOutcome,
  takenSeverity,
} from '../../venue/closed-position.ts'
import {
  entryText,
  fromLiquidation,
  labelOf,
  type Position,
  positionKey,
  side,
  sizeText,
} from '../../venue/position.ts'
import { positionLines } from '../shared/lines.ts'

export type CloseDetail = ClosedPosition | TakenPart | Position

/** Alerts when a position is closed, with the probable cause, or when the venue closes a part of it. */
export default eventKind({
  name: 'position-closed',
  aliases: ['closed'],
  summary: words('kind.closed.summary'),
  example: 'position-closed',
  on: 'wallet',
  params: z.object({}),
  armedByWatch: {},
  figure: (lastDistance) => words('kind.closed.figure', { distance: fromLiquidation(lastDistance) }),
  detect: (_params, state: string[] | undefined, subject) => closings(state, subject),
  severity(_params, { detail }) {
    if (isEnded(detail)) return closeSeverity(detail)
    return isTaken(detail) ? takenSeverity(detail) : 'warning'
  },
  tell(_params, { detail }, subject) {
    if (!isEnded(detail) && !isTaken(detail)) return stillOpen(detail, subject)
    const { positions, gone } = subject
    const all = [...positions, ...gone.map(({ position }) => position)]
    const about = { ...subject, label: labelOf(detail.position, subject.label, all) }
    if (isEnded(detail)) return describeClose(detail, about)
    const { marketId } = detail.position
    const price = subject.market(marketId)?.price ?? null
    return describeTaken(detail, { ...about, symbol: subject.symbol(marketId), price })
  },
})

/** Finds the positions that have ended, the parts that the venue took, and those that were never gone. */
export function closings(state: string[] | undefined, subject: WalletSubject) {
  const known = new Set(state)
  const ended = subject.gone
    .filter((gone) => known.has(gone.key))
    .map((gone): Occurrence<CloseDetail> => ({
      ...{ what: gone.cause, value: gone.lastDistance, position: gone.key, detail: gone },
      ...(gone.cause === 'renamed' ? {} : { closing: closingOf(gone) }),
    }))
  const returned = subject.positions.flatMap((detail): Occurrence<CloseDetail>[] => {
    const position = positionKey(detail)
    const isNews = state !== undefined && !known.has(position) && subject.returned.includes(position)
    return isNews ? [{ what: 'still open', value: null, position, detail }] : []
  })
  const taken = subject.taken.map((detail): Occurrence<CloseDetail> => ({
    ...{ what: `partly ${detail.how}`, value: null, position: detail.key, detail },
    closing: takenOutcome(detail, subject.symbol(detail.position.marketId)),
  }))
  return {
    isIdempotent: true,
    state: subject.positions.map(positionKey).sort(),
    occurrences: [...ended, ...taken, ...returned],
  }
}

export function isEnded(detail: CloseDetail): detail is ClosedPosition {
  return 'cause' in detail
}

export function isTaken(detail: CloseDetail): detail is TakenPart {
  return 'from' in detail
}

/** Corrects an alert: the venue had left out a position that never ended. */
function stillOpen(position: Position, subject: WalletSubject): Item {
  const symbol = subject.symbol(position.marketId)
  const price = subject.market(position.marketId)?.price ?? null
  return item('warning', words('kind.closed.still-open', { market: symbol, side: side(position) }), [
    words('kind.closed.left-out'),
    text`${sizeText(position, symbol, price)} · ${entryText(position)}`,
    ...positionLines(position, subject),
  ])
}
