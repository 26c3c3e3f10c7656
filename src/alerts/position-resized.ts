import { z } from 'zod'

import { magnitude, multiply, toNumber } from '../amount.ts'
import type { Amount } from '../amount.ts'
import { percent, quantity } from '../figure.ts'
import { eventKind } from '../kind.ts'
import { item, text } from '../message.ts'
import { positionKey, side, sizeText } from '../position.ts'
import { positionLines } from './words/position.ts'

/** A change that is smaller than both is dust: fees and roundings make it, nobody does. */
const DUST_SHARE = 0.01
const DUST_USD = 50

function matters(before: Amount, after: Amount, price: Amount | null): boolean {
  const change = magnitude(after - before)
  if (change === 0n) return false
  const share = toNumber(change) / toNumber(magnitude(before))
  return price === null || share >= DUST_SHARE || toNumber(multiply(change, price)) >= DUST_USD
}

/** Tells when a position grows or shrinks. */
export default eventKind({
  name: 'position-resized',
  aliases: ['resized'],
  summary: 'a position grows or shrinks',
  example: 'position-resized',
  on: 'owner',
  params: z.object({}),
  armedByWatch: {},
  severity: 'info',
  fold(_params, memo: Record<string, string> | undefined, subject) {
    const resized = subject.positions.filter((position) => {
      const before = memo?.[positionKey(position)]
      const price = subject.market(position.marketId)?.price ?? null
      return before !== undefined && matters(BigInt(before), position.size, price)
    })
    const told = new Set(resized)
    // Dust is compared with what was told last, so that much of it is told.
    const sizes: Record<string, string> = {}
    for (const position of subject.positions) {
      const before = told.has(position) ? undefined : memo?.[positionKey(position)]
      sizes[positionKey(position)] = before ?? position.size.toString()
    }
    return {
      memo: sizes,
      // Dust may be worth telling when its market costs more.
      still: subject.positions.every((position) => sizes[positionKey(position)] === position.size.toString()),
      happened: resized.map((position) => ({
        what: 'resized',
        value: null,
        position: positionKey(position),
        detail: { position, before: memo?.[positionKey(position)] ?? '0' },
      })),
    }
  },
  tell(_params, { detail }, subject) {
    const { position, before } = detail
    const market = subject.market(position.marketId)
    const symbol = subject.symbol(position.marketId)
    const [was, is] = [magnitude(BigInt(before)), magnitude(position.size)]
    const share = percent(toNumber(magnitude(is - was)) / toNumber(was))
    return item('info', text`${symbol} ${side(position)} ${is > was ? 'grew' : 'shrank'} by ${share}`, [
      text`${quantity(toNumber(was))} → ${sizeText(position, symbol, market?.price ?? null)}`,
      ...positionLines(position, subject),
    ])
  },
})
