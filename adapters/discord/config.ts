import { z } from 'zod'

/** Where Discord's REST API is; the gateway's address comes from there (https://docs.discord.com/developers/reference#api-versioning). */
const DISCORD_API = 'https://discord.com/api'

/** Discord's variables. */
export const schema = z
  .object({
    DISCORD_BOT_TOKEN: z.string().trim().optional().meta({
      description: 'Token of the bot, from the Developer Portal. A secret.',
    }),
    DISCORD_API_URL: z
      .string()
      .trim()
      .refine((text) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text), {
        message: 'DISCORD_API_URL is the URL of a REST API, such as https://discord.com/api.',
      })
      .optional()
      .meta({ usual: `\`${DISCORD_API}\``, description: 'Another REST API, for tests.' }),
  })
  .transform((env, context) => {
    const token = env.DISCORD_BOT_TOKEN ?? ''
    if (token === '' || /\s/.test(token)) {
      context.addIssue({
        code: 'custom',
        message:
          'DISCORD_BOT_TOKEN is the token of your bot: Discord Developer Portal, your application, Bot, Reset Token.',
      })
    }
    return { token, apiUrl: (env.DISCORD_API_URL ?? DISCORD_API).replace(/\/+$/, '') }
  })

export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['DISCORD_BOT_TOKEN'] ?? '').trim() !== ''
}
