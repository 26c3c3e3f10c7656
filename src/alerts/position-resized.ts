import { z } from 'zod'

import { eventKind, positionLines } from '../alert.ts'
import type { OwnerSubject } from '../alert.ts'
import { magnitude, toNumber } from '../amount.ts'
import { percent, quantity } from '../lib/format.ts'
import { item } from '../message.ts'
import { positionKey, side, sizeText } from '../position.ts'
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
    const owner = subject as OwnerSubject
    const market = owner.market(position.marketId)
    const symbol = market?.symbol ?? `market ${position.marketId}`
    const [was, is] = [magnitude(BigInt(before)), magnitude(position.size)]
    const share = percent(toNumber(magnitude(is - was)) / toNumber(was))
    return item('info', `${symbol} ${side(position)} ${is > was ? 'grew' : 'shrank'} by ${share}`, [
      `${quantity(toNumber(was))} → ${sizeText(position, symbol, market?.price ?? null)}`,
      ...positionLines(position, owner),
    ])
  },
})
