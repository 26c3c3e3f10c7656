import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import { figure, whole } from '../../http/shape.ts'

/** One price of the order book and the size that waits there. */
export interface Level {
  price: Amount
  size: Amount
}

const level = z.object({ px: figure, sz: figure }).transform(({ px, sz }): Level => ({ price: px, size: sz }))
const depth = z.object({ levels: z.tuple([z.array(level), z.array(level)]) })

/** Reads the answer of `l2Book`, the best prices first. */
export function readDepth(body: unknown): { bids: Level[]; asks: Level[] } {
  const [bids, asks] = whole(depth, body, 'the order book').levels
  return { bids, asks }
}

const fees = z.object({ userCrossRate: figure, activeReferralDiscount: figure.optional() })

/** Reads the answer of `userFees`: the taker fee as a fraction of a trade's value. */
export function readTakerFee(body: unknown): { rate: Amount; discount: Amount } {
  const { userCrossRate, activeReferralDiscount } = whole(fees, body, 'the fees')
  return { rate: userCrossRate, discount: activeReferralDiscount ?? 0n }
}

const asset = z.object({
  leverage: z.object({ type: z.enum(['cross', 'isolated']), value: z.number().positive() }),
  maxTradeSzs: z.tuple([figure, figure]),
})

/** A wallet's settings for one market, and the most that the venue lets it buy and sell. */
export interface Chosen {
  margin: 'cross' | 'isolated'
  leverage: number
  mostToBuy: Amount
  mostToSell: Amount
}

/** Reads the answer of `activeAssetData`. */
export function readChosen(body: unknown): Chosen {
  const { leverage, maxTradeSzs } = whole(asset, body, 'the choices for a market')
  const [mostToBuy, mostToSell] = maxTradeSzs
  return { margin: leverage.type, leverage: leverage.value, mostToBuy, mostToSell }
}
