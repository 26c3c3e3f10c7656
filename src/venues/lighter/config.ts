import { z } from 'zod'

/** An address of the API; each sentence says what is wrong with it. */
const address = (name: string) =>
  z
    .string()
    .trim()
    .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
      error: `${name} must be a whole http:// or https:// address; leave it out for Lighter itself.`,
      abort: true,
    })
    .refine(isBare, { error: `${name} must have no user name, password, query or fragment.` })

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
  const base = new URL(LIGHTER_URL ?? VENUE_URL ?? MAINNET)
  return base.origin + base.pathname.replace(/\/+$/, '')
}

export const byName = 'Lighter'

/** A variable of its own selects this venue where VENUE is not set. */
export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return [env['LIGHTER_URL'], env['LIGHTER_TOKEN']].some((text = '') => text.trim() !== '')
}

function isBare(text: string): boolean {
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}
