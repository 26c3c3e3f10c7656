import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import { text } from '../../message/message.ts'
import { closingOf } from '../../venue/close-outcome.ts'
import { CLOSE_SEVERITY, describeClose } from '../../venue/closed-position.ts'
import { fromLiquidation, positionKey } from '../../venue/position.ts'

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
    return {
      isIdempotent: true,
      state: subject.positions.map(positionKey).sort(),
      occurrences: subject.gone
        .filter((gone) => known.has(gone.key))
        .map((gone) => ({
          ...{ what: gone.cause, value: gone.lastDistance, position: gone.key, detail: gone },
          closing: closingOf(gone),
        })),
    }
  },
  severity: (_params, { detail }) => CLOSE_SEVERITY[detail.cause],
  tell: (_params, { detail }, subject) => describeClose(detail, subject),
})
