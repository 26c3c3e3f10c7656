import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import { figure, whole } from './read.ts'

/** One price at which somebody waits, and how much of it. */
export interface Level {
  price: Amount
  size: Amount
}

const level = z.object({ px: figure, sz: figure }).transform(({ px, sz }): Level => ({ price: px, size: sz }))
const depth = z.object({ levels: z.tuple([z.array(level), z.array(level)]) })

/** Turns the answer of `l2Book` into who buys and who sells, the best first. */
export function readDepth(body: unknown): { bids: Level[]; asks: Level[] } {
  const [bids, asks] = whole(depth, body, 'the order book').levels
  return { bids, asks }
}

const fees = z.object({ userCrossRate: figure, activeReferralDiscount: figure.optional() })

/** Turns the answer of `userFees` into the fraction of its value that a trade costs whoever does not wait. */
export function readTakerFee(body: unknown): { rate: Amount; discount: Amount } {
  const { userCrossRate, activeReferralDiscount } = whole(fees, body, 'the fees')
  return { rate: userCrossRate, discount: activeReferralDiscount ?? 0n }
}

const asset = z.object({
  leverage: z.object({ type: z.enum(['cross', 'isolated']), value: z.number().positive() }),
  maxTradeSzs: z.tuple([figure, figure]),
})

/** How a wallet trades one market: what it has chosen, and how much the venue would let it buy and sell. */
export interface Chosen {
  margin: 'cross' | 'isolated'
  leverage: number
  mostToBuy: Amount
  mostToSell: Amount
}

/** Turns the answer of `activeAssetData` into that. */
export function readChosen(body: unknown): Chosen {
  const { leverage, maxTradeSzs } = whole(asset, body, 'the choices for a market')
  const [mostToBuy, mostToSell] = maxTradeSzs
  return { margin: leverage.type, leverage: leverage.value, mostToBuy, mostToSell }
}
