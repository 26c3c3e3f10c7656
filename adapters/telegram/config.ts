import { z } from 'zod'

type Env = Readonly<Record<string, string | undefined>>

const TOKEN =
  'TELEGRAM_BOT_TOKEN is what @BotFather gave you: digits, a colon and about 35 characters, with nothing around them.'
const ROOT = 'TELEGRAM_API_ROOT is the address of a Bot API server, such as https://api.telegram.org.'

const TESTING = 'TELEGRAM_TEST_ENVIRONMENT is 1 for a bot of the test environment, else 0.'

/** The server takes any token with a colon, up to this length (tdlib/telegram-bot-api, ClientManager.cpp). */
const LONGEST_TOKEN = 80

/** The bot's token, and the Bot API server. */
export const schema = z.object({
  TELEGRAM_BOT_TOKEN: z
    .string({ error: `${TOKEN} It is not set.` })
    .trim()
    .max(LONGEST_TOKEN, TOKEN)
    .regex(/^\d+:[\w-]+$/, TOKEN)
    .meta({ description: 'Token that @BotFather gave you. A secret.' }),
  TELEGRAM_API_ROOT: z
    .url({ protocol: /^https?$/, error: ROOT })
    .default('https://api.telegram.org')
    .transform((root) => root.replace(/\/+$/, ''))
    .meta({ description: 'Address of another Bot API server.' }),
  TELEGRAM_TEST_ENVIRONMENT: z
    .enum(['0', '1'], TESTING)
    .default('0')
    .transform((word) => word === '1')
    .meta({ description: '`1` for a bot of Telegram’s test environment.' }),
})

export function isConfigured(env: Env): boolean {
  return (env['TELEGRAM_BOT_TOKEN'] ?? '').trim() !== ''
}
