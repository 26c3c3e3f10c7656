import { z } from 'zod'
import { parseOwner } from '../../../owner.ts'
import { CHAIN_ID } from '../wire/figures.ts'

// What more than one endpoint takes.

export const nothing = z.object({})

const OWNER = 'owner is the address of a wallet: 0x and 40 digits'

/** The venue compares without case, so a wrong checksum is no mistake here. */
export const ofOwner = z.object({
  owner: z
    .string('owner is required')
    .regex(/^0x[0-9a-fA-F]{40}$/, OWNER)
    .describe('The wallet, in any case.')
    .transform((text, context) => {
      const parse = parseOwner(text.toLowerCase())
      if (parse.ok) return parse.owner
      context.addIssue(OWNER)
      return z.NEVER
    }),
  ownershipType: z.literal('SuperOwner', 'ownershipType must be SuperOwner'),
})

const chain = z.literal(String(CHAIN_ID), `chainId must be ${CHAIN_ID}`).describe('The chain.')

export const onChain = z.object({ chainId: chain })

const whole = (name: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .transform(Number)

/** Of a list: from which element on, and how many at most; 0 is all. */
export const paged = z.object({
  offset: whole('offset').optional().describe('How many are passed over.'),
  limit: whole('limit').optional().describe('How many there are at most; 0 is all.'),
})

export function page<T>(all: readonly T[], { offset = 0, limit = 0 }: z.output<typeof paged>): T[] {
  return all.slice(offset, limit === 0 ? undefined : offset + limit)
}
