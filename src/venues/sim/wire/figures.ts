import { z } from 'zod'

import { type Amount, formatDecimal, fromNumber } from '../../../venue/amount.ts'

// The venue's figures: most are texts of whole numbers × 10^18, some are JSON numbers.

export const CHAIN_ID = 8008

export const chainSchema = z
  .literal(CHAIN_ID)
  .meta({ type: 'integer', description: 'The chain that the venue is on.' })

// Without a format, some generators read whole numbers into 32 bits, and others into single precision.

/** A whole number that may be large. */
export const wholeSchema = (meaning: string) => z.int().min(0).meta({ format: 'int64', description: meaning })

/** An amount as a JSON number. */
export const plainSchema = (meaning: string) => z.number().meta({ format: 'double', description: meaning })

/** An integer × 10^18. */
export const fixedSchema = (meaning: string) =>
  z
    .string()
    .regex(/^-?\d+$/)
    .describe(`${meaning} × 10^18.`)

export const idSchema = (meaning: string) => z.string().regex(/^\d+$/).describe(meaning)

export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .describe('The address of a wallet, in any case.')

/** An amount as a JSON number: the nearest double. */
export function plain(amount: Amount): number {
  return Number(formatDecimal(amount))
}

/** Rounds to the digits of a double, as the real venue does, which computes this amount in doubles. */
export function rounded(amount: Amount): Amount {
  return fromNumber(plain(amount)) ?? amount
}

/** The quotient of whole numbers, rounded to the nearest. */
export function nearest(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor / 2n : divisor / 2n
  return (dividend + half) / divisor
}
