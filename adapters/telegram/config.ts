import { z } from 'zod'

type Env = Readonly<Record<string, string | undefined>>

const TOKEN =
  'TELEGRAM_BOT_TOKEN is what @BotFather gave you: digits, a colon and 35 characters, with nothing around them.'
const ROOT = 'TELEGRAM_API_ROOT is the address of a Bot API server, such as https://api.telegram.org.'

/** Where the bot is known by its token, and which server is asked. */
export const schema = z.object({
  TELEGRAM_BOT_TOKEN: z
    .string({ error: `${TOKEN} It is not set.` })
    .trim()
    .regex(/^\d+:[\w-]{35}$/, TOKEN),
  TELEGRAM_API_ROOT: z
    .url({ protocol: /^https?$/, error: ROOT })
    .default('https://api.telegram.org')
    .transform((root) => root.replace(/\/+$/, '')),
})

export function isConfigured(env: Env): boolean {
  return (env['TELEGRAM_BOT_TOKEN'] ?? '').trim() !== ''
}
