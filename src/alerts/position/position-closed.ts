import { z } from 'zod'

import type { Occurrence } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { price as priceFigure } from '../../message/figure.ts'
import { type Item, item, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { closingOf } from '../../venue/close-outcome.ts'
import { CLOSE_SEVERITY, type ClosedPosition, describeClose } from '../../venue/closed-position.ts'
import { fromLiquidation, type Position, positionKey, side, sizeText } from '../../venue/position.ts'
import { positionLines } from '../shared/lines.ts'

/** Alerts when a position is closed, with the probable cause. */
export default eventKind({
  name: 'position-closed',
  aliases: ['closed'],
  summary: 'a position is closed or liquidated',
  example: 'position-closed',
  on: 'wallet',
  params: z.object({}),
  armedByWatch: {},
  figure: (lastDistance) => text`${fromLiquidation(lastDistance)} when last seen`,
  detect(_params, state: string[] | undefined, subject) {
    const known = new Set(state)
    const ended = subject.gone
      .filter((gone) => known.has(gone.key))
      .map((gone): Occurrence<ClosedPosition | Position> => ({
        ...{ what: gone.cause, value: gone.lastDistance, position: gone.key, detail: gone },
        closing: closingOf(gone),
      }))
    const returned = subject.positions.flatMap((detail): Occurrence<ClosedPosition | Position>[] => {
      const position = positionKey(detail)
      const isNews = state !== undefined && !known.has(position) && subject.returned.includes(position)
      return isNews ? [{ what: 'still open', value: null, position, detail }] : []
    })
    return {
      isIdempotent: true,
      state: subject.positions.map(positionKey).sort(),
      occurrences: [...ended, ...returned],
    }
  },
  severity: (_params, { detail }) => (isEnded(detail) ? CLOSE_SEVERITY[detail.cause] : 'warning'),
  tell: (_params, { detail }, subject) =>
    isEnded(detail) ? describeClose(detail, subject) : stillOpen(detail, subject),
})

function isEnded(detail: ClosedPosition | Position): detail is ClosedPosition {
  return 'cause' in detail
}

/** Corrects an alert: the venue had left out a position that never ended. */
function stillOpen(position: Position, subject: WalletSubject): Item {
  const symbol = subject.symbol(position.marketId)
  const price = subject.market(position.marketId)?.price ?? null
  return item('warning', text`${symbol} ${side(position)} is still open`, [
    'I told you that it was gone. The venue had left it out of its answers, and shows it again.',
    text`${sizeText(position, symbol, price)} · entry ${priceFigure(toNumber(position.entryPrice))}`,
    ...positionLines(position, subject),
  ])
}
