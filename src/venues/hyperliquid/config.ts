import { z } from 'zod'

/** The variables of Hyperliquid. For the testnet, set another VENUE_URL. */
export const schema = z.object({
  VENUE_URL: z
    .string()
    .trim()
    .default('https://api.hyperliquid.xyz')
    .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
      error: 'VENUE_URL must be a whole http:// or https:// address; leave it out for Hyperliquid itself.',
      abort: true,
    })
    .refine(isBare, { error: 'VENUE_URL must have no user name, password, query or fragment.' })
    .meta({ description: 'Address of the API. `https://api.hyperliquid-testnet.xyz` is the testnet.' }),
})

export const byName = 'Hyperliquid'

/** A VENUE_URL without VENUE means the first API. Only VENUE selects this venue. */
export function isConfigured(): boolean {
  return false
}

function isBare(text: string): boolean {
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}
