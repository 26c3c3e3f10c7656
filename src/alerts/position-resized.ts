import { z } from 'zod'

import { eventKind } from '../alert.ts'
import type { OwnerSubject } from '../alert.ts'
import { magnitude, toNumber } from '../amount.ts'
import { awayText } from '../gone.ts'
import { distanceText, percent, quantity } from '../lib/format.ts'
import { age, item } from '../message.ts'
import type { Text } from '../message.ts'
import { distance, liquidationText, positionKey, side, sizeText } from '../position.ts'
import type { Position } from '../position.ts'

/** Tells when a position grows or shrinks. */
export default eventKind<Record<string, never>, Record<string, string>>({
  name: 'position-resized',
  aliases: ['resized'],
  summary: 'a position grows or shrinks',
  example: 'position-resized',
  on: 'owner',
  params: z.object({}),
  armedByWatch: {},
  describe: () => '',
  typed: () => '',
  severity: () => 'info',
  fold(_params, memo, subject) {
    if (subject.is !== 'owner') throw new Error('position-resized judges owners')
    const sizes: Record<string, string> = {}
    for (const position of subject.positions) sizes[positionKey(position)] = position.size.toString()
    const resized = subject.positions.filter((position) => {
      const before = memo?.[positionKey(position)]
      return before !== undefined && before !== position.size.toString()
    })
    return {
      memo: sizes,
      happened: resized.map((position) => ({
        what: 'resized',
        value: toNumber(position.size),
        position: positionKey(position),
        detail: { position, before: memo?.[positionKey(position)] ?? '0' },
      })),
    }
  },
  tell(_params, { detail }, subject) {
    const { position, before } = detail as { position: Position; before: string }
    const { market: marketOf, wallet, now, positionAt, awaySince } = subject as OwnerSubject
    const market = marketOf(position.marketId)
    const symbol = market?.symbol ?? `market ${position.marketId}`
    const [was, is] = [magnitude(BigInt(before)), magnitude(position.size)]
    const risk =
      market && position.liquidationPrice !== null
        ? `, ${distanceText(distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice)))} away`
        : ''
    const lines: Text[] = [
      `${quantity(toNumber(was))} → ${sizeText(position, symbol, market?.price ?? null)}`,
      `${liquidationText(position)}${risk} · ${wallet}`,
      `position ${age(now - positionAt)} old`,
    ]
    if (awaySince !== null) lines.push(awayText(awaySince, now))
    const verb = is > was ? 'grew' : 'shrank'
    return item(
      'info',
      `${symbol} ${side(position)} ${verb} by ${percent(toNumber(magnitude(is - was)) / toNumber(was))}`,
      lines,
    )
  },
})
