import { z } from 'zod'

import { apiAddress } from '../http/address.ts'

const address = (name: string) => apiAddress(name, 'leave it out for Hyperliquid itself')

/** Weight a minute that the public API allows an address (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits). */
export const PUBLIC_WEIGHT = 1_200
const MOST_WEIGHT = 1_000_000
const PUBLIC_HOSTS = /(?:^|\.)hyperliquid(?:-testnet)?\.xyz$/

function isWeight(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= PUBLIC_WEIGHT && Number(text) <= MOST_WEIGHT
}

/** The public API would refuse us for more, and with us everybody at our address. */
function isOwnNode(address: string): boolean {
  return URL.canParse(address) && !PUBLIC_HOSTS.test(new URL(address).hostname)
}

/** The variables of Hyperliquid. For the testnet, set another address. */
export const schema = z
  .object({
    VENUE_URL: address('VENUE_URL').default('https://api.hyperliquid.xyz').meta({
      description:
        'Address of the API, where `VENUE` names this venue first. `https://api.hyperliquid-testnet.xyz` is the testnet.',
    }),
    HYPERLIQUID_URL: address('HYPERLIQUID_URL')
      .optional()
      .meta({ usual: '`VENUE_URL`', description: 'The same, wherever `VENUE` names this venue.' }),
    HYPERLIQUID_WEIGHT_PER_MINUTE: z
      .string()
      .default(String(PUBLIC_WEIGHT))
      .refine(isWeight, {
        message: `HYPERLIQUID_WEIGHT_PER_MINUTE is a whole number from ${PUBLIC_WEIGHT} to ${MOST_WEIGHT}, such as 60000.`,
      })
      .transform(Number)
      .meta({
        description: `Weight a minute that a node of your own allows. Raise \`VENUE_REQUESTS_PER_SECOND\` as well. From ${PUBLIC_WEIGHT} to ${MOST_WEIGHT}.`,
      }),
  })
  .refine(
    ({ VENUE_URL, HYPERLIQUID_URL, HYPERLIQUID_WEIGHT_PER_MINUTE: weight }) =>
      weight === PUBLIC_WEIGHT || isOwnNode(HYPERLIQUID_URL ?? VENUE_URL),
    {
      message:
        'HYPERLIQUID_WEIGHT_PER_MINUTE is for a node of your own: set HYPERLIQUID_URL to it. Hyperliquid itself allows no more.',
    },
  )

export const byName = 'Hyperliquid'

/** Its own address selects this venue where VENUE is not set. A VENUE_URL alone means the first API. */
export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['HYPERLIQUID_URL'] ?? '').trim() !== ''
}
