import { z } from 'zod'

import { type Amount, parseDecimal } from '../../../venue/amount.ts'
import { unreadable } from '../../http/refusal.ts'

/** The longest figure in a recording has 22 characters; what is much longer is none, and costly to read. */
const LONGEST_FIGURE = 96

/** Money, prices, sizes and rates are decimals in text: exact, and never a silent zero. */
export const figure = z
  .string()
  .max(LONGEST_FIGURE)
  .transform((text, context): Amount => {
    const amount = parseDecimal(text)
    if (amount !== null) return amount
    context.addIssue({ code: 'custom', message: 'no decimal' })
    return z.NEVER
  })

/** An answer as a whole. One that is not what the documents show is a failure. */
export function whole<T extends z.ZodType>(schema: T, body: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw unreadable(`${what}: ${whyOf(parsed.error)}`)
  return parsed.data
}

/** One element of an answer: itself, or why it cannot be used. */
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
