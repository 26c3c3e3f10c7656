import { z } from 'zod'

import { type Amount, fromNumber, ONE } from '../../../venue/amount.ts'
import { figure } from '../../http/shape.ts'

/** Some figures are texts and others JSON numbers, which are read by their shortest decimal. */
export const amount = z.union([
  figure,
  z.number().transform((number, context): Amount => {
    const read = fromNumber(number)
    if (read !== null) return read
    context.addIssue({ code: 'custom', message: 'no decimal' })
    return z.NEVER
  }),
])

/** A figure that decides nothing: an unreadable one is as good as none. */
export const optional = amount.nullish().catch(null)

/** A whole number, as a JSON number or as text. */
export const integer = z.union([
  z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
])

/** An account or a market: a whole number, as a JSON number or as text. */
export const id = z.union([
  z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).transform(String),
  z.string().regex(/^\d{1,19}$/),
])

/** Market ids from here on are spot markets. */
const FIRST_SPOT_MARKET = 2_048

/** From here on an id is no market's: what it is about cannot be known. */
const NO_MARKET = 65_536

export function isPerp(marketId: string): boolean {
  return Number(marketId) < FIRST_SPOT_MARKET
}

export function isSpot(marketId: string): boolean {
  return !isPerp(marketId) && Number(marketId) < NO_MARKET
}

/** Rates, fees and changes are written in per cent. */
export function ofPercent(percent: Amount): Amount {
  return percent / 100n
}

/** Margin fractions of markets are whole numbers of 1/10,000: 120 is 1.2%. */
export const fraction = integer
  .refine((parts) => parts >= 0)
  .transform((parts): Amount => (BigInt(parts) * ONE) / 10_000n)

/** The figures of the last day, which the list and the push have alike. */
export interface Day {
  price24hAgo: Amount | null
  volume24hUsd: Amount | null
}

export const daily = {
  last_trade_price: optional,
  daily_price_change: optional,
  daily_quote_token_volume: optional,
}

export function dayOf(sent: { [name in keyof typeof daily]?: Amount | null | undefined }): Day {
  const last = positive(sent.last_trade_price)
  const change = sent.daily_price_change ?? null
  return {
    price24hAgo: last === null || change === null ? null : before(last, ofPercent(change)),
    volume24hUsd: sent.daily_quote_token_volume ?? null,
  }
}

function before(price: Amount, change: Amount): Amount | null {
  return change > -ONE ? (price * ONE) / (ONE + change) : null
}

export function positive(figure: Amount | null | undefined): Amount | null {
  return figure && figure > 0n ? figure : null
}
