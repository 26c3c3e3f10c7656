import { z } from 'zod'

/** The address of an API. */
const address = (name: string) =>
  z
    .string()
    .trim()
    .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
      error: `${name} must be a whole http:// or https:// address; leave it out for Hyperliquid itself.`,
      abort: true,
    })
    .refine(isBare, { error: `${name} must have no user name, password, query or fragment.` })

/** The variables of Hyperliquid. For the testnet, set another address. */
export const schema = z.object({
  VENUE_URL: address('VENUE_URL').default('https://api.hyperliquid.xyz').meta({
    description:
      'Address of the API, where `VENUE` names this venue first. `https://api.hyperliquid-testnet.xyz` is the testnet.',
  }),
  HYPERLIQUID_URL: address('HYPERLIQUID_URL')
    .optional()
    .meta({ usual: '`VENUE_URL`', description: 'The same, wherever `VENUE` names this venue.' }),
})

export const byName = 'Hyperliquid'

/** Its own address selects this venue where VENUE is not set. A VENUE_URL alone means the first API. */
export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['HYPERLIQUID_URL'] ?? '').trim() !== ''
}

function isBare(text: string): boolean {
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}
