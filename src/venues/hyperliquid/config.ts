import { z } from 'zod'

/** What the environment says about Hyperliquid. The testnet is another VENUE_URL. */
export const schema = z.object({
  VENUE_URL: z
    .string()
    .trim()
    .default('https://api.hyperliquid.xyz')
    .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
      error: 'VENUE_URL must be a whole http:// or https:// address; leave it out for Hyperliquid itself.',
      abort: true,
    })
    .refine(isBare, { error: 'VENUE_URL must have no user name, password, query or fragment.' }),
})

export const byName = 'Hyperliquid'

/** VENUE_URL alone means the first API: this one is opened where VENUE names it. */
export function isConfigured(): boolean {
  return false
}

function isBare(text: string): boolean {
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}
