import { z } from 'zod'

import { type Amount, multiply, ONE } from '../../../venue/amount.ts'
import type { Trigger } from '../exchange/order.ts'
import { fixedSchema, plain, plainSchema } from './figures.ts'

const number = (meaning: string) => plainSchema(`USD per unit of ${meaning}, as a number.`).min(0)

export const rangeSchema = z
  .strictObject({
    priceA: fixedSchema('USD per unit of the lower end,'),
    priceB: fixedSchema('USD per unit of the upper end,'),
    acceptablePrice: fixedSchema('USD per unit of the worst fill,'),
    priceANum: number('the lower end'),
    priceBNum: number('the upper end'),
    acceptablePriceNum: number('the worst fill'),
  })
  .describe('All 0 is unset; 1 in a text is an open lower end, 2^255 − 1 an open upper one.')

type Range = z.infer<typeof rangeSchema>

const OPEN_LOWER = 1n
export const OPEN_UPPER: Amount = 2n ** 255n - 1n
/** As the venue writes it: with fewer digits than the double has. */
const OPEN_UPPER_NUMBER = 5.78960446186581e58

/** How much worse than its own price an order may fill. */
const SLIPPAGE: Amount = ONE / 20n

export const unset: Range = range(0n, 0n, 0n)

/** The prices at which a limit order fills. */
export function limitRange(price: Amount, buys: boolean): Range {
  const acceptable = usualAcceptable(price, buys)
  return buys ? range(OPEN_LOWER, price, acceptable) : range(price, OPEN_UPPER, acceptable)
}

/** The range of a market order has no ends, only the worst fill price. */
export function acceptableRange(acceptablePrice: Amount): Range {
  return range(0n, 0n, acceptablePrice)
}

/** From a trigger price on, upwards or downwards. */
export function triggerRange({ price, acceptablePrice }: Trigger, upwards: boolean): Range {
  return upwards ? range(price, OPEN_UPPER, acceptablePrice) : range(OPEN_LOWER, price, acceptablePrice)
}

function range(lower: Amount, upper: Amount, acceptable: Amount): Range {
  return {
    priceA: lower.toString(),
    priceB: upper.toString(),
    acceptablePrice: acceptable.toString(),
    priceANum: numberOf(lower),
    priceBNum: numberOf(upper),
    acceptablePriceNum: numberOf(acceptable),
  }
}

function numberOf(price: Amount): number {
  return price >= OPEN_UPPER ? OPEN_UPPER_NUMBER : plain(price)
}

/** The worst fill price of an order that names none. */
export function usualAcceptable(price: Amount, buys: boolean): Amount {
  return multiply(price, buys ? ONE + SLIPPAGE : ONE - SLIPPAGE)
}
