import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { price } from '../figure.ts'
import { eventKind } from '../kind.ts'
import { item, text } from '../message.ts'
import { positionKey, side, sizeText } from '../position.ts'
import { positionLines } from './words/position.ts'

/** Tells when a wallet opens a position. */
export default eventKind({
  name: 'position-opened',
  aliases: ['opened'],
  summary: 'a wallet opens a position',
  example: 'position-opened',
  on: 'owner',
  params: z.object({}),
  armedByWatch: {},
  severity: 'info',
  fold(_params, memo: string[] | undefined, subject) {
    const keys = subject.positions.map(positionKey).sort()
    const known = new Set(memo)
    const opened = memo ? subject.positions.filter((position) => !known.has(positionKey(position))) : []
    return {
      memo: keys,
      happened: opened.map((position) => ({
        what: 'opened',
        value: null,
        position: positionKey(position),
        detail: position,
      })),
    }
  },
  tell(_params, { detail: position }, subject) {
    const market = subject.market(position.marketId)
    const symbol = subject.symbol(position.marketId)
    return item('info', `${symbol} ${side(position)} opened`, [
      text`${sizeText(position, symbol, market?.price ?? null)} · entry ${price(toNumber(position.entryPrice))}`,
      ...positionLines(position, subject),
    ])
  },
})
