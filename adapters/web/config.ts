import { z } from 'zod'

type Env = Readonly<Record<string, string | undefined>>

const BOTH =
  'People sign in on the page by Discord when both DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET are set: Developer Portal, your application, OAuth2.'

/** The page's variables. */
export const schema = z
  .object({
    DISCORD_CLIENT_ID: z
      .string()
      .trim()
      .regex(/^\d{5,20}$/, BOTH)
      .optional()
      .meta({ description: 'Client id of your Discord application, for signing in on the page by Discord.' }),
    DISCORD_CLIENT_SECRET: z.string().trim().regex(/^\S+$/, BOTH).optional().meta({
      description:
        'Client secret of the same application. Its redirect is `/page/discord` behind `PUBLIC_URL`. A secret.',
    }),
  })
  .refine((env) => (env.DISCORD_CLIENT_ID === undefined) === (env.DISCORD_CLIENT_SECRET === undefined), BOTH)

/** It is opened beside the chats, and nothing asks for it alone. */
export function isConfigured(_env: Env): boolean {
  return false
}

/** Opened in addition to the chosen chats. */
export const besides = true

/** Variables of the chats that vouch for their people, or that show the page inside their app. Their adapters check them. */
export function chatsIn(env: Env): { telegramToken: string | null; hasDiscord: boolean; discordApi: string } {
  const set = (name: string) => (env[name] ?? '').trim()
  return {
    telegramToken: set('TELEGRAM_BOT_TOKEN') || null,
    hasDiscord: set('DISCORD_BOT_TOKEN') !== '',
    discordApi: (set('DISCORD_API_URL') || 'https://discord.com/api').replace(/\/+$/, ''),
  }
}
