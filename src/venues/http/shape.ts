import { z } from 'zod'

import { type Amount, parseDecimal } from '../../venue/amount.ts'
import { isName, unreadable, wordOf } from './reply.ts'

/** The longest recorded figure has 22 characters. A much longer one is no figure and slow to parse. */
const LONGEST_FIGURE = 96

/** Money, prices, sizes and rates as decimal texts: exact, and never a silent zero. */
export const figure = z
  .string()
  .max(LONGEST_FIGURE)
  .transform((text, context): Amount => {
    const amount = parseDecimal(text)
    if (amount !== null) return amount
    context.addIssue({ code: 'custom', message: 'no decimal' })
    return z.NEVER
  })

/** A market, which is named as it is; or another word of the venue, as people read it. */
export const coin = z.string().refine(isName)
export const word = z.string().transform((text) => wordOf(text) ?? '?')

/** Parses a whole answer. Throws if it is not as documented. */
export function whole<T extends z.ZodType>(schema: T, body: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw unreadable(`${what}: ${whyOf(parsed.error)}`)
  return parsed.data
}

/** Parses one element of an answer; returns a reason if it cannot be used. */
export function one<T extends z.ZodType>(
  schema: T,
  element: unknown,
): { is: 'read'; value: z.output<T> } | { is: 'unusable'; why: string } {
  const parsed = schema.safeParse(element)
  return parsed.success ? { is: 'read', value: parsed.data } : { is: 'unusable', why: whyOf(parsed.error) }
}

function whyOf(error: z.ZodError): string {
  return `${error.issues[0]?.path.join('.') || 'the record'} is missing or of another type`
}
