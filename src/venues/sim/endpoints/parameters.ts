import { z } from 'zod'

import { parseWallet } from '../../../venue/wallet.ts'
import { DEMO_WALLETS } from '../play/catalogue.ts'
import { CHAIN_ID } from '../wire/figures.ts'

// The parameters of several endpoints.

// Their examples exist on a venue that plays without configuration.

export const aMarket = { description: 'A marketId of the list of all markets.', examples: ['100'] }

export const nothing = z.object({})

const OWNER = 'owner is the address of a wallet: 0x and 40 digits'

/** The venue compares without case, so a wrong checksum is no mistake here. */
export const ofOwner = z.object({
  owner: z
    .string('owner is required')
    .regex(/^0x[0-9a-fA-F]{40}$/, OWNER)
    .meta({ description: 'The address of the wallet, in any case.', examples: DEMO_WALLETS.slice(0, 1) })
    .transform((text, context) => {
      const parse = parseWallet(text.toLowerCase())
      if (parse.ok) return parse.wallet
      context.addIssue(OWNER)
      return z.NEVER
    }),
  ownershipType: z
    .literal('SuperOwner', 'ownershipType must be SuperOwner')
    .describe('All accounts of the wallet: the venue knows no other type.'),
})

/** URLs hold texts, even for numbers. Nine digits are more than any list has elements. */
const asNumber = (text: unknown) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text)

const chain = z
  .literal(CHAIN_ID, `chainId must be ${CHAIN_ID}`)
  .meta({ type: 'integer', description: 'The chain that the venue is on.' })

export const onChain = z.object({ chainId: z.preprocess(asNumber, chain) })

const whole = (name: string) =>
  z.preprocess(asNumber, z.int(`${name} must be a whole number`).min(0).max(999_999_999))

/** The part of a list: its first element and its length; 0 is all. */
export const paged = z.object({
  offset: whole('offset').optional().describe('How many are passed over.'),
  limit: whole('limit').optional().describe('How many there are at most; 0 is all.'),
})

export function page<T>(all: readonly T[], { offset = 0, limit = 0 }: z.output<typeof paged>): T[] {
  return all.slice(offset, limit === 0 ? undefined : offset + limit)
}
