import { z } from 'zod'

import { eventKind } from '../alert.ts'
import type { OwnerSubject } from '../alert.ts'
import { toNumber } from '../amount.ts'
import { awayText } from '../gone.ts'
import { distanceText, price } from '../lib/format.ts'
import { age, item } from '../message.ts'
import type { Text } from '../message.ts'
import { distance, liquidationText, positionKey, side, sizeText } from '../position.ts'
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
    const { market: marketOf, wallet, now, positionAt, awaySince } = subject as OwnerSubject
    const market = marketOf(position.marketId)
    const symbol = market?.symbol ?? `market ${position.marketId}`
    const risk =
      market && position.liquidationPrice !== null
        ? `, ${distanceText(distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice)))} away`
        : ''
    const lines: Text[] = [
      `${sizeText(position, symbol, market?.price ?? null)} · entry ${price(toNumber(position.entryPrice))}`,
      `${liquidationText(position)}${risk} · ${wallet}`,
      `position ${age(now - positionAt)} old`,
    ]
    if (awaySince !== null) lines.push(awayText(awaySince, now))
    return item('info', `${symbol} ${side(position)} opened`, lines)
  },
})
