import { z } from 'zod'

import { magnitude, multiply, toNumber } from '../amount.ts'
import type { Amount } from '../amount.ts'
import { argument, typedSum } from '../argument.ts'
import { reductionOf } from '../closing.ts'
import { percent, quantity, threshold, usd } from '../figure.ts'
import { madeText } from '../gone.ts'
import { eventKind } from '../kind.ts'
import { percentTyped } from '../lib/quantity.ts'
import { item, joined, text } from '../message.ts'
import type { Text } from '../message.ts'
import { positionKey, side, sizeText } from '../position.ts'
import type { Position } from '../position.ts'
import { positionLines } from './words/position.ts'

/** A change that is smaller than both is dust: fees and roundings make it, nobody does. */
const DUST = { share: 0.01, usd: 50 }

const params = z.object({
  /** Of the size before, and USD: from either on it is told. Whoever names one of them asks for that one alone. */
  share: argument
    .percent()
    .refine((share) => share >= 0 && share <= 10, 'A change is a share of the size before, such as 5%.')
    .optional(),
  usd: argument
    .usd()
    .refine((usd) => usd >= 0, 'A change is worth $0 or more, such as $500.')
    .optional(),
})

type Params = z.output<typeof params>

/** A position in the memo: its size, and what parts of it had brought, where that is known. */
function remembered({ size, realisedPnlUsd }: Position): string {
  return realisedPnlUsd === null ? `${size}` : `${size} ${realisedPnlUsd}`
}

function recalled(known: string): { size: Amount; realisedPnlUsd: Amount | null } {
  const [size = '0', realised] = known.split(' ')
  return { size: BigInt(size), realisedPnlUsd: realised === undefined ? null : BigInt(realised) }
}

function leastOf({ share, usd }: Params): Required<{ [Part in keyof Params]: number }> {
  if (share === undefined && usd === undefined) return DUST
  return { share: share ?? Infinity, usd: usd ?? Infinity }
}

/** From the least of each on. */
function together(all: readonly Params[]): Params {
  const least = all.map(leastOf)
  const [share, usd] = [Math.min(...least.map((one) => one.share)), Math.min(...least.map((one) => one.usd))]
  return { ...(share < Infinity ? { share } : {}), ...(usd < Infinity ? { usd } : {}) }
}

function matters(asked: Params, before: Amount, after: Amount, price: Amount | null): boolean {
  const change = magnitude(after - before)
  if (change === 0n) return false
  const least = leastOf(asked)
  const share = toNumber(change) / toNumber(magnitude(before))
  return price === null || share >= least.share || toNumber(multiply(change, price)) >= least.usd
}

function describe(asked: Params): Text {
  const { share, usd: worth } = leastOf(asked)
  const parts = [
    ...(share < Infinity ? [text`${threshold(share)}`] : []),
    ...(worth < Infinity ? [text`${usd(worth)}`] : []),
  ]
  return text`from ${joined(parts, ' or ')} on`
}

/** Tells when a position grows or shrinks. */
export default eventKind({
  name: 'position-resized',
  aliases: ['resized'],
  summary: 'a position grows or shrinks',
  example: 'position-resized 5% $500',
  on: 'owner',
  params,
  armedByWatch: DUST,
  describe,
  typed: ({ share, usd: worth }) =>
    [
      ...(share === undefined ? [] : [percentTyped(share)]),
      ...(worth === undefined ? [] : [typedSum({ unit: 'usd', value: worth })]),
    ].join(' '),
  merge: together,
  severity: 'info',
  fold(asked, memo: Record<string, string> | undefined, subject) {
    const resized = subject.positions.filter((position) => {
      const before = memo?.[positionKey(position)]
      const price = subject.market(position.marketId)?.price ?? null
      return before !== undefined && matters(asked, recalled(before).size, position.size, price)
    })
    const told = new Set(resized)
    // Dust is compared with what was told last, so that much of it is told.
    const kept: Record<string, string> = {}
    for (const position of subject.positions) {
      const before = told.has(position) ? undefined : memo?.[positionKey(position)]
      const isStill = before === undefined || recalled(before).size === position.size
      kept[positionKey(position)] = isStill ? remembered(position) : before
    }
    return {
      memo: kept,
      // Dust may be worth telling when its market costs more.
      still: subject.positions.every((position) => kept[positionKey(position)] === remembered(position)),
      happened: resized.map((position) => {
        const before = recalled(memo?.[positionKey(position)] ?? '0')
        const closing = reductionOf(position, before, subject.symbol(position.marketId))
        return {
          ...{ what: 'resized', value: null, position: positionKey(position) },
          detail: { position, before: before.size, closing },
          ...(closing === null ? {} : { closing }),
        }
      }),
    }
  },
  tell(_params, { detail }, subject) {
    const { position, before, closing } = detail
    const market = subject.market(position.marketId)
    const symbol = subject.symbol(position.marketId)
    const [was, is] = [magnitude(before), magnitude(position.size)]
    const share = percent(toNumber(magnitude(is - was)) / toNumber(was))
    return item('info', text`${symbol} ${side(position)} ${is > was ? 'grew' : 'shrank'} by ${share}`, [
      text`${quantity(toNumber(was))} → ${sizeText(position, symbol, market?.price ?? null)}`,
      ...(closing?.tradeUsd ? [text`${madeText(closing.tradeUsd)} by that, without fees and funding`] : []),
      ...positionLines(position, subject),
    ])
  },
})
