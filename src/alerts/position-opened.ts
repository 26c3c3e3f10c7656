import { z } from 'zod'

import { eventKind, positionLines } from '../alert.ts'
import type { OwnerSubject } from '../alert.ts'
import { toNumber } from '../amount.ts'
import { price } from '../lib/format.ts'
import { item } from '../message.ts'
import { positionKey, side, sizeText } from '../position.ts'
import type { Position } from '../position.ts'

/** Tells when a wallet opens a position. */
export default eventKind<Record<string, never>, string[]>({
  name: 'position-opened',
  aliases: ['opened'],
  summary: 'a wallet opens a position',
  example: 'position-opened',
  on: 'owner',
  params: z.object({}),
  armedByWatch: {},
  describe: () => '',
  typed: () => '',
  severity: () => 'info',
  fold(_params, memo, subject) {
    if (subject.is !== 'owner') throw new Error('position-opened judges owners')
    const keys = subject.positions.map(positionKey).sort()
    const known = new Set(memo)
    const opened = memo ? subject.positions.filter((position) => !known.has(positionKey(position))) : []
    return {
      memo: keys,
      happened: opened.map((position) => ({
        what: 'opened',
        value: toNumber(position.size),
        position: positionKey(position),
        detail: position,
      })),
    }
  },
  tell(_params, { detail }, subject) {
    const position = detail as Position
    const owner = subject as OwnerSubject
    const market = owner.market(position.marketId)
    const symbol = market?.symbol ?? `market ${position.marketId}`
    return item('info', `${symbol} ${side(position)} opened`, [
      `${sizeText(position, symbol, market?.price ?? null)} · entry ${price(toNumber(position.entryPrice))}`,
      ...positionLines(position, owner),
    ])
  },
})
