import { z } from 'zod'

const TOKEN =
  'PUSHOVER_TOKEN is the token of an application that you have made at https://pushover.net/apps: 30 letters and digits.'

/** The application's token, as which messages are sent. */
export const schema = z.object({
  PUSHOVER_TOKEN: z
    .string({ error: `${TOKEN} It is not set.` })
    .trim()
    .regex(/^[a-z\d]{30}$/i, TOKEN)
    .meta({ description: 'Token of the application that you made at Pushover. Opens Pushover. A secret.' }),
})

export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['PUSHOVER_TOKEN'] ?? '').trim() !== ''
}

export const notifyOnly = true
