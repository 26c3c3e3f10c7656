import { z } from 'zod'

const SECRET =
  'WEBHOOK_SECRET signs what is sent to webhooks: at least 16 characters that nobody guesses, such as `openssl rand -hex 32` gives.'
const SHORTEST = 16

/** The signature distinguishes our messages from forged ones. */
export const schema = z.object({
  WEBHOOK_SECRET: z
    .string({ error: `${SECRET} It is not set.` })
    .min(SHORTEST, SECRET)
    .meta({
      description:
        'Secret from which the signing key of each address is made: at least 16 characters. Opens webhooks. A secret.',
    }),
})

export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['WEBHOOK_SECRET'] ?? '').trim() !== ''
}

export const notifyOnly = true
