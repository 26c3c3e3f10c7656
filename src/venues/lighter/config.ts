import { z } from 'zod'

import { apiAddress, baseOf } from '../http/address.ts'

const address = (name: string) => apiAddress(name, 'leave it out for Lighter itself')

/** The variables of Lighter. */
export const schema = z.object({
  LIGHTER_URL: address('LIGHTER_URL').optional().meta({
    description:
      'Address of the API, without `/api/v1`. Left out: `VENUE_URL`, else `https://mainnet.zklighter.elliot.ai`.',
  }),
  VENUE_URL: address('VENUE_URL').optional().meta({
    description: 'The same, where Lighter is the first venue. `LIGHTER_URL` goes before it.',
  }),
  LIGHTER_TOKEN: z
    .string()
    .trim()
    .regex(/^[\u0021-\u007e]+$/, {
      error: 'LIGHTER_TOKEN must be the token alone, without spaces; leave it out if you have none.',
    })
    .optional()
    .meta({
      description:
        'Token of an account whose requests count by weight, sent as `Authorization`: about 800 requests a minute in place of 60. It needs no right to trade. A secret.',
    }),
})

/** https://apidocs.lighter.xyz/docs/get-started */
const MAINNET = 'https://mainnet.zklighter.elliot.ai'

export function urlOf({ LIGHTER_URL, VENUE_URL }: z.output<typeof schema>): string {
  return baseOf(LIGHTER_URL ?? VENUE_URL ?? MAINNET)
}

export const byName = 'Lighter'

/** A variable of its own selects this venue where VENUE is not set. */
export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return [env['LIGHTER_URL'], env['LIGHTER_TOKEN']].some((text = '') => text.trim() !== '')
}
