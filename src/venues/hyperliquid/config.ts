import { z } from 'zod'

import { apiAddress } from '../http/address.ts'

const address = (name: string) => apiAddress(name, 'leave it out for Hyperliquid itself')

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
