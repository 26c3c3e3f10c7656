import { z } from 'zod'

import { isBare, isHttpUrl } from '../http/address.ts'

/** The environment variables of the venue behind the perpetuals trading data API. */
export const schema = z.object({
  VENUE_URL: z
    .string({ error: 'Set VENUE_URL to the base URL of the venue, for example https://venue.example/api.' })
    .trim()
    .refine(isHttpUrl, {
      error: 'VENUE_URL must be a whole http:// or https:// address, for example https://venue.example/api.',
      abort: true,
    })
    .refine(isBare, {
      error:
        'VENUE_URL must have no user name, password, query or fragment; a key belongs in VENUE_API_KEY instead.',
    })
    .meta({ description: 'Base URL of the venue. Selects this venue where `VENUE` is not set.' }),
  VENUE_CHAIN_ID: z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,14}$/, {
      error: 'VENUE_CHAIN_ID must be a positive whole number, for example 8008; leave it out for 8008.',
    })
    .default('8008')
    .transform(Number)
    .meta({ description: 'Chain that the venue is on.' }),
  VENUE_API_KEY: z
    .string()
    .trim()
    .regex(/^[\u0021-\u007e]+$/, {
      error:
        'VENUE_API_KEY must be the key alone, without spaces; leave it out when the venue gave you none.',
    })
    .optional()
    .meta({ description: 'Key that is sent as `x-api-key`. A secret.' }),
})

export const configuredBy = 'VENUE_URL'

export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env[configuredBy] ?? '').trim() !== ''
}
