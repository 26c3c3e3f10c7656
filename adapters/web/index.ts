import { randomBytes } from 'node:crypto'

import type { OpenConversation } from '../../src/chat/conversation.ts'
import { chatsIn, schema } from './config.ts'
import { createWeb } from './web.ts'

/** The page of a person, on our own HTTP server. */
export default (async ({ env, clock, emit, egress, http, random }) => {
  const { DISCORD_CLIENT_ID: id, DISCORD_CLIENT_SECRET: secret } = schema.parse(env)
  const { telegramToken, hasDiscord, discordApi } = chatsIn(env)
  return createWeb({
    ...{ clock, emit, egress, http, random, telegramToken, hasDiscord },
    discord: id === undefined || secret === undefined ? null : { id, secret, api: discordApi },
    files: new URL('./page/', import.meta.url),
    newSecret: () => randomBytes(32).toString('base64url'),
  })
}) satisfies OpenConversation
